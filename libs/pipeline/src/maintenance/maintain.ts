import { DAY_MS } from '@touchstone/common';
import { ECOSYSTEM_EVENT_DAYS } from '@touchstone/contract';
import {
  deleteUnusedTexts,
  KEPT_CHECK_MS,
  createPartitions,
  packObservations,
  pruneHostQueues,
  prunePayments,
  pruneRows,
  pruneSettlements,
  StoreError,
} from '@touchstone/store';
import { RETENTION_DAYS, type PipelineContext } from '../context.ts';
import { addCounts } from '../add-counts.ts';
import { runBatches, type StepContext } from '../steps.ts';

/** Maximum number of rows deleted per call, so that no call holds locks for long. */
const PRUNE_BATCH_SIZE = 5000;
/** Maximum number of endpoints whose day is packed per call. A call takes about 0.3 seconds. */
const PACK_BATCH_SIZE = 2000;
/** Retention of the delivery attempts of watches, in days. */
const ATTEMPT_RETENTION_DAYS = 30;
/** Retention of maintenance windows after their end, in days. The hours of the last 30 days are limited. */
const MAINTENANCE_RETENTION_DAYS = 40;
/** Retention of the daily figures of all endpoints, in days: slightly more than a year. */
const STATISTICS_RETENTION_DAYS = 400;

/**
 * Maximum number of parts of a run. Ten parts take at most 45 minutes. The run of the next day deletes the remaining
 * rows.
 */
const MAX_PARTS = 10;

/** Counts of a run that changed nothing: created day partitions, packed days of endpoints, and deleted rows by table. */
const NOTHING_CHANGED = {
  ...{ created: 0, packed: 0, hostQueues: 0 },
  ...{
    challenges: 0,
    changes: 0,
    checks: 0,
    daily_rollups: 0,
    daily_scores: 0,
    ecosystem_days: 0,
    ecosystem_events: 0,
    maintenance_windows: 0,
  },
  ...{ packed_observations: 0, rate_limits: 0, settlements: 0, wallet_facilitators: 0, wallet_payer_days: 0 },
  ...{ wallet_sent_days: 0, watch_attempts: 0 },
  /** Deleted texts that no endpoint uses. Their vectors are deleted too. */
  texts: 0,
  /** Deleted results of settled payments, and deleted payments without a settlement. */
  ...{ results: 0, payments: 0 },
};
type MaintainCounts = Readonly<Record<keyof typeof NOTHING_CHANGED, number>>;

export interface MaintainSummary extends MaintainCounts {
  /** Error of the deletion of texts; absent without an error. */
  readonly failure?: string;
  /** True when the deadline was reached and expired rows may be left; otherwise absent. */
  readonly more?: true;
}

type MaintainContext = Pick<PipelineContext, 'db' | 'now'> & StepContext;

/**
 * Creates the partitions of the next three days, packs the observations of the days before yesterday, and deletes all
 * expired rows. When a part of a run reaches its deadline, the next part continues the work.
 */
export async function maintain(context: MaintainContext): Promise<MaintainSummary> {
  const parts = await runBatches(context, {
    name: 'maintain part',
    max: MAX_PARTS,
    run: () => maintainPart(context),
    isLast: ({ more }) => more !== true,
  });
  const counts = parts.reduce(
    (sum, { failure: _failure, more: _more, ...part }) => addCounts(sum, part),
    NOTHING_CHANGED,
  );
  const { failure, more } = parts.at(-1) ?? {};
  return {
    ...counts,
    ...(failure === undefined ? {} : { failure }),
    ...(more === undefined ? {} : { more }),
  };
}

/**
 * Runs one part until all expired rows are deleted, or until the deadline. The rows are deleted in batches. Texts that
 * no endpoint uses are deleted last. An error of this deletion is only returned, because the service also works with
 * unused texts.
 */
async function maintainPart({ db, now: readTime, signal }: MaintainContext): Promise<MaintainSummary> {
  const now = readTime();
  const keepFrom = now - RETENTION_DAYS * DAY_MS;
  const created = await createPartitions(db, { from: now, to: now + 3 * DAY_MS });
  const packed = await packDays(db, now - DAY_MS, signal);
  const hostQueues = await pruneHostQueues(db);
  const pruned = await pruneInBatches(createPruneCalls(db, { now, keepFrom }), signal);
  return { ...pruned, created, packed, hostQueues, ...(await deleteTexts(db, signal)) };
}

/**
 * Packs the observations of all days before the day of `before`, until the signal is aborted. Returns the number of
 * packed days of endpoints.
 */
async function packDays(
  db: PipelineContext['db'],
  before: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  let packed = 0;
  while (signal?.aborted !== true) {
    const count = await packObservations(db, { before, limit: PACK_BATCH_SIZE });
    if (count === null) break;
    packed += count;
  }
  return packed;
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

/**
 * Function that deletes at most {@link PRUNE_BATCH_SIZE} expired rows of each of its tables. Resolves to the numbers of
 * deleted rows.
 */
type PruneCall = () => Promise<Partial<MaintainCounts>>;

function createPruneCalls(
  db: PipelineContext['db'],
  { now, keepFrom }: { readonly now: number; readonly keepFrom: number },
): readonly PruneCall[] {
  const limit = PRUNE_BATCH_SIZE;
  const firstDay = Math.floor(keepFrom / DAY_MS) * DAY_MS;
  const keepRowsFrom = {
    buyer_outcomes: keepFrom,
    // The time of the last observation of a challenge is accurate to one day.
    challenges: firstDay - DAY_MS,
    changes: firstDay,
    checks: now - KEPT_CHECK_MS,
    daily_rollups: firstDay,
    daily_scores: firstDay,
    ecosystem_days: now - STATISTICS_RETENTION_DAYS * DAY_MS,
    ecosystem_events: now - ECOSYSTEM_EVENT_DAYS * DAY_MS,
    maintenance_windows: now - MAINTENANCE_RETENTION_DAYS * DAY_MS,
    packed_observations: firstDay,
    rate_limits: now,
    wallet_facilitators: keepFrom,
    wallet_payer_days: firstDay,
    wallet_sent_days: firstDay,
    watch_attempts: now - ATTEMPT_RETENTION_DAYS * DAY_MS,
  };
  return [
    () => pruneRows(db, keepRowsFrom, limit),
    async () => ({ settlements: await pruneSettlements(db, { keepFrom, limit }) }),
    () => prunePayments(db, { now, limit }),
  ];
}

/**
 * Repeats each call until the call deletes less than a full batch, or the signal is aborted. Each round runs each
 * pending call once.
 */
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
