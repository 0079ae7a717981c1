const OPTION = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
};

const DISCOVERY = {
  info: {
    input: { type: 'http', method: 'GET', queryParams: { city: 'Rome' } },
    output: { type: 'json', example: { celsius: 21 } },
  },
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      input: {
        type: 'object',
        properties: { type: { type: 'string', const: 'http' }, method: { type: 'string', enum: ['GET'] } },
        required: ['type', 'method'],
      },
    },
    required: ['input'],
  },
};

export interface ChallengeShape {
  /** Amount of the first payment option, in atomic units. Each further option costs one unit more. */
  readonly amount?: number;
  /** Number of payment options. */
  readonly options?: number;
  /** `true` if the challenge contains the bazaar discovery extension. */
  readonly discovery?: boolean;
  /** Wallet that receives the payments. */
  readonly payTo?: string;
}

/**
 * Returns the headers of a complete version 2 challenge, as the reference server sends it. The default challenge has
 * about 1.6 KB.
 */
export function createChallengeHeaders(url: string, shape: ChallengeShape = {}): Record<string, string> {
  const { amount = 10_000, options = 1, discovery = true, payTo = OPTION.payTo } = shape;
  const envelope = {
    x402Version: 2,
    error: 'Payment required',
    resource: { url, description: 'Weather by city', mimeType: 'application/json' },
    accepts: Array.from({ length: options }, (_, index) => ({
      ...OPTION,
      payTo,
      amount: String(amount + index),
    })),
    extensions: discovery ? { bazaar: DISCOVERY } : {},
  };
  return {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'payment-required': Buffer.from(JSON.stringify(envelope)).toString('base64'),
  };
}
