import { readChallenge, type ChallengeResponse } from '@touchstone/x402';
import type { CheckResult } from '../check-endpoint.ts';

export const RESOURCE_URL = 'https://api.example.com/v1/weather';
const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';

/** Payment option in USDC on Base, which all clients of version 2 pay. */
export const OPTION = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  amount: '10000',
  payTo: PAY_TO,
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
};

export const ENVELOPE = {
  x402Version: 2,
  error: 'Payment required',
  resource: { url: RESOURCE_URL, description: 'Weather of a city', mimeType: 'application/json' },
};

/** Encodes an envelope for the PAYMENT-REQUIRED header. */
export const encodeTerms = (envelope: object): string =>
  Buffer.from(JSON.stringify(envelope)).toString('base64');

/** Returns the response of an endpoint with the option above and the given changes. */
export function createResponse(
  option: Readonly<Record<string, unknown>> = {},
  change: Partial<ChallengeResponse> = {},
): ChallengeResponse {
  return {
    url: RESOURCE_URL,
    method: 'GET',
    status: 402,
    headers: [
      ['payment-required', encodeTerms({ ...ENVELOPE, accepts: [{ ...OPTION, ...option }] })],
      ['cache-control', 'no-store'],
    ],
    body: '{}',
    ...change,
  };
}

/** Returns the result of checking a response. */
export function toResult(response: ChallengeResponse): CheckResult {
  return {
    ...{
      url: response.url,
      method: 'GET',
      redirects: [],
      failureReason: null,
      retryAfter: null,
      hint: null,
      notes: [],
    },
    ...{ status: response.status, response, challenge: readChallenge(response) },
  };
}
