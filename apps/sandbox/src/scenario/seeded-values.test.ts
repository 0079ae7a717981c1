import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawRandom, deriveRandomKey, deriveWalletAddress } from './seeded-values.ts';

const key = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const step = fc.integer({ min: 0, max: 2 ** 52 });

test('a random number is in [0, 1) and depends only on its arguments', () => {
  fc.assert(
    fc.property(key, step, (aKey, aStep) => {
      const drawn = drawRandom(aKey, 'failure', aStep);
      expect(drawn).toBeGreaterThanOrEqual(0);
      expect(drawn).toBeLessThan(1);
      expect(drawRandom(aKey, 'failure', aStep)).toBe(drawn);
    }),
  );
});

test('numbers of adjacent steps are distributed evenly', () => {
  const tenths = Array.from({ length: 10 }, () => 0);
  for (let index = 0; index < 10_000; index += 1) {
    const tenth = Math.floor(
      drawRandom(deriveRandomKey('seed', 'name'), 'latency', 1_767_225_600 + index) * 10,
    );
    tenths[tenth] = (tenths[tenth] ?? 0) + 1;
  }
  for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});

test('the numbers of two purposes are independent', () => {
  const pairs = Array.from(
    { length: 2_000 },
    (_, at) => [drawRandom(7, 'failure', at), drawRandom(7, 'latency', at)] as const,
  );
  const together = pairs.filter(([failure, latency]) => failure < 0.5 && latency < 0.5).length;
  expect(Math.abs(together - 500)).toBeLessThan(100);
});

test('the key depends on the seed and the name', () => {
  expect(deriveRandomKey('seed', 'name')).toBe(deriveRandomKey('seed', 'name'));
  expect(deriveRandomKey('seed', 'name')).not.toBe(deriveRandomKey('seed', 'other'));
  expect(deriveRandomKey('seed', 'name')).not.toBe(deriveRandomKey('other', 'name'));
});

const BASE = 'eip155:8453';
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';

test('an EVM wallet is a lower-case address', () => {
  expect(deriveWalletAddress('seed', 'skyfall', BASE)).toMatch(/^0x[0-9a-f]{40}$/);
});

test('a Solana wallet is 32 bytes in base58', () => {
  expect(deriveWalletAddress('seed', 'skyfall', SOLANA)).toBe('JAZfvgC9i4rVtDZqt3YdR5Q5AdbTaoQcjQoqZ8ucwsPL');
});

test('an EVM wallet depends on the seed and the label but not on the network', () => {
  expect(deriveWalletAddress('seed', 'a', BASE)).toBe(deriveWalletAddress('seed', 'a', 'eip155:137'));
  expect(deriveWalletAddress('seed', 'a', BASE)).not.toBe(deriveWalletAddress('seed', 'b', BASE));
  expect(deriveWalletAddress('seed', 'a', BASE)).not.toBe(deriveWalletAddress('other', 'a', BASE));
});
