import { countDueSlots, releaseLeases } from '@touchstone/store';
import type { PipelineContext } from './context.ts';
import { addSweeps, hostLimitOf, sweep, SWEEP_LIMITS, type SweepLimits, type SweepSummary } from './sweep.ts';

/** Batches of one sweep at most: 100,000 slots, which is more than falls due in a minute at a million endpoints. */
const MAX_BATCHES = 200;

/** How many batches would take everything that is due now. */
export async function countBatches(
  context: PipelineContext,
  limits: Pick<SweepLimits, 'batch' | 'deadlineSeconds'> = SWEEP_LIMITS,
): Promise<{ due: number; batches: number }> {
  const hostLimit = hostLimitOf(context, limits);
  const due = await countDueSlots(context.db, { now: context.now(), hostLimit });
  return { due, batches: Math.min(Math.ceil(due / limits.batch), MAX_BATCHES) };
}

/**
 * One batch, from claim to record. The batch claims for itself, so nothing has to be carried to it, and two of them can
 * never hold the same slot. When it fails, what it still holds is due again at once; when the process dies, the leases
 * run out. The context's owner must hold no other batch at the same time.
 */
export async function probeBatch(
  context: PipelineContext,
  limits: SweepLimits = SWEEP_LIMITS,
): Promise<SweepSummary> {
  try {
    return await sweep(context, limits);
  } catch (error) {
    // The first failure is the one to report; a database that is gone fails here too, and the leases run out.
    await releaseLeases(context.db, context.owner).catch(() => 0);
    throw error;
  }
}

/** A sweep begins no batch after this, so that the next minute's sweep is not missed. */
const SWEEP_MS = 45_000;

export interface DueSummary extends SweepSummary {
  readonly batches: number;
}

/**
 * Probes what is due, batch after batch, for a scheduler that calls once a minute. It ends when nothing is due, when a
 * batch got nothing done (what cannot be asked now would only be claimed again), or when its time is up.
 */
export async function probeDue(
  context: PipelineContext,
  limits: SweepLimits = SWEEP_LIMITS,
): Promise<DueSummary> {
  const until = context.now() + SWEEP_MS;
  let total = { batches: 1, ...(await probeBatch(context, limits)) };
  let last: SweepSummary = total;
  while (last.recorded > 0 && context.now() < until) {
    last = await probeBatch(context, limits);
    if (last.claimed > 0) total = { batches: total.batches + 1, ...addSweeps(total, last) };
  }
  return total;
}
