import { expect, test } from 'vitest';
import { measureCost } from './json-cost.ts';

test('each value costs one; long texts and names cost more', () => {
  expect(measureCost(null, 10)).toBe(1);
  expect(measureCost({ a: [1, 'two', {}] }, 10)).toBe(5);
  expect(measureCost('a'.repeat(127), 10)).toBe(1);
  expect(measureCost('a'.repeat(256), 10)).toBe(3);
  expect(measureCost({ ['a'.repeat(256)]: 1 }, 10)).toBe(4);
});

test('the cost is Infinity beyond the limit and beyond 32 levels', () => {
  const nest = (levels: number): unknown => (levels === 0 ? 1 : [nest(levels - 1)]);
  expect(measureCost([1, 2, 3], 4)).toBe(4);
  expect(measureCost([1, 2, 3, 4], 4)).toBe(Infinity);
  expect(measureCost(nest(32), 100)).toBe(33);
  expect(measureCost(nest(33), 100)).toBe(Infinity);
  expect(measureCost({ '\ud800': 1 }, 100)).toBe(Infinity);
});
