import { createProblem } from '@touchstone/contract';
import { expect, test } from 'vitest';
import { addNotCharged, removeNotCharged } from './respond.ts';
import type { KnownState } from './payment-states.ts';

const STATES: readonly (readonly [KnownState, boolean])[] = [
  ['absent', true],
  ['working', false],
  ['settling', false],
  ['settled', false],
  ['failed', true],
  ['disputed', false],
  ['unknown', false],
];
const problem = createProblem('internal', 'It failed.');
const completed = { ...problem, detail: 'It failed. Nothing was charged.', notCharged: true as const };

test.each(STATES)('a payment in the state %s: notCharged is %s', (state, isNotCharged) => {
  expect(addNotCharged(problem, { state })).toEqual(isNotCharged ? completed : problem);
  expect(addNotCharged(completed, { state })).toEqual(completed);
});

test.each(STATES)('a response that names another request has no notCharged in the state %s', (state) => {
  expect(addNotCharged(problem, { state, response: 'in-progress' })).toEqual(problem);
});

test('notCharged and its sentence are removed together', () => {
  expect(removeNotCharged(completed)).toEqual(problem);
  expect(removeNotCharged(problem)).toEqual(problem);
});
