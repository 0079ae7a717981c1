import type { PipelineContext, WatchSettings } from '../context.ts';
import type { TestPauses } from './request-limits.ts';
import { createOperationProblem, type OperationProblem } from '../problem.ts';

/** External dependencies of the operations on watches. */
export interface WatchContext extends WatchSettings, Pick<PipelineContext, 'db' | 'now'> {
  readonly testPauses: TestPauses;
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

/** Result of an operation on a watch, or the reason why there is no result. */
export type WatchResult<Body> = { readonly kind: 'result'; readonly body: Body } | WatchProblem;

/** Id of a watch, and the bearer secret that the request presented. */
export interface WatchCredentials {
  readonly id: string;
  readonly secret: string;
}

/** Problem of a service that cannot store delivery URLs. */
export const WITHOUT_CIPHER = createOperationProblem(
  'watch-unavailable',
  'This service has no encryption keys for watches, so it cannot store the secrets of a watch.',
);
