import { createProblem } from '@touchstone/contract';
import { expect, test } from 'vitest';
import { addNotCharged, type KnownState } from './not-charged.ts';

test.each<readonly [KnownState, boolean]>([
  ['absent', true],
  ['working', false],
  ['settling', false],
  ['settled', false],
  ['failed', true],
  ['disputed', false],
  ['unknown', false],
])('a payment in the state %s: notCharged is %s', (state, isNotCharged) => {
  const problem = createProblem('internal', 'It failed.');
  const completed = addNotCharged(problem, state);
  expect(completed).toEqual(
    isNotCharged ? { ...problem, detail: 'It failed. Nothing was charged.', notCharged: true } : problem,
  );
  expect(addNotCharged(completed, state)).toEqual(completed);
});
