import type { ChainSource } from '../chain-source.ts';
import type { PipelineContext } from '../context.ts';
import type { OperationProblem } from '../problem.ts';

/** External dependencies of reported outcomes. */
export interface OutcomeContext extends Pick<PipelineContext, 'db' | 'now'> {
  /** Base URL of the service. Signed outcomes name its origin. */
  readonly baseUrl: string;
  /** Networks whose payments can be read. */
  readonly chains: readonly ChainSource[];
}

/** Reason why an outcome was refused. */
export type OutcomeProblem = OperationProblem<
  'chain-unavailable' | 'invalid-request' | 'rate-limited' | 'unknown-payment' | 'unknown-resource'
>;
