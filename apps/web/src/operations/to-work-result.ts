import { createProblem, type Problem, type ProblemCode } from '@touchstone/contract/shared/problem';
import type { WorkResult } from '@touchstone/payment';
import type { OperationProblem } from '@touchstone/pipeline/problem';

/** Converts the outcome of an operation to the result of a paid operation. */
export function toWorkResult(
  outcome: { readonly kind: 'result'; readonly body: unknown } | OperationProblem<ProblemCode>,
): WorkResult {
  if (outcome.kind === 'result') return { body: outcome.body };
  const problem = toProblem(outcome);
  const { retryAfterSeconds } = outcome;
  return retryAfterSeconds === undefined ? { problem } : { problem, retryAfterSeconds };
}

/** Converts a failed operation to the body of an error response. */
export function toProblem({ code, detail, errors }: OperationProblem<ProblemCode>): Problem {
  return createProblem(code, detail, errors === undefined ? {} : { errors: [...errors] });
}
