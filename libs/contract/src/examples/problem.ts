import { createProblem, withNotCharged, type Problem } from '../responses/problem.ts';

const message = '`days` must be a whole number from 1 to 90; received 120.';

/** Example of an error response: a history request with too many days. */
export const PROBLEM_EXAMPLE: Problem = withNotCharged(
  createProblem('invalid-request', message, {
    errors: [{ path: 'days', message }],
    instance: '/v1/x402-history',
  }),
);
