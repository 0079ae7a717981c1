import { advanceWatches as advanceBatch } from '@touchstone/store';
import type { PipelineContext } from '../context.ts';
import { addCounts } from '../add-counts.ts';
import { runStep, type StepContext } from '../steps.ts';

/** Maximum number of watches per database call, so that no call holds locks for long. */
const BATCH_SIZE = 500;

/** Result of a run: numbers of watches that expire soon, that expired, and that were deleted with their log. */
export type AdvanceSummary = Awaited<ReturnType<typeof advanceBatch>>;

/**
 * Records that watches expire soon or have expired. Deletes watches 30 days after their end, and watches that were
 * never paid. After the deadline, the remaining watches are left to the next run.
 */
export function advanceWatches(
  context: Pick<PipelineContext, 'db' | 'now'> & StepContext,
): Promise<AdvanceSummary> {
  const { db, now, signal } = context;
  return runStep(context, 'expire watches', async () => {
    let total: AdvanceSummary = { expiring: 0, expired: 0, deleted: 0 };
    for (;;) {
      const batch = await advanceBatch(db, { now: now(), limit: BATCH_SIZE });
      total = addCounts(total, batch);
      if (Math.max(batch.expiring, batch.expired, batch.deleted) < BATCH_SIZE || signal?.aborted === true)
        return total;
    }
  });
}
