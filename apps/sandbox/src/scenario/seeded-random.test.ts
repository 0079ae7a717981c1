import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawRandom, deriveRandomKey } from './seeded-random.ts';

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
