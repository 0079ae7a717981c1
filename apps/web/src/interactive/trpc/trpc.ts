import type { Problem } from '@touchstone/contract';
import type { WatchContext } from '@touchstone/pipeline';
import type { PublicStore } from '@touchstone/store';
import { TRPCError, initTRPC } from '@trpc/server';
import { ZodError } from 'zod';
import type { ExploreSource } from '../explore/list-endpoints.ts';

/** Data that procedures can read. */
export interface TrpcContext {
  readonly store: ExploreSource & Pick<PublicStore, 'suggest'>;
  /**
   * Access to the watch of the caller. It is absent for GET requests, because the input of a GET request is in the URL.
   * The URL must not contain the id of a watch.
   */
  readonly owner?: {
    /** Bearer token of the request; null if the request has no bearer token. */
    readonly secret: string | null;
    readonly openWatches: () => WatchContext;
    /** Returns the client of the request, such as its IP address. */
    readonly readClient: () => string;
  };
}

const t = initTRPC.context<TrpcContext>().create({
  // Without this option, errors contain a stack trace unless NODE_ENV is `production`.
  isDev: false,
  errorFormatter: ({ shape, error }) => ({
    ...shape,
    message: formatMessage(error),
    data: { ...shape.data, problem: toProblemData(error) },
  }),
});

export const { router, procedure } = t;

/** Returns the error text for clients. The cause of an internal error is not sent. */
function formatMessage(error: TRPCError): string {
  if (error.code === 'INTERNAL_SERVER_ERROR')
    return 'The service failed to process this request. Send it again in a minute.';
  if (!(error.cause instanceof ZodError)) return error.message;
  return error.cause.issues
    .map(({ path, message }) => `${path.length === 0 ? 'The input' : path.join('.')} ${message}.`)
    .join(' ');
}

/** Returns the members of a problem that clients evaluate or show; null for any other error. */
function toProblemData({ cause }: TRPCError) {
  if (!(cause instanceof ProblemCause)) return null;
  const { code, errors = [] } = cause.problem;
  return { code, errors };
}

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

/** Cause of a tRPC error. It contains a problem of the API, so that the client receives the members of the problem. */
export class ProblemCause extends Error {
  override readonly name = 'ProblemCause';
  readonly problem: Problem;
  /** Seconds until the call can be repeated; undefined if not known. */
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
