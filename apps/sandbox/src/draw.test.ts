import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawAt, drawKey } from './draw.ts';

const key = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const step = fc.integer({ min: 0, max: 2 ** 52 });

test('a draw lies in [0, 1) and depends on its arguments only', () => {
  fc.assert(
    fc.property(key, step, (aKey, aStep) => {
      const drawn = drawAt(aKey, 'failure', aStep);
      expect(drawn).toBeGreaterThanOrEqual(0);
      expect(drawn).toBeLessThan(1);
      expect(drawAt(aKey, 'failure', aStep)).toBe(drawn);
    }),
  );
});

test('draws of neighbouring steps are spread evenly', () => {
  const tenths = Array.from({ length: 10 }, () => 0);
  for (let index = 0; index < 10_000; index += 1) {
    const tenth = Math.floor(drawAt(drawKey('seed', 'name'), 'latency', 1_767_225_600 + index) * 10);
    tenths[tenth] = (tenths[tenth] ?? 0) + 1;
  }
  for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});

test('purposes are drawn apart', () => {
  const pairs = Array.from(
    { length: 2_000 },
    (_, at) => [drawAt(7, 'failure', at), drawAt(7, 'latency', at)] as const,
  );
  const together = pairs.filter(([failure, latency]) => failure < 0.5 && latency < 0.5).length;
  expect(Math.abs(together - 500)).toBeLessThan(100);
});

test('names and seeds have keys of their own', () => {
  expect(drawKey('seed', 'name')).toBe(drawKey('seed', 'name'));
  expect(drawKey('seed', 'name')).not.toBe(drawKey('seed', 'other'));
  expect(drawKey('seed', 'name')).not.toBe(drawKey('other', 'name'));
});
