const BASE_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';

type Bag = Readonly<Record<string, unknown>>;

/** A textbook envelope of version 2 for a URL, its only option changed as told. */
export function envelopeFor(url: string, change: Bag = {}): Bag {
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

/** The header fields of a challenge. */
export function challengeHeaders(envelope: unknown): Record<string, string> {
  return {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'payment-required': Buffer.from(JSON.stringify(envelope)).toString('base64'),
  };
}

/** A saved answer as `--file` takes it, with a textbook challenge of version 2. */
export function savedAnswer(change: Bag = {}, option: Bag = {}): Bag {
  const url = 'https://api.example.com/v1/weather';
  return {
    url,
    method: 'GET',
    status: 402,
    headers: challengeHeaders(envelopeFor(url, option)),
    body: '{}',
    ...change,
  };
}
