const BASE_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Creates a valid challenge of x402 version 2 for a URL.
 *
 * @param change changed members of the payment option
 */
export function createEnvelope(url: string, change: JsonObject = {}): JsonObject {
  return {
    x402Version: 2,
    error: 'Payment required',
    resource: { url, description: 'Weather by city', mimeType: 'application/json' },
    accepts: [
      {
        scheme: 'exact',
        network: 'eip155:8453',
        amount: '10000',
        asset: BASE_USDC,
        payTo: PAY_TO,
        maxTimeoutSeconds: 60,
        extra: { name: 'USD Coin', version: '2' },
        ...change,
      },
    ],
  };
}

/** Creates the header fields of a 402 response with a challenge. */
export function createChallengeHeaders(envelope: unknown): Record<string, string> {
  return {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'payment-required': Buffer.from(JSON.stringify(envelope)).toString('base64'),
  };
}

/** Creates a saved response for `--file` with a valid challenge of x402 version 2. */
export function createSavedResponse(change: JsonObject = {}, option: JsonObject = {}): JsonObject {
  const url = 'https://api.example.com/v1/weather';
  return {
    url,
    method: 'GET',
    status: 402,
    headers: createChallengeHeaders(createEnvelope(url, option)),
    body: '{}',
    ...change,
  };
}
