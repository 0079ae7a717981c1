import { queueAgedSnapshots } from '@touchstone/store';
import { SNAPSHOT_MAX_AGE_SECONDS, type PipelineContext } from '../context.ts';
import { scoreBatch, type BatchScores, type ScoreFailure } from './score-batch.ts';

/** Endpoints per batch. A batch blocks the process meanwhile, and with it the pages that it serves. */
const BATCH_SIZE = 250;
/** Maximum number of batches per run: 25,000 endpoints. The next run scores the rest. */
const MAX_BATCHES = 100;
/** Maximum number of aged snapshots queued per run. At a million endpoints, 700 reach that age per minute. */
const MAX_AGED_PER_RUN = 5_000;
const MAX_LISTED_FAILURES = 10;

export interface ScoreSummary {
  readonly scored: number;
  readonly changed: number;
  /** Number of endpoints that could not be scored. They are tried again after an hour. */
  readonly failed: number;
  /** The first failures with their reasons, at most 10. */
  readonly failures: readonly ScoreFailure[];
}

export const EMPTY_SCORE_SUMMARY: ScoreSummary = { scored: 0, changed: 0, failed: 0, failures: [] };

/** Adds one batch to the summary of a run. */
export function addBatchScores(sum: ScoreSummary, batch: BatchScores): ScoreSummary {
  return {
    scored: sum.scored + batch.scored,
    changed: sum.changed + batch.changed,
    failed: sum.failed + batch.failures.length,
    failures: [...sum.failures, ...batch.failures].slice(0, MAX_LISTED_FAILURES),
  };
}

/** Queues snapshots older than 24 hours for scoring. Returns the number of endpoints added to the queue. */
export function queueAged({ db, now }: PipelineContext): Promise<number> {
  return queueAgedSnapshots(db, {
    now: now(),
    maxAgeSeconds: SNAPSHOT_MAX_AGE_SECONDS,
    limit: MAX_AGED_PER_RUN,
  });
}

/**
 * Scores endpoints that changed since their last score, and those with a snapshot older than 24 hours, in batches. Each
 * batch uses its own current time. The number of batches is limited, so a run ends even when endpoints arrive as fast as
 * it scores them.
 */
export async function scoreChanged(
  context: PipelineContext,
  maxBatches: number = MAX_BATCHES,
): Promise<ScoreSummary> {
  await queueAged(context);
  let sum = EMPTY_SCORE_SUMMARY;
  for (let count = 0; count < maxBatches; count += 1) {
    const batch = await scoreBatch(context, BATCH_SIZE);
    sum = addBatchScores(sum, batch);
    if (!batch.more) break;
  }
  return sum;
}
