import type { Problem } from '@touchstone/contract';
import { TRPCError } from '@trpc/server';

type ErrorCode = ConstructorParameters<typeof TRPCError>[0]['code'];

/** Codes of tRPC by HTTP status. Clients of tRPC get the status from this code. */
const CODES: ReadonlyMap<number, ErrorCode> = new Map([
  [400, 'BAD_REQUEST'],
  [401, 'UNAUTHORIZED'],
  [404, 'NOT_FOUND'],
  [409, 'CONFLICT'],
  [422, 'UNPROCESSABLE_CONTENT'],
  [429, 'TOO_MANY_REQUESTS'],
  [503, 'SERVICE_UNAVAILABLE'],
]);

/** Problem of the API as the cause of a tRPC error, so that its members reach the client. */
export class ProblemCause extends Error {
  override readonly name = 'ProblemCause';
  readonly problem: Problem;
  /** Seconds until the call can be repeated, if they are known. */
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: Problem, retryAfterSeconds?: number) {
    super(problem.detail);
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Creates the tRPC error with the same status and text as an error response of the API. */
export function createProblemError(problem: Problem, retryAfterSeconds?: number): TRPCError {
  return new TRPCError({
    code: CODES.get(problem.status) ?? 'INTERNAL_SERVER_ERROR',
    message: problem.detail,
    cause: new ProblemCause(problem, retryAfterSeconds),
  });
}
