import { expect, test } from 'vitest';
import { weigh } from './json-weight.ts';

test('every value weighs one, and long texts and names more', () => {
  expect(weigh(null, 10)).toBe(1);
  expect(weigh({ a: [1, 'two', {}] }, 10)).toBe(5);
  expect(weigh('a'.repeat(127), 10)).toBe(1);
  expect(weigh('a'.repeat(256), 10)).toBe(3);
  expect(weigh({ ['a'.repeat(256)]: 1 }, 10)).toBe(4);
});

test('beyond the limit, and beyond 32 levels, a value weighs too much', () => {
  const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
  expect(weigh([1, 2, 3], 4)).toBe(4);
  expect(weigh([1, 2, 3, 4], 4)).toBe(Infinity);
  expect(weigh(deep(32), 100)).toBe(33);
  expect(weigh(deep(33), 100)).toBe(Infinity);
  expect(weigh({ '\ud800': 1 }, 100)).toBe(Infinity);
});
