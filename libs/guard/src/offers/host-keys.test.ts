import { expect, it } from 'vitest';
import { findHostKeys } from './host-keys.ts';

const RESOURCE = 'https://api.example.com/weather';
const ADDRESS = `0x${'ab'.repeat(20)}`;

it('fetches the keys of a host once for several payments', async () => {
  const fetched: unknown[] = [];
  const fetch = async (input: unknown): Promise<Response> => {
    fetched.push(String(input));
    return Response.json({ verificationMethod: [{ blockchainAccountId: `eip155:1:${ADDRESS}` }] });
  };
  for (const url of [RESOURCE, `${RESOURCE}?city=Oslo`, 'https://api.example.com/other'])
    expect(await findHostKeys(url, fetch)).toMatchObject({ keys: [{ address: ADDRESS }], isUnknown: false });
  expect(fetched).toEqual(['https://api.example.com/.well-known/did.json']);
});

it.each<[string, () => Promise<Response>, boolean]>([
  ['cannot be reached', () => Promise.reject(new TypeError('fetch failed')), true],
  ['fails', () => Promise.resolve(new Response('', { status: 503 })), true],
  ['has no document', () => Promise.resolve(new Response('', { status: 404 })), false],
])('knows if further keys can exist when the host %s', async (_name, fetch, isUnknown) => {
  expect(await findHostKeys(RESOURCE, fetch)).toMatchObject({ keys: [], isUnknown });
});
