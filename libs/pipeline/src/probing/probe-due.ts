import { claimDueEndpoints, countDueSlots, releaseLeases, type ClaimedEndpoint } from '@touchstone/store';
import type { PipelineContext } from '../context.ts';
import { addBatchSummaries, EMPTY_BATCH, type BatchSummary } from './batch-summary.ts';
import { processRateLimiter } from './host-rate-limiter.ts';
import { DEFAULT_DEADLINE_SECONDS, probeClaimed, type ProbeLimits } from './probe-claimed.ts';

export interface BatchLimits extends ProbeLimits {
  /** Maximum number of slots claimed at once. */
  readonly batchSize: number;
  /** Duration of the leases. It must exceed the duration of a batch, or two workers probe the same slots. */
  readonly leaseSeconds: number;
}

export const DEFAULT_BATCH_LIMITS: BatchLimits = {
  batchSize: 500,
  inFlight: 48,
  perHost: 2,
  leaseSeconds: 300,
};

/** Maximum number of batches per run: 100,000 slots, more than fall due per minute at a million endpoints. */
const MAX_BATCHES = 200;

/** Time after which a run of `probeDue` starts no further batch, so that the run of the next minute is not skipped. */
const MAX_RUN_MS = 45_000;

export interface DueSummary extends BatchSummary {
  readonly batches: number;
}

/**
 * Probes due endpoints batch by batch, for a scheduler that calls it once a minute. It ends when no slot is due, when a
 * batch recorded nothing (the next one would claim the same slots again), or after 45 seconds.
 */
export async function probeDue(
  context: PipelineContext,
  limits: BatchLimits = DEFAULT_BATCH_LIMITS,
): Promise<DueSummary> {
  const until = context.now() + MAX_RUN_MS;
  let total = { batches: 1, ...(await probeBatch(context, limits)) };
  let last: BatchSummary = total;
  while (last.recorded > 0 && context.now() < until) {
    last = await probeBatch(context, limits);
    if (last.claimed > 0) total = { batches: total.batches + 1, ...addBatchSummaries(total, last) };
  }
  return total;
}

/** Counts the due slots and the batches that are needed to probe them. */
export async function countBatches(
  context: PipelineContext,
  limits: Pick<BatchLimits, 'batchSize' | 'deadlineSeconds'> = DEFAULT_BATCH_LIMITS,
): Promise<{ due: number; batches: number }> {
  const hostLimit = toHostLimit(context, limits);
  const due = await countDueSlots(context.db, { now: context.now(), hostLimit });
  return { due, batches: Math.min(Math.ceil(due / limits.batchSize), MAX_BATCHES) };
}

/**
 * Claims, probes and records one batch. A batch claims its own slots, so two batches never hold the same slot and no slot
 * list has to be transferred. When it fails, its remaining slots are due again at once; when the process dies, their
 * leases expire. The context's owner must hold no other batch at the same time.
 */
export async function probeBatch(
  context: PipelineContext,
  limits: BatchLimits = DEFAULT_BATCH_LIMITS,
): Promise<BatchSummary> {
  try {
    return await claimAndProbe(context, limits);
  } catch (error) {
    // Reports the first failure. Without a database the release fails too, and the leases expire.
    await releaseLeases(context.db, context.owner).catch(() => 0);
    throw error;
  }
}

/** Claims, probes and records one batch, without a release of its leases on failure. */
export async function claimAndProbe(
  context: PipelineContext,
  limits: BatchLimits = DEFAULT_BATCH_LIMITS,
): Promise<BatchSummary> {
  const claimed = await claimDueSlots(context, limits);
  if (claimed.length === 0) return EMPTY_BATCH;
  return { claimed: claimed.length, ...(await probeClaimed(context, claimed, limits)) };
}

/** Claims due slots, of each host at most as many as its rate limit allows before the deadline. */
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

/** Returns the maximum number of slots of one host per batch: those that its rate limit allows before the deadline. */
function toHostLimit(
  { rateLimiter = processRateLimiter }: Pick<PipelineContext, 'rateLimiter'>,
  limits: Pick<BatchLimits, 'batchSize' | 'deadlineSeconds'>,
): number {
  const seconds = limits.deadlineSeconds ?? DEFAULT_DEADLINE_SECONDS;
  const allowed = Math.floor(rateLimiter.perHostPerSecond * seconds);
  return Math.min(Math.max(1, allowed), limits.batchSize);
}
