import { reconcilePayments, type ReconciliationCounts } from '@touchstone/payment';
import type { PipelineContext } from '../context.ts';
import type { DeadlineOptions } from '../run-until-aborted.ts';
import { limitProviders, type ChainSource } from '../settlement/chain-source.ts';

type ReconcileContext = Pick<PipelineContext, 'db' | 'chains' | 'now'>;

/** Result of a reconciliation, which is logged for the operator. */
export interface ReconcileSummary extends ReconciliationCounts {
  /** One message for each payment that the facilitator reported as settled and the chain does not confirm. */
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
 * Compares payments with the chains of all configured networks. It checks payments whose settlement has an unknown
 * outcome and payments that the facilitator reported as settled.
 */
export async function reconcile(context: ReconcileContext): Promise<ReconcileSummary> {
  let total = EMPTY_RECONCILE_SUMMARY;
  for (const chain of context.chains ?? []) {
    total = addReconciled(total, await reconcileChain(context, chain));
  }
  return total;
}

/**
 * Compares the payments of one network with its chain. After the deadline, the remaining payments count as `open` and
 * keep their state. A later run compares them.
 */
export async function reconcileChain(
  { db, now }: Pick<ReconcileContext, 'db' | 'now'>,
  { providers }: ChainSource,
  { signal }: DeadlineOptions = {},
): Promise<ReconcileSummary> {
  const disputes: string[] = [];
  const onError = (message: string) => void disputes.push(message);
  const chain = limitProviders(providers, signal);
  const counts = await reconcilePayments({ db, chain, now, onError });
  return disputes.length === 0 ? counts : { ...counts, disputes };
}

/** Adds two results. `disputes` is present only if one of the results has disputes. */
export function addReconciled(one: ReconcileSummary, other: ReconcileSummary): ReconcileSummary {
  const disputes = [...(one.disputes ?? []), ...(other.disputes ?? [])];
  const total = { ...EMPTY_RECONCILE_SUMMARY };
  for (const count of COUNTS) total[count] = one[count] + other[count];
  return disputes.length === 0 ? total : { ...total, disputes };
}
