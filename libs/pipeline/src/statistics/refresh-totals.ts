import { refreshEcosystem } from '@touchstone/store';
import type { PipelineContext } from '../context.ts';
import { STATISTICS_TAG } from '../page-tags.ts';

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
