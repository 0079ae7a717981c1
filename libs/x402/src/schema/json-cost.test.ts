import { expect, test } from 'vitest';
import { measureCost } from './json-cost.ts';

test('every value weighs one, and long texts and names more', () => {
  expect(measureCost(null, 10)).toBe(1);
  expect(measureCost({ a: [1, 'two', {}] }, 10)).toBe(5);
  expect(measureCost('a'.repeat(127), 10)).toBe(1);
  expect(measureCost('a'.repeat(256), 10)).toBe(3);
  expect(measureCost({ ['a'.repeat(256)]: 1 }, 10)).toBe(4);
});

test('beyond the limit, and beyond 32 levels, a value weighs too much', () => {
  const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
  expect(measureCost([1, 2, 3], 4)).toBe(4);
  expect(measureCost([1, 2, 3, 4], 4)).toBe(Infinity);
  expect(measureCost(deep(32), 100)).toBe(33);
  expect(measureCost(deep(33), 100)).toBe(Infinity);
  expect(measureCost({ '\ud800': 1 }, 100)).toBe(Infinity);
});
