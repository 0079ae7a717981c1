import { ChainUnreadableError, type Providers } from '@touchstone/chain';
import { expect, test } from 'vitest';
import { queryChain } from './query-chain.ts';

const chain: Providers = { network: 'eip155:8453', use: () => Promise.reject(new Error('not used')) };

test('returns the result of a query', async () => {
  expect(await queryChain(chain, () => Promise.resolve(7))).toBe(7);
});

test('throws ChainUnreadableError after the timeout', async () => {
  await expect(queryChain(chain, () => new Promise<never>(() => undefined), 10)).rejects.toThrow(
    ChainUnreadableError,
  );
});
