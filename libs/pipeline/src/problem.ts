import type { Mistake, ProblemCode } from '@touchstone/contract';

/** Reason why an operation has no result. A paid request must not be charged. */
export interface OperationProblem<Code extends ProblemCode> {
  readonly kind: 'problem';
  readonly code: Code;
  readonly detail: string;
  /** Parts of the request that the client has to change; present only with `invalid-request` and `delivery-unreachable`. */
  readonly errors?: readonly Mistake[];
  /** Seconds until the request can be sent again; present only with `rate-limited`. */
  readonly retryAfterSeconds?: number;
}

/** Reason why there is no report. The request must not be charged. */
export interface ReportProblem extends OperationProblem<
  | 'invalid-request'
  | 'template-unresolved'
  | 'not-probeable'
  | 'unknown-resource'
  | 'rate-limited'
  | 'internal'
> {
  /** True if no probe was sent, because the rate limit of the host allows no probe. */
  readonly isProbeRefused?: boolean;
}

/** Problem of a request that the client has to change. */
type InvalidRequest = OperationProblem<'invalid-request'> & Required<Pick<OperationProblem<never>, 'errors'>>;

/** Creates a problem that has no further members. */
export function createOperationProblem<Code extends ProblemCode>(
  code: Code,
  detail: string,
): OperationProblem<Code> {
  return { kind: 'problem', code, detail };
}

/** Creates the problem of an invalid value in a request. */
export function createInvalid(path: string, message: string): InvalidRequest {
  return { ...createOperationProblem('invalid-request', message), errors: [{ path, message }] };
}

/** Creates the problem of a request beyond a rate limit. */
export function createLimited(reason: string, retryAfterSeconds: number): OperationProblem<'rate-limited'> {
  const unit = retryAfterSeconds === 1 ? 'second' : 'seconds';
  const detail = `${reason} Send the request again in ${retryAfterSeconds} ${unit}.`;
  return { ...createOperationProblem('rate-limited', detail), retryAfterSeconds };
}

/**
 * Creates the problem of a value that is not the URL of an endpoint. All operations use the same message.
 *
 * @param reason reason as `canonicalize` returns it
 */
export function createInvalidUrl(reason: string, path = 'resource'): InvalidRequest {
  return createInvalid(path, `Give the full https URL of one endpoint: ${reason}.`);
}

/** Error of a request with an invalid value. The client has to change the request. */
export class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequestError';
  readonly explanation: InvalidRequest;

  constructor(explanation: InvalidRequest) {
    super(explanation.detail);
    this.explanation = explanation;
  }
}
