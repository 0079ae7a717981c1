import { recordEcosystemDay, refreshEcosystem } from '@touchstone/store';
import type { PipelineContext } from '../context.ts';
import { STATISTICS_TAG } from '../page-tags.ts';

export interface StatisticsSummary {
  /** False if later figures of the same UTC day are already stored. */
  readonly recorded: boolean;
}

/**
 * Stores the figures of all endpoints for the current UTC day, and refreshes the pages with statistics. Each run of a day
 * replaces the figures of the previous run.
 */
export async function recordStatistics({
  db,
  now,
  onChanged,
}: Pick<PipelineContext, 'db' | 'now' | 'onChanged'>): Promise<StatisticsSummary> {
  const recorded = await recordEcosystemDay(db, now());
  if (recorded) await onChanged([STATISTICS_TAG]);
  return { recorded };
}

/**
 * Updates the stored statistics of all endpoints after scoring, and refreshes the pages that show them. Returns true if the
 * statistics changed.
 */
export async function refreshTotals({
  db,
  onChanged,
}: Pick<PipelineContext, 'db' | 'onChanged'>): Promise<boolean> {
  const hasChanged = await refreshEcosystem(db);
  if (hasChanged) await onChanged([STATISTICS_TAG]);
  return hasChanged;
}
