import { readChallenge } from '../read-challenge.ts';
import type { Challenge, ChallengeResponse, Check } from '../types.ts';

/** URL of the endpoint in all test fixtures. */
export const REQUEST_URL = 'https://api.example.com/v1/weather';
export const BASE_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
export const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
export const OTHER_WALLET = '0x1111111111111111111111111111111111111111';
/** EURC on Base: a known token that clients do not accept by default. */
export const EURC = '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42';
export const DOMAIN = { name: 'USD Coin', version: '2' };

/** Members of a payment option in USDC on Base Sepolia, a test network. */
export const SEPOLIA = {
  network: 'eip155:84532',
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  extra: { name: 'USDC', version: '2' },
};
export const POLYGON = { network: 'eip155:137', asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' };
/** Members of a payment option in USDC on Celo. CDP settles no payments on Celo. */
export const CELO = {
  network: 'eip155:42220',
  asset: '0xcebA9300f2b948710d2653dD7B07f33A8B32118C',
  extra: { name: 'USDC', version: '2' },
};
/** Members of a payment option in MegaUSD. This token has 18 decimals and supports only permit2 payments. */
export const MEGA_USD = {
  network: 'eip155:4326',
  asset: '0xFAfDdbb3FC7688494971a79cc65DCa3EF82079E7',
  extra: { assetTransferMethod: 'permit2' },
};
/** Members of a payment option for Circle Gateway, which is signed for a contract other than the token. */
export const GATEWAY = {
  amount: '1000',
  maxTimeoutSeconds: 604_900,
  extra: {
    name: 'GatewayWalletBatched',
    version: '1',
    verifyingContract: '0x77777777Dcc4d5A8B6E418Fd04D8997ef11000eE',
  },
};
export const SOLANA_WALLET = 'F8AhDENfLvFddgKh4VuQb4CsGhmk5uzgpu4K8YzciMfe';
export const SOLANA = {
  network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  payTo: SOLANA_WALLET,
  extra: { feePayer: SOLANA_WALLET },
};

export type JsonObject = Record<string, unknown>;

/** Members of payment options in schemes whose clients a buyer must register. */
export const SCHEME_OPTIONS = {
  upto: { scheme: 'upto', extra: { facilitatorAddress: PAY_TO } },
  batch: { scheme: 'batch-settlement', extra: { ...DOMAIN, receiverAuthorizer: PAY_TO } },
  capture: {
    scheme: 'auth-capture',
    extra: {
      ...DOMAIN,
      captureAuthorizer: PAY_TO,
      feeRecipient: PAY_TO,
      captureDeadline: 2_000_000_000,
      refundDeadline: 2_000_000_000,
      minFeeBps: 0,
      maxFeeBps: 100,
    },
  },
  solanaUpto: {
    ...SOLANA,
    scheme: 'upto',
    extra: {
      feePayer: '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4',
      receiverAuthorizer: SOLANA_WALLET,
      withdrawDelay: 900,
    },
  },
} satisfies Readonly<Record<string, JsonObject>>;

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

/** Creates a version 2 response with one payment option for each of the given changes. */
export function v2Offer(...changes: readonly JsonObject[]): ChallengeResponse {
  return v2Response(v2Envelope({ accepts: changes.map((change) => v2Option(change)) }));
}

/** Reads the challenge of a version 2 response with one payment option for each of the given changes. */
export function readV2(...changes: readonly JsonObject[]): Challenge {
  return readChallenge(v2Offer(...changes));
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
