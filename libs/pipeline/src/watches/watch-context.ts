import type { ProblemCode } from '@touchstone/contract';
import type { Sender } from '@touchstone/probe';
import type { Db } from '@touchstone/store';
import type { Cipher } from '@touchstone/watch';

/** External dependencies of the operations on watches. */
export interface WatchContext {
  readonly db: Db;
  /** Cipher of signing keys and delivery URLs; null if this service has no encryption keys. */
  readonly cipher: Cipher | null;
  /** Sends connection tests and messages. */
  readonly send: Sender;
  /** Base URL of the service, for the links in responses and messages. */
  readonly baseUrl: string;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
}

/** Reason why an operation on a watch changed nothing. A paid request must not be charged. */
export interface WatchProblem {
  readonly kind: 'problem';
  readonly code: Extract<
    ProblemCode,
    | 'delivery-unreachable'
    | 'invalid-request'
    | 'not-probeable'
    | 'rate-limited'
    | 'template-unresolved'
    | 'unauthorized'
    | 'unknown-resource'
    | 'watch-not-found'
    | 'watch-not-renewable'
    | 'watch-unavailable'
  >;
  readonly detail: string;
  /** Parts of the request that the client has to change. */
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
  /** Seconds until the request can be repeated; present only with `rate-limited`. */
  readonly retryAfterSeconds?: number;
}

/** Result of an operation on a watch, or the reason why there is none. */
export type WatchResult<Body> = { readonly kind: 'result'; readonly body: Body } | WatchProblem;

/** Id of a watch, and the bearer secret that the request presented. */
export interface WatchCredentials {
  readonly id: string;
  readonly secret: string;
}

/** Creates a problem that has no further members. */
export function createProblem(code: WatchProblem['code'], detail: string): WatchProblem {
  return { kind: 'problem', code, detail };
}

/** Creates the problem of an invalid value in a request. */
export function createInvalid(path: string, message: string): WatchProblem {
  return { kind: 'problem', code: 'invalid-request', detail: message, errors: [{ path, message }] };
}

/** Problem of a service that cannot store delivery URLs. */
export const WITHOUT_CIPHER = createProblem(
  'watch-unavailable',
  'This service has no encryption keys for watches, so it cannot store the secrets of a watch.',
);
