import { reconcilePayments, type ReconciliationCounts } from '@touchstone/payment';
import type { PipelineContext } from '../context.ts';
import { addCounts } from '../add-counts.ts';
import { runStep, type StepContext } from '../steps.ts';
import { limitProviders, type ChainSource } from '../chain-source.ts';

type ReconcileContext = Pick<PipelineContext, 'db' | 'chains' | 'now' | 'logError'> & StepContext;

/** Result of a reconciliation, which is logged for the operator. */
export interface ReconcileSummary extends ReconciliationCounts {
  /** One message for each payment that the facilitator reported as settled and that the chain does not confirm. */
  readonly disputes?: readonly string[];
}

/**
 * Compares payments with the chains of all configured networks: open payments, whose settlement has an unknown outcome,
 * and payments that are recorded as settled or failed. Each network is one step.
 */
export async function reconcile(context: ReconcileContext): Promise<ReconcileSummary> {
  let total: ReconciliationCounts = { settled: 0, failed: 0, audited: 0, disputed: 0, open: 0 };
  const disputes: string[] = [];
  for (const chain of context.chains ?? []) {
    const summary = await runStep(context, `reconcile ${chain.providers.network}`, () =>
      reconcileChain(context, chain),
    );
    total = addCounts(total, summary);
    disputes.push(...(summary.disputes ?? []));
  }
  return disputes.length === 0 ? total : { ...total, disputes };
}

/**
 * Compares the payments of one network with its chain. After the deadline, the remaining payments count as `open` and
 * keep their state. A later run compares the remaining payments.
 */
export async function reconcileChain(
  { db, now, signal, logError }: Omit<ReconcileContext, 'chains'>,
  { providers }: ChainSource,
): Promise<ReconcileSummary> {
  const disputes: string[] = [];
  const onError = (message: string): void => {
    disputes.push(message);
    logError?.(message);
  };
  const chain = limitProviders(providers, signal);
  const counts = await reconcilePayments({ db, chain, now, onError });
  return disputes.length === 0 ? counts : { ...counts, disputes };
}
