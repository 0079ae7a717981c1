import { queueAgedSnapshots } from '@touchstone/store';
import { SNAPSHOT_MAX_AGE_SECONDS, type PipelineContext } from './context.ts';
import { scoreBatch, type BatchScores, type ScoreFailure } from './score-batch.ts';

/** Endpoints scored in one call: in one process pages wait meanwhile. */
const BATCH = 250;
/** Batches of one run: 25,000 endpoints. What is left is scored by the next run. */
const MAX_BATCHES = 100;
/** Endpoints that one run has scored again because of their age; at a million there are 700 of them a minute. */
const AGED_A_RUN = 5_000;
const NAMED_FAILURES = 10;

export interface ScoreSummary {
  readonly scored: number;
  readonly changed: number;
  /** Endpoints that could not be scored and wait for an hour, and the first of them with the reasons. */
  readonly failed: number;
  readonly failures: readonly ScoreFailure[];
}

export const NOTHING_SCORED: ScoreSummary = { scored: 0, changed: 0, failed: 0, failures: [] };

/** What is said of a run after one more batch of it. */
export function addScores(sum: ScoreSummary, batch: BatchScores): ScoreSummary {
  return {
    scored: sum.scored + batch.scored,
    changed: sum.changed + batch.changed,
    failed: sum.failed + batch.failures.length,
    failures: [...sum.failures, ...batch.failures].slice(0, NAMED_FAILURES),
  };
}

/** Has what is a day old scored again. Returns how many endpoints that adds to those that wait. */
export function queueAged({ db, now }: PipelineContext): Promise<number> {
  return queueAgedSnapshots(db, {
    now: now(),
    maxAgeSeconds: SNAPSHOT_MAX_AGE_SECONDS,
    limit: AGED_A_RUN,
  });
}

/**
 * Scores what changed since it was scored, and what is a day old, in batches, each at its own time. Ends when nothing is
 * left or after a bounded number of them, so that it ends too where as much comes in as it scores.
 */
export async function scoreChanged(
  context: PipelineContext,
  maxBatches: number = MAX_BATCHES,
): Promise<ScoreSummary> {
  await queueAged(context);
  let sum = NOTHING_SCORED;
  for (let made = 0; made < maxBatches; made += 1) {
    const batch = await scoreBatch(context, BATCH);
    sum = addScores(sum, batch);
    if (!batch.more) break;
  }
  return sum;
}
