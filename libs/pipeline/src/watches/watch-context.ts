import type { Sender } from '@touchstone/probe';
import type { Db } from '@touchstone/store';
import type { Cipher } from '@touchstone/watch';
import { createProblem, type OperationProblem } from '../problem.ts';

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
export type WatchProblem = OperationProblem<
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

/** Result of an operation on a watch, or the reason why there is none. */
export type WatchResult<Body> = { readonly kind: 'result'; readonly body: Body } | WatchProblem;

/** Id of a watch, and the bearer secret that the request presented. */
export interface WatchCredentials {
  readonly id: string;
  readonly secret: string;
}

/** Problem of a service that cannot store delivery URLs. */
export const WITHOUT_CIPHER = createProblem(
  'watch-unavailable',
  'This service has no encryption keys for watches, so it cannot store the secrets of a watch.',
);
