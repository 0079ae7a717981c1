import { DAY_MS } from '@touchstone/common';
import { ECOSYSTEM_EVENT_DAYS } from '@touchstone/contract';
import {
  deleteUnusedTexts,
  maintainPartitions,
  pruneEcosystemDays,
  pruneEcosystemEvents,
  pruneExpired,
  pruneHostQueues,
  prunePayments,
  pruneRateLimits,
  pruneSettlements,
  pruneWatchAttempts,
  StoreError,
} from '@touchstone/store';
import { addCounts } from '../add-counts.ts';
import { RETENTION_DAYS, type PipelineContext } from '../context.ts';
import type { DeadlineOptions } from '../run-until-aborted.ts';

/** Maximum number of rows deleted per call, so that no call holds locks for long. */
const PRUNE_BATCH_SIZE = 5000;
/** Retention of the delivery attempts of watches, in days. */
const ATTEMPT_RETENTION_DAYS = 30;
/** Retention of the daily figures of all endpoints, in days: a year and some more days. */
const STATISTICS_RETENTION_DAYS = 400;

export interface MaintainSummary {
  /** Numbers of day partitions that were created and dropped. */
  readonly created: number;
  readonly dropped: number;
  /** Numbers of deleted daily rollups, daily scores, challenges and changes of endpoints. */
  readonly rollups: number;
  readonly scores: number;
  readonly challenges: number;
  readonly changes: number;
  /** Numbers of deleted settlements and of deleted daily sums of settlements. */
  readonly settlements: number;
  readonly sums: number;
  /** Number of deleted probe queues of hosts that have no endpoints. */
  readonly hostQueues: number;
  /** Number of deleted days of the statistics of all endpoints. */
  readonly statistics: number;
  /** Number of deleted texts, with their vectors, that no endpoint uses. */
  readonly texts: number;
  /**
   * Numbers of deleted results of settled payments, of deleted payments without a settlement, and of deleted rate-limit
   * windows that had ended.
   */
  readonly results: number;
  readonly payments: number;
  readonly windows: number;
  /** Number of deleted delivery attempts of watches. */
  readonly attempts: number;
  /** Number of deleted ecosystem events. */
  readonly events: number;
  /** Error of the deletion of texts; absent without an error. */
  readonly failure?: string;
  /** True when the deadline was reached and expired rows may be left; otherwise absent. */
  readonly more?: true;
}

/**
 * Creates the partitions of the next three days, drops partitions that are older than the retention period, and deletes
 * other expired rows in batches. At last, deletes texts that no endpoint uses. An error there is only returned,
 * because the service also works with these texts. After the deadline, the remaining rows are left to the next call.
 */
export async function maintain(
  context: Pick<PipelineContext, 'db' | 'now'>,
  { signal }: DeadlineOptions = {},
): Promise<MaintainSummary> {
  const { db } = context;
  const now = context.now();
  const keepFrom = now - RETENTION_DAYS * DAY_MS;
  const partitions = await maintainPartitions(db, { from: now, to: now + 3 * DAY_MS, keepFrom });
  const hostQueues = await pruneHostQueues(db);
  const statistics = await pruneEcosystemDays(db, now - STATISTICS_RETENTION_DAYS * DAY_MS);
  const pruned = await pruneInBatches(createPruneCalls(db, { now, keepFrom }), signal);
  return { ...pruned, ...partitions, hostQueues, statistics, ...(await deleteTexts(db, signal)) };
}

/** Adds the results of two calls. `failure` and `more` are those of the later call. */
export function addMaintainSummaries(one: MaintainSummary, next: MaintainSummary): MaintainSummary {
  return { ...next, ...addCounts(addCounts(NOTHING_CHANGED, one), next) };
}

async function deleteTexts(
  db: PipelineContext['db'],
  signal: AbortSignal | undefined,
): Promise<Pick<MaintainSummary, 'texts' | 'failure' | 'more'>> {
  let texts = 0;
  try {
    for (;;) {
      if (signal?.aborted === true) return { texts, more: true };
      const deleted = await deleteUnusedTexts(db, { limit: PRUNE_BATCH_SIZE });
      texts += deleted;
      if (deleted < PRUNE_BATCH_SIZE) return { texts };
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { texts, failure: error.message };
  }
}

/** Counts of a call that changed nothing. */
const NOTHING_CHANGED = {
  created: 0,
  dropped: 0,
  rollups: 0,
  scores: 0,
  challenges: 0,
  changes: 0,
  settlements: 0,
  sums: 0,
  hostQueues: 0,
  statistics: 0,
  texts: 0,
  results: 0,
  payments: 0,
  windows: 0,
  attempts: 0,
  events: 0,
};
type MaintainCounts = Record<keyof typeof NOTHING_CHANGED, number>;

/** Deletes at most {@link PRUNE_BATCH_SIZE} expired rows of each of its kinds. Returns the numbers of deleted rows. */
type PruneCall = () => Promise<Partial<MaintainCounts>>;

function createPruneCalls(
  db: PipelineContext['db'],
  { now, keepFrom }: { readonly now: number; readonly keepFrom: number },
): readonly PruneCall[] {
  const limit = PRUNE_BATCH_SIZE;
  const attemptsBefore = now - ATTEMPT_RETENTION_DAYS * DAY_MS;
  const eventsFrom = now - ECOSYSTEM_EVENT_DAYS * DAY_MS;
  return [
    () => pruneExpired(db, { keepFrom, limit }),
    () => pruneSettlements(db, { keepFrom, limit }),
    () => prunePayments(db, { now, limit }),
    async () => ({ windows: await pruneRateLimits(db, { now, limit }) }),
    async () => ({ attempts: await pruneWatchAttempts(db, { before: attemptsBefore, limit }) }),
    async () => ({ events: await pruneEcosystemEvents(db, { keepFrom: eventsFrom, limit }) }),
  ];
}

/** Repeats each call until it deletes less than a full batch, or the signal is aborted. Each round runs each pending call once. */
async function pruneInBatches(
  calls: readonly PruneCall[],
  signal: AbortSignal | undefined,
): Promise<MaintainCounts> {
  let pruned: MaintainCounts = NOTHING_CHANGED;
  let pending = calls;
  while (pending.length > 0) {
    const unfinished: PruneCall[] = [];
    for (const call of pending) {
      if (signal?.aborted === true) return pruned;
      const deleted = await call();
      pruned = addCounts(pruned, deleted);
      if (Math.max(...Object.values(deleted)) >= PRUNE_BATCH_SIZE) unfinished.push(call);
    }
    pending = unfinished;
  }
  return pruned;
}
