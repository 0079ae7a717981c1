import {
  claimDueEndpoints,
  countDueSlots,
  releaseLeases,
  resetDistantSlots,
  type ClaimedEndpoint,
} from '@touchstone/store';
import { addCounts } from '../add-counts.ts';
import type { PipelineContext } from '../context.ts';
import { processRateLimiter } from '../host-rate-limiter.ts';
import { NOTHING_RECORDED } from './record.ts';
import {
  DEFAULT_DEADLINE_SECONDS,
  probeClaimed,
  type ProbedSummary,
  type ProbeLimits,
} from './probe-claimed.ts';

export interface BatchLimits extends ProbeLimits {
  /** Maximum number of probe slots claimed per batch. */
  readonly batchSize: number;
  /**
   * Duration of the leases on claimed slots, in seconds. The leases must be longer than a batch. Otherwise another
   * worker could claim and probe the same slots.
   */
  readonly leaseSeconds: number;
}

export const DEFAULT_BATCH_LIMITS: BatchLimits = {
  batchSize: 500,
  inFlight: 48,
  perHost: 2,
  leaseSeconds: 300,
};

/**
 * Maximum number of batches per run. 200 batches probe up to 100,000 slots, which is enough for a million endpoints.
 */
const MAX_BATCHES = 200;

/**
 * Time after which a run of `probeDue` starts no further batch, in milliseconds. The run of the next minute would be
 * skipped if this run were still active.
 */
const MAX_RUN_MS = 45_000;

export interface BatchSummary extends ProbedSummary {
  readonly claimed: number;
}

const EMPTY_BATCH: BatchSummary = {
  claimed: 0,
  ...NOTHING_RECORDED,
  released: 0,
  skipped: 0,
  excluded: 0,
  latenciesDropped: 0,
  lagMsP99: 0,
};

export interface DueSummary extends BatchSummary {
  readonly batches: number;
}

/**
 * Probes due endpoints batch by batch, for a scheduler that calls this function once a minute. The run ends when no
 * slot is due, after 45 seconds, or when a batch recorded nothing, because the next batch would claim the same slots
 * again.
 */
export async function probeDue(
  context: PipelineContext,
  limits: BatchLimits = DEFAULT_BATCH_LIMITS,
): Promise<DueSummary> {
  const until = context.now() + MAX_RUN_MS;
  await resetDistantSlots(context.db, context.now());
  let total = { batches: 1, ...(await probeBatch(context, limits)) };
  let last: BatchSummary = total;
  while (last.recorded > 0 && context.now() < until) {
    last = await probeBatch(context, limits);
    const batches = total.batches + (last.claimed > 0 ? 1 : 0);
    total = { ...addBatches(total, last), batches };
  }
  return total;
}

/** Combines two batches: adds the counts, and takes the higher lag. */
function addBatches(one: BatchSummary, other: BatchSummary): BatchSummary {
  return { ...addCounts(one, other), lagMsP99: Math.max(one.lagMsP99, other.lagMsP99) };
}

/**
 * Counts the due slots and the batches needed to probe them. First, slots that were planned before the clock was set
 * back are planned again, because such slots can be hours in the future.
 */
export async function countBatches(
  context: PipelineContext,
  limits: Pick<BatchLimits, 'batchSize' | 'deadlineSeconds'> = DEFAULT_BATCH_LIMITS,
): Promise<{ due: number; batches: number }> {
  await resetDistantSlots(context.db, context.now());
  const hostLimit = toHostLimit(context, limits);
  const due = await countDueSlots(context.db, { now: context.now(), hostLimit });
  return { due, batches: Math.min(Math.ceil(due / limits.batchSize), MAX_BATCHES) };
}

/**
 * Claims, probes and records one batch. Each batch claims its own slots in the database, so two batches never probe the
 * same slot.
 *
 * When a batch fails, all leases of `context.owner` are released, and the remaining slots are due again immediately.
 * The owner must therefore hold no other batch at the same time. When the process dies, the slots are due again after
 * their leases expire.
 */
export async function probeBatch(
  context: PipelineContext,
  limits: BatchLimits = DEFAULT_BATCH_LIMITS,
): Promise<BatchSummary> {
  try {
    return await claimAndProbe(context, limits);
  } catch (error) {
    // An error of the release is ignored, so that the first error is reported. Without a database, the leases expire.
    await releaseLeases(context.db, context.owner).catch(() => 0);
    throw error;
  }
}

/** Claims, probes and records one batch. The leases are not released when the batch fails. */
export async function claimAndProbe(
  context: PipelineContext,
  limits: BatchLimits = DEFAULT_BATCH_LIMITS,
): Promise<BatchSummary> {
  const claimed = await claimDueSlots(context, limits);
  if (claimed.length === 0) return EMPTY_BATCH;
  return { claimed: claimed.length, ...(await probeClaimed(context, claimed, limits)) };
}

/**
 * Claims due slots. The number of slots per host is limited to what the rate limit of the host allows before the
 * deadline.
 */
export function claimDueSlots(
  context: PipelineContext,
  limits: BatchLimits,
): Promise<readonly ClaimedEndpoint[]> {
  const { perHostPerSecond } = context.rateLimiter ?? processRateLimiter;
  return claimDueEndpoints(context.db, {
    owner: context.owner,
    now: context.now(),
    limit: limits.batchSize,
    leaseSeconds: limits.leaseSeconds,
    hostSuffix: context.hostSuffix,
    hostLimit: toHostLimit(context, limits),
    hostPerSecond: perHostPerSecond,
    rechecksOnly: limits.isRecheck ?? false,
  });
}

/**
 * Returns the maximum number of slots of one host per batch: the number that its rate limit allows before the deadline.
 */
function toHostLimit(
  { rateLimiter = processRateLimiter }: Pick<PipelineContext, 'rateLimiter'>,
  limits: Pick<BatchLimits, 'batchSize' | 'deadlineSeconds'>,
): number {
  const seconds = limits.deadlineSeconds ?? DEFAULT_DEADLINE_SECONDS;
  const allowed = Math.floor(rateLimiter.perHostPerSecond * seconds);
  return Math.min(Math.max(1, allowed), limits.batchSize);
}

/**
 * Interval between two recheck runs, in seconds. A recheck is due at most 45 seconds after the failed probe, so every
 * recheck runs within a minute.
 */
export const RECHECK_INTERVAL_SECONDS = 10;

/**
 * Limits of one recheck run. Slots that are not probed before the deadline are released, and the next run claims them.
 */
const RECHECK_LIMITS: BatchLimits = {
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
  return claimAndProbe({ ...context, owner: toRecheckOwner(context.owner) }, RECHECK_LIMITS);
}
