import { queueAgedSnapshots } from '@touchstone/store';
import { addCounts } from '../add-counts.ts';
import { SNAPSHOT_MAX_AGE_SECONDS, type PipelineContext } from '../context.ts';
import { refreshTotals } from '../statistics/record-statistics.ts';
import { scoreBatch, type BatchScores, type ScoreFailure } from './score-batch.ts';

/**
 * Number of endpoints per batch. While a batch is computed, the process cannot serve its web pages, so the batch must
 * be short.
 */
const BATCH_SIZE = 250;
/** Maximum number of batches per run: 100 batches of 250 score 25,000 endpoints. The next run scores the rest. */
const MAX_BATCHES = 100;
/**
 * Maximum number of old snapshots queued per run. At a million endpoints, 700 snapshots a minute become older than 24
 * hours.
 */
const MAX_AGED_PER_RUN = 5_000;
const MAX_LISTED_FAILURES = 10;

export interface ScoreSummary {
  readonly scored: number;
  readonly changed: number;
  /** Number of endpoints that could not be scored. They are scored again after an hour. */
  readonly failed: number;
  /** The first failures with their reasons, at most 10. */
  readonly failures: readonly ScoreFailure[];
}

export const EMPTY_SCORE_SUMMARY: ScoreSummary = { scored: 0, changed: 0, failed: 0, failures: [] };

/** Creates the summary of one batch. */
export function toScoreSummary({ scored, changed, failures }: BatchScores): ScoreSummary {
  return { scored, changed, failed: failures.length, failures: failures.slice(0, MAX_LISTED_FAILURES) };
}

/** Adds two summaries. */
export function addScoreSummaries({ failures, ...counts }: ScoreSummary, other: ScoreSummary): ScoreSummary {
  return {
    ...addCounts(counts, other),
    failures: [...failures, ...other.failures].slice(0, MAX_LISTED_FAILURES),
  };
}

/** Queues endpoints whose snapshot is older than 24 hours for scoring. Returns the number of queued endpoints. */
export function queueAged({ db, now }: PipelineContext): Promise<number> {
  return queueAgedSnapshots(db, {
    now: now(),
    maxAgeSeconds: SNAPSHOT_MAX_AGE_SECONDS,
    limit: MAX_AGED_PER_RUN,
  });
}

/**
 * Scores endpoints that changed since their last score, and endpoints whose snapshot is older than 24 hours. It scores
 * them in batches, each at its own current time. The number of batches is limited, because endpoints may be queued as
 * fast as they are scored. Then it updates the statistics of all endpoints.
 */
export async function scoreChanged(
  context: PipelineContext,
  maxBatches: number = MAX_BATCHES,
): Promise<ScoreSummary> {
  await queueAged(context);
  let sum = EMPTY_SCORE_SUMMARY;
  for (let count = 0; count < maxBatches; count += 1) {
    const batch = await scoreBatch(context, BATCH_SIZE);
    sum = addScoreSummaries(sum, toScoreSummary(batch));
    if (!batch.more) break;
  }
  await refreshTotals(context);
  return sum;
}
