import type { PipelineContext } from '../context.ts';
import type { NewDispute } from '@touchstone/store';
import type { OperationProblem } from '../problem.ts';

/** External dependencies of the operations on disputes. */
export interface DisputeContext extends Pick<PipelineContext, 'db' | 'now' | 'onChanged'> {
  /** Base URL of the service. Signed messages name its origin. */
  readonly baseUrl: string;
  /** Location from which latency is measured, for the stored report. */
  readonly vantage: string;
  /** Networks on which the signatures of contract wallets can be checked. */
  readonly chains: NonNullable<PipelineContext['chains']>;
}

/** Reason why a dispute was not stored. */
export type DisputeProblem = OperationProblem<
  | 'chain-unavailable'
  | 'dispute-open'
  | 'invalid-request'
  | 'rate-limited'
  | 'unauthorized'
  | 'unknown-resource'
>;

/** Proof that the sender of a dispute is the provider of the endpoint. */
export type DisputeProof = { readonly kind: 'proof' } & Pick<
  NewDispute,
  'proof' | 'prover' | 'isFormerWallet' | 'messageHash'
>;
