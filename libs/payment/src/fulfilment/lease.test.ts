import type { Db } from '@touchstone/store';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLease } from './lease.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Opens a lease that counts its extensions. The cast is safe, because a lease only calls database functions. */
const openLease = () => {
  const rpc = vi.fn(() => Promise.resolve({ data: null, error: null }));
  const key = { network: 'eip155:8453', asset: '0xusdc', payer: '0xpayer', nonce: '0x1', owner: 'request' };
  const lease = createLease({ db: { rpc } as unknown as Db, onError: () => undefined }, key);
  return { lease, countExtensions: () => rpc.mock.calls.length };
};

test('a lease lasts ten seconds, and is extended every four seconds up to its maximum', async () => {
  const { lease, countExtensions } = openLease();
  expect(lease.hold(30)).toBe(10);
  await vi.advanceTimersByTimeAsync(3_900);
  expect(countExtensions()).toBe(0);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(countExtensions()).toBe(5);
});

test('a lease that ended, or whose maximum is shorter than ten seconds, is not extended', async () => {
  const { lease, countExtensions } = openLease();
  expect(lease.hold(1)).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  lease.hold(45);
  lease.end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(countExtensions()).toBe(0);
});
