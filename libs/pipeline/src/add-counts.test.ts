import { expect, test } from 'vitest';
import { addCounts } from './add-counts.ts';

test('adds each count, and changes neither result', () => {
  const one = { recorded: 1, dropped: 2 };
  const other = { recorded: 30, dropped: 40 };

  expect(addCounts(one, other)).toEqual({ recorded: 31, dropped: 42 });
  expect(one).toEqual({ recorded: 1, dropped: 2 });
  expect(other).toEqual({ recorded: 30, dropped: 40 });
});

test('a missing count is 0, and other members are left out', () => {
  const batch = { dropped: 5, failure: 'none' };

  expect(addCounts({ recorded: 1, dropped: 2 }, batch)).toEqual({ recorded: 1, dropped: 7 });
});
