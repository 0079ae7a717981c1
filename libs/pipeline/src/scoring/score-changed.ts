import { queueAgedSnapshots } from '@touchstone/store';
import { SCORE_INTERVAL_SECONDS, SNAPSHOT_MAX_AGE_SECONDS, type PipelineContext } from '../context.ts';
import { addCounts } from '../add-counts.ts';
import { runBatches, runStep } from '../steps.ts';
import { refreshTotals } from '../statistics/record-statistics.ts';
import { scoreBatch, type ScoreFailure } from './score-batch.ts';

/**
 * Limits of a run: number of endpoints per batch, and maximum number of batches. The next run scores the remaining
 * endpoints.
 */
interface ScoreLimits {
  readonly batchSize: number;
  readonly maxBatches: number;
}

/**
 * Limits for a process that also serves web pages. The process serves no page while it computes a batch, so the batches
 * are short. A run scores up to 25,000 endpoints.
 */
const IN_PROCESS: ScoreLimits = { batchSize: 250, maxBatches: 100 };
/**
 * Limits for a run whose batches are steps. The run of each minute can score 120,000 endpoints, which is 2,000 per
 * second. Two database cores score fewer endpoints per second (docs/scale.md). A million unchanged endpoints need 3,700
 * scores per minute. Inngest allows 1,000 steps per run, and the results of 240 steps are at most 1 MiB of the 4 MiB of
 * a request.
 */
const IN_STEPS: ScoreLimits = { batchSize: 500, maxBatches: 240 };
/**
 * Age at which a snapshot is queued, in seconds: 19 hours. A probe can queue the endpoint just before this age. The
 * endpoint then waits for four hours, and one hour is left for the queue.
 */
const QUEUED_AGE_SECONDS = SNAPSHOT_MAX_AGE_SECONDS - SCORE_INTERVAL_SECONDS - 60 * 60;
/**
 * Maximum number of old snapshots queued per run. At a million endpoints without probes, 830 snapshots a minute reach
 * this age.
 */
const MAX_AGED_PER_RUN = 5_000;
const MAX_LISTED_FAILURES = 10;

export interface ScoreSummary {
  readonly scored: number;
  readonly changed: number;
  /** Number of endpoints that could not be scored. The scoring is repeated after an hour. */
  readonly failed: number;
  /** The first failures with their reasons, at most 10. */
  readonly failures: readonly ScoreFailure[];
}

interface ScoreOptions {
  /** Maximum number of batches, by default the limit of the process. */
  readonly maxBatches?: number;
  /**
   * True to score also the endpoints that wait because only counters changed. Leased endpoints are claimed again, so no
   * other process may score at the same time.
   */
  readonly includesWaiting?: boolean;
}

/**
 * Scores endpoints whose score is due after a change, and endpoints whose snapshot is older than 19 hours. The
 * endpoints are scored in batches. Each batch has its own current time. The number of batches is limited, because
 * endpoints may be queued as fast as they are scored. At the end, the statistics of all endpoints are updated.
 */
export async function scoreChanged(
  context: PipelineContext,
  { maxBatches, includesWaiting = false }: ScoreOptions = {},
): Promise<ScoreSummary> {
  const limits = context.runStep === undefined ? IN_PROCESS : IN_STEPS;
  const aheadMs = includesWaiting ? SCORE_INTERVAL_SECONDS * 1_000 : 0;
  const { db, now } = context;
  await runStep(context, 'queue aged snapshots', () =>
    queueAgedSnapshots(db, {
      now: now(),
      maxAgeSeconds: QUEUED_AGE_SECONDS,
      limit: MAX_AGED_PER_RUN,
    }),
  );
  const batches = await runBatches(context, {
    name: 'score batch',
    max: maxBatches ?? limits.maxBatches,
    run: async () => {
      const { failures, ...batch } = await scoreBatch(context, limits.batchSize, aheadMs);
      return { ...batch, failed: failures.length, failures: failures.slice(0, MAX_LISTED_FAILURES) };
    },
    isLast: ({ more }) => !more,
  });
  await runStep(context, 'refresh totals', () => refreshTotals(context));
  const none = { scored: 0, changed: 0, failed: 0 };
  return {
    ...batches.reduce((sum, batch) => addCounts(sum, batch), none),
    failures: batches.flatMap(({ failures }) => failures).slice(0, MAX_LISTED_FAILURES),
  };
}
