import { ChainUnreadableError, type Providers } from '@touchstone/chain';
import { expect, test, vi } from 'vitest';
import { createChainCheck, isChainFailing, queryChain } from './query-chain.ts';

const chain: Providers = { network: 'eip155:8453', use: () => Promise.reject(new Error('not used')) };

test('returns the result of a query', async () => {
  expect(await queryChain(chain, () => Promise.resolve(7))).toBe(7);
});

test('throws ChainUnreadableError after the timeout', async () => {
  await expect(queryChain(chain, () => new Promise<never>(() => undefined), 10)).rejects.toThrow(
    ChainUnreadableError,
  );
});

test('remembers a failed query until the next success, or for a minute', async () => {
  const fail = () => Promise.reject(new ChainUnreadableError(chain.network, ['it did not respond']));
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  const seen: boolean[] = [];
  for (const [query, now] of [
    [fail, 59_999],
    [fail, 60_000],
    [() => Promise.resolve(7), 1],
  ] as const) {
    clock.mockReturnValue(0);
    await queryChain(chain, query).catch(() => null);
    clock.mockReturnValue(now);
    seen.push(isChainFailing(chain));
  }
  clock.mockRestore();
  expect(seen).toEqual([true, false, false]);
});

test('asks the chain at most once in two seconds, also for concurrent calls', async () => {
  const answers = [true, false, true];
  let queries = 0;
  let now = 0;
  const use = () => {
    queries += 1;
    return answers.shift() === true
      ? Promise.resolve({ number: 7n, timestamp: 1n })
      : Promise.reject(new ChainUnreadableError('eip155:8453', ['it did not respond']));
  };
  // The cast is safe, because the check reads only the newest block.
  const isReadable = createChainCheck({ network: 'eip155:8453', use } as Providers, () => now);
  expect(await Promise.all([isReadable(), isReadable()])).toEqual([true, true]);
  now = 2_000;
  expect([await isReadable(), queries]).toEqual([true, 1]);
  now = 2_001;
  expect([await isReadable(), queries]).toEqual([false, 2]);
  now = 4_002;
  expect([await isReadable(), queries]).toEqual([true, 3]);
});

test('queries the chain again after the clock was set back', async () => {
  let queries = 0;
  let now = 10_000_000;
  const use = () => {
    queries += 1;
    return Promise.resolve({ number: 7n, timestamp: 1n });
  };
  // The cast is safe, because the check reads only the newest block.
  const isReadable = createChainCheck({ network: 'eip155:8453', use } as Providers, () => now);
  await isReadable();
  now = 0;
  await isReadable();
  expect(queries).toBe(2);
});
