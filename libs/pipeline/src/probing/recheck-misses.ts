import { releaseLeases } from '@touchstone/store';
import type { PipelineContext } from '../context.ts';
import type { BatchSummary } from './batch-summary.ts';
import { claimAndProbe, type BatchLimits } from './probe-due.ts';

/** Interval between two recheck runs. A recheck is due 45 seconds after the miss at most, so it runs within a minute. */
export const RECHECK_INTERVAL_SECONDS = 10;

/** Limits of one run. Slots that are not probed before its deadline are released, and the next run claims them. */
const LIMITS: BatchLimits = {
  batchSize: 500,
  inFlight: 48,
  perHost: 2,
  leaseSeconds: 60,
  deadlineSeconds: 15,
  sliceSeconds: 5,
  isRecheck: true,
};

/** Returns the lease owner under which a worker holds rechecks. */
const toRecheckOwner = (owner: string): string => `${owner}-rechecking`;

/** Releases the leases of a worker that has ended: those of its batches and those of its rechecks. */
export async function releaseAbandonedLeases({
  db,
  owner,
}: Pick<PipelineContext, 'db' | 'owner'>): Promise<void> {
  await releaseLeases(db, owner);
  await releaseLeases(db, toRecheckOwner(owner));
}

/**
 * Probes endpoints again after a first miss, as soon as their recheck is due, without waiting for the next batch. Runs may
 * overlap each other and a batch: each run holds its own leases, and a failing batch does not release them.
 */
export function recheckMisses(context: PipelineContext): Promise<BatchSummary> {
  return claimAndProbe({ ...context, owner: toRecheckOwner(context.owner) }, LIMITS);
}
