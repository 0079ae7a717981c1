import { expect, test } from 'vitest';
import { z } from 'zod';
import { createProvider } from './provider.ts';

/** Sends a batch of two and a batch of three calls to a provider with a given response to batches. */
async function callMany(respondToBatch: (request: number) => Response | undefined) {
  const sizes: number[] = [];
  const provider = createProvider({
    ...{ label: 'it', url: 'https://rpc.test', now: () => 0, timeoutMs: 1_000, maxBytes: 10_000 },
    sleep: () => Promise.resolve(),
    fetch: (_, init) => {
      // The casts are safe because the provider under test sends text in this format.
      const body = JSON.parse(init?.body as string) as { id: number } | { id: number }[];
      sizes.push(Array.isArray(body) ? body.length : 1);
      const results = [body].flat().map(({ id }) => ({ jsonrpc: '2.0', id, result: id }));
      const refusal = Array.isArray(body) ? respondToBatch(sizes.length) : undefined;
      return Promise.resolve(refusal ?? Response.json(Array.isArray(body) ? results : results[0]));
    },
  });
  await provider.callMany('eth_chainId', [[], []], z.number());
  await provider.callMany('eth_chainId', [[], [], []], z.number());
  return sizes;
}

const refuse = (code: number, message: string, status: number) => () =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });

test.each([
  refuse(-32_014, 'too many RPC calls in batch request', 413),
  refuse(-32_600, 'batch requests are not supported', 500),
  refuse(-32_000, 'backend does not support batch', 200),
  refuse(-32_000, 'request count exceeds batch limit', 200),
])('sends only single calls to a provider that refuses batches', async (respond) => {
  expect(await callMany(respond)).toEqual([2, 1, 1, 1, 1, 1]);
});

test.each([
  [5, refuse(-32_005, 'rate limit exceeded', 200)],
  [3, refuse(-32_603, 'Internal error', 200)],
])('sends the next batch after %i refusals that can be temporary', async (refusals, respond) => {
  const sizes = await callMany((request) => (request <= refusals ? respond() : undefined));
  expect(sizes).toEqual([...Array.from({ length: refusals }, () => 2), 1, 1, 3]);
});

test('repeats a batch after a temporary failure', async () => {
  const fail = refuse(-32_011, 'no backend', 503);
  expect(await callMany((request) => (request === 1 ? fail() : undefined))).toEqual([2, 2, 3]);
});
