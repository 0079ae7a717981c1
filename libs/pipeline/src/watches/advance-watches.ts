import { advanceWatches as advanceBatch } from '@touchstone/store';
import { addCounts } from '../add-counts.ts';
import type { PipelineContext } from '../context.ts';
import type { DeadlineOptions } from '../run-until-aborted.ts';

/** Maximum number of watches per database call, so that no call holds locks for long. */
const BATCH_SIZE = 500;

/** Result of a run: numbers of watches that expire soon, that expired, and that were deleted with their log. */
export interface AdvanceSummary {
  readonly expiring: number;
  readonly expired: number;
  readonly deleted: number;
}

/**
 * Records the approaching and the reached ends of watches, and deletes watches whose log is no longer readable. It also
 * deletes watches that were never paid. After the deadline, the remaining watches are left to the next run.
 */
export async function advanceWatches(
  { db, now }: Pick<PipelineContext, 'db' | 'now'>,
  { signal }: DeadlineOptions = {},
): Promise<AdvanceSummary> {
  let total: AdvanceSummary = { expiring: 0, expired: 0, deleted: 0 };
  for (;;) {
    const batch = await advanceBatch(db, { now: now(), limit: BATCH_SIZE });
    total = addCounts(total, batch);
    if (Math.max(batch.expiring, batch.expired, batch.deleted) < BATCH_SIZE || signal?.aborted === true)
      return total;
  }
}
