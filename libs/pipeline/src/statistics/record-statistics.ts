import { recordEcosystemDay, refreshEcosystem } from '@touchstone/store';
import type { PipelineContext } from '../context.ts';
import { runStep, type StepContext } from '../steps.ts';
import { STATISTICS_TAG } from '../pages.ts';

/**
 * Stores the figures of all endpoints for the current UTC day, and refreshes the pages with statistics. Each run of a day
 * replaces the figures of the previous run. `recorded` is false if later figures of the same UTC day are already stored.
 */
export function recordStatistics(
  context: Pick<PipelineContext, 'db' | 'now' | 'onChanged'> & StepContext,
): Promise<{ readonly recorded: boolean }> {
  const { db, now, onChanged } = context;
  return runStep(context, 'record statistics', async () => {
    const recorded = await recordEcosystemDay(db, now());
    if (recorded) await onChanged([STATISTICS_TAG]);
    return { recorded };
  });
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
