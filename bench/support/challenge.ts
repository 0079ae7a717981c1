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

/**
 * Returns the headers of an x402 version 2 challenge in the format of the reference server, with one payment option and
 * discovery data. The challenge has about 1.6 KB.
 *
 * @param amount in atomic units
 * @param payTo wallet that receives the payments
 */
export function createChallengeHeaders(
  url: string,
  { amount = 10_000, payTo = OPTION.payTo }: { readonly amount?: number; readonly payTo?: string } = {},
): Record<string, string> {
  const envelope = {
    x402Version: 2,
    error: 'Payment required',
    resource: { url, description: 'Weather by city', mimeType: 'application/json' },
    accepts: [{ ...OPTION, payTo, amount: String(amount) }],
    extensions: { bazaar: DISCOVERY },
  };
  return {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'payment-required': Buffer.from(JSON.stringify(envelope)).toString('base64'),
  };
}
