import { z } from 'zod';

const noncesSchema = z.array(z.object({ nonce: z.string() }));

/** Connection to an embedded database, with its secret key. */
export interface Target {
  readonly url: string;
  readonly secret: string;
}

/** Records a payment in a test database. Returns the HTTP status of the response. */
export async function recordPayment({ url, secret }: Target, nonce: string): Promise<number> {
  const response = await fetch(`${url}/rest/v1/payments`, {
    method: 'POST',
    headers: { apikey: secret, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ network: 'eip155:8453', asset: '0xaa', payer: '0xbb', nonce, route: 'trust', request_hash: 'a' },
      ...{ payment_hash: 'b', resource: 'https://one.example/', pay_to: '0xcc', amount: 1, state: 'settled' },
      ...{ valid_before: '2026-11-02', owner: 'test', lease_until: '2026-11-01', result: 'x'.repeat(2_000) },
      ...{ created_at: '2026-11-01', settled_at: '2026-11-01' },
    }),
  });
  await response.arrayBuffer();
  return response.status;
}

export async function readNonces({ url, secret }: Target): Promise<readonly string[]> {
  const response = await fetch(`${url}/rest/v1/payments?select=nonce`, { headers: { apikey: secret } });
  return noncesSchema.parse(await response.json()).map(({ nonce }) => nonce);
}

/** Calls the function that health checks call. */
export async function isWritable({ url, secret }: Target): Promise<unknown> {
  const headers = { apikey: secret, 'content-type': 'application/json' };
  const response = await fetch(`${url}/rest/v1/rpc/is_writable`, { method: 'POST', headers, body: '{}' });
  return response.json();
}
