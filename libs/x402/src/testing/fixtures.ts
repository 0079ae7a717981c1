import { readChallenge } from '../challenge/read-challenge.ts';
import type { Challenge, ChallengeResponse, Check } from '../types.ts';

/** URL of the endpoint in all test fixtures. */
export const REQUEST_URL = 'https://api.example.com/v1/weather';
export const BASE_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
export const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';

export type JsonObject = Record<string, unknown>;

export function v2Option(change: JsonObject = {}): JsonObject {
  return {
    scheme: 'exact',
    network: 'eip155:8453',
    amount: '10000',
    asset: BASE_USDC,
    payTo: PAY_TO,
    maxTimeoutSeconds: 60,
    extra: { name: 'USD Coin', version: '2' },
    ...change,
  };
}

export function v2Envelope(change: JsonObject = {}): JsonObject {
  return {
    x402Version: 2,
    error: 'Payment required',
    resource: {
      url: REQUEST_URL,
      description: 'Weather by city',
      mimeType: 'application/json',
      serviceName: 'Skies',
    },
    accepts: [v2Option()],
    ...change,
  };
}

export function v1Option(change: JsonObject = {}): JsonObject {
  return {
    scheme: 'exact',
    network: 'base',
    maxAmountRequired: '10000',
    resource: REQUEST_URL,
    description: 'Weather by city',
    mimeType: 'application/json',
    payTo: PAY_TO,
    maxTimeoutSeconds: 60,
    asset: BASE_USDC,
    extra: { name: 'USD Coin', version: '2' },
    ...change,
  };
}

export function v1Envelope(change: JsonObject = {}): JsonObject {
  return { x402Version: 1, error: 'X-PAYMENT header is required', accepts: [v1Option()], ...change };
}

/** Encodes a JSON value for the PAYMENT-REQUIRED header: standard base64 of UTF-8 JSON. */
export function encode(json: unknown): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(json))));
}

/** Creates a version 2 response with the envelope in its header. Without arguments, the response is valid. */
export function v2Response(
  envelope: unknown = v2Envelope(),
  change: Partial<ChallengeResponse> = {},
): ChallengeResponse {
  return {
    url: REQUEST_URL,
    status: 402,
    headers: [
      ['Content-Type', 'application/json'],
      ['Cache-Control', 'no-store'],
      ['PAYMENT-REQUIRED', encode(envelope)],
    ],
    body: '{}',
    ...change,
  };
}

/** Creates a version 1 response with the envelope in its body. Without arguments, the response is valid. */
export function v1Response(
  envelope: unknown = v1Envelope(),
  change: Partial<ChallengeResponse> = {},
): ChallengeResponse {
  return {
    url: REQUEST_URL,
    status: 402,
    headers: [['content-type', 'application/json']],
    body: JSON.stringify(envelope),
    ...change,
  };
}

/** Creates a response with a version 2 envelope in the header and a version 1 envelope in the body. */
export function dualResponse(v2: unknown = v2Envelope(), v1: unknown = v1Envelope()): ChallengeResponse {
  return v2Response(v2, { body: JSON.stringify(v1) });
}

/** Reads the challenge of a version 2 response. Its only payment option has the given changes. */
export function readV2(change: JsonObject): Challenge {
  return readChallenge(v2Response(v2Envelope({ accepts: [v2Option(change)] })));
}

/** Reads the challenge of a version 1 response. Its only payment option has the given changes. */
export function readV1(change: JsonObject): Challenge {
  return readChallenge(v1Response(v1Envelope({ accepts: [v1Option(change)] })));
}

export function getCheck(challenge: Challenge, id: string): Check {
  const check = challenge.checks.find((candidate) => candidate.id === id);
  if (check === undefined) throw new Error(`There is no rule ${id}`);
  return check;
}

/**
 * Returns the result of a check. A failure includes the severity: `pass`, `skip`, `fail error`, `fail warning`, `fail
 * info`.
 */
export function getResult(challenge: Challenge, id: string): string {
  const { result, severity } = getCheck(challenge, id);
  return result === 'fail' ? `fail ${severity}` : result;
}

/** Returns the ids of the failed checks, in the order of the rule table. */
export function listFailures(challenge: Challenge): string[] {
  return challenge.checks.filter(({ result }) => result === 'fail').map(({ id }) => id);
}
