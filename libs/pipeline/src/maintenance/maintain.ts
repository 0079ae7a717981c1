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
import { RETENTION_DAYS, type PipelineContext } from '../context.ts';

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
  /** Number of deleted texts, with their vectors, that no endpoint has any more. */
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
}

/**
 * Creates the partitions of the next three days, drops partitions that are older than the retention period, and deletes
 * other expired rows in batches. At last, deletes texts that no endpoint has any more. An error there is only returned,
 * because the service also works with these texts.
 */
export async function maintain(context: PipelineContext): Promise<MaintainSummary> {
  const now = context.now();
  const keepFrom = now - RETENTION_DAYS * DAY_MS;
  const partitions = await maintainPartitions(context.db, { from: now, to: now + 3 * DAY_MS, keepFrom });
  const hostQueues = await pruneHostQueues(context.db);
  const pruned = { ...NOTHING_PRUNED };
  for (;;) {
    const step = await pruneBatch(context.db, { now, keepFrom, limit: PRUNE_BATCH_SIZE });
    for (const kind of PRUNED_KINDS) pruned[kind] += step[kind];
    if (Math.max(...Object.values(step)) < PRUNE_BATCH_SIZE) break;
  }
  const statistics = await pruneEcosystemDays(context.db, now - STATISTICS_RETENTION_DAYS * DAY_MS);
  return { ...partitions, hostQueues, ...pruned, statistics, ...(await deleteTexts(context.db)) };
}

async function deleteTexts(db: PipelineContext['db']): Promise<Pick<MaintainSummary, 'texts' | 'failure'>> {
  let texts = 0;
  try {
    for (;;) {
      const deleted = await deleteUnusedTexts(db, { limit: PRUNE_BATCH_SIZE });
      texts += deleted;
      if (deleted < PRUNE_BATCH_SIZE) return { texts };
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { texts, failure: error.message };
  }
}

const NOTHING_PRUNED = {
  rollups: 0,
  scores: 0,
  challenges: 0,
  changes: 0,
  settlements: 0,
  sums: 0,
  results: 0,
  payments: 0,
  windows: 0,
  attempts: 0,
  events: 0,
};
type Pruned = Record<keyof typeof NOTHING_PRUNED, number>;
// The cast is safe, because `NOTHING_PRUNED` is an object literal with exactly these keys.
const PRUNED_KINDS = Object.keys(NOTHING_PRUNED) as (keyof Pruned)[];

interface PruneBatch {
  readonly now: number;
  readonly keepFrom: number;
  readonly limit: number;
}

async function pruneBatch(db: PipelineContext['db'], { now, keepFrom, limit }: PruneBatch): Promise<Pruned> {
  return {
    ...(await pruneExpired(db, { keepFrom, limit })),
    ...(await pruneSettlements(db, { keepFrom, limit })),
    ...(await prunePayments(db, { now, limit })),
    windows: await pruneRateLimits(db, { now, limit }),
    attempts: await pruneWatchAttempts(db, { before: now - ATTEMPT_RETENTION_DAYS * DAY_MS, limit }),
    events: await pruneEcosystemEvents(db, { keepFrom: now - ECOSYSTEM_EVENT_DAYS * DAY_MS, limit }),
  };
}
