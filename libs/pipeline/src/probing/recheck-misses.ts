import { releaseLeases } from '@touchstone/store';
import type { PipelineContext } from '../context.ts';
import { claimAndProbe, type BatchLimits, type BatchSummary } from './probe-due.ts';

/**
 * Interval between two recheck runs, in seconds. A recheck is due at most 45 seconds after the failed probe, so it runs
 * within a minute.
 */
export const RECHECK_INTERVAL_SECONDS = 10;

/**
 * Limits of one recheck run. Slots that are not probed before the deadline are released, and the next run claims them.
 */
const LIMITS: BatchLimits = {
  batchSize: 500,
  inFlight: 48,
  perHost: 2,
  leaseSeconds: 60,
  deadlineSeconds: 15,
  sliceSeconds: 5,
  isRecheck: true,
};

/** Returns the name under which a worker owns the leases of its rechecks. */
const toRecheckOwner = (owner: string): string => `${owner}-rechecking`;

/** Releases all leases of a worker that has ended: the leases of its batches and of its rechecks. */
export async function releaseAbandonedLeases({
  db,
  owner,
}: Pick<PipelineContext, 'db' | 'owner'>): Promise<void> {
  await releaseLeases(db, owner);
  await releaseLeases(db, toRecheckOwner(owner));
}

/**
 * Rechecks endpoints soon after a first failed probe, without waiting for the next batch. Runs may overlap each other
 * and a batch. The leases of rechecks have a different owner, so a failing batch does not release them.
 */
export function recheckMisses(context: PipelineContext): Promise<BatchSummary> {
  return claimAndProbe({ ...context, owner: toRecheckOwner(context.owner) }, LIMITS);
}
