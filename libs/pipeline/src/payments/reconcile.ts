import { reconcilePayments, type ReconciliationCounts } from '@touchstone/payment';
import type { PipelineContext } from '../context.ts';
import type { ChainSource } from '../settlement/chain-source.ts';

type ReconcileContext = Pick<PipelineContext, 'db' | 'chains' | 'now'>;

/** Result of a reconciliation. The operator reads it in the log. */
export interface ReconcileSummary extends ReconciliationCounts {
  /** Message for each payment that the facilitator reported as settled and the chain does not confirm. */
  readonly disputes?: readonly string[];
}

const COUNTS = ['settled', 'failed', 'audited', 'disputed', 'open'] as const;
export const EMPTY_RECONCILE_SUMMARY: ReconcileSummary = {
  settled: 0,
  failed: 0,
  audited: 0,
  disputed: 0,
  open: 0,
};

/**
 * Compares payments with every configured chain: payments whose settlement has no known outcome, and those that the
 * facilitator reported as settled.
 */
export async function reconcile(context: ReconcileContext): Promise<ReconcileSummary> {
  let total = EMPTY_RECONCILE_SUMMARY;
  for (const chain of context.chains ?? []) {
    total = addReconciled(total, await reconcileChain(context, chain));
  }
  return total;
}

/** Compares the payments of one chain with it. */
export async function reconcileChain(
  { db, now }: Pick<ReconcileContext, 'db' | 'now'>,
  { providers }: ChainSource,
): Promise<ReconcileSummary> {
  const disputes: string[] = [];
  const onError = (message: string) => void disputes.push(message);
  const counts = await reconcilePayments({ db, chain: providers, now, onError });
  return disputes.length === 0 ? counts : { ...counts, disputes };
}

/** Combines two results. `disputes` is absent when neither has any. */
export function addReconciled(one: ReconcileSummary, other: ReconcileSummary): ReconcileSummary {
  const disputes = [...(one.disputes ?? []), ...(other.disputes ?? [])];
  const total = { ...EMPTY_RECONCILE_SUMMARY };
  for (const count of COUNTS) total[count] = one[count] + other[count];
  return disputes.length === 0 ? total : { ...total, disputes };
}
