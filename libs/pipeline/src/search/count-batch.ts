import { countAlternatives } from '@touchstone/store';
import { SNAPSHOT_MAX_AGE_SECONDS } from '../context.ts';
import { toPageTags } from '../page-tags.ts';
import { getModel, type SearchJobContext } from './search-context.ts';

/** Number of endpoints per batch. The embedded database cannot serve pages during a batch, so it is short. */
export const COUNT_BATCH_SIZE = 50;

export interface CountedBatch {
  readonly counted: number;
  /** Number of counted endpoints whose count changed. */
  readonly changed: number;
}

/**
 * Counts the better alternatives of endpoints whose count is missing or older than a day, and refreshes the pages whose
 * count changed. Stored vectors are compared, so no embedder is needed.
 */
export async function countBatch({
  db,
  embedder = null,
  now,
  onChanged,
}: SearchJobContext): Promise<CountedBatch> {
  const { counted, changed } = await countAlternatives(db, {
    now: now(),
    model: getModel({ embedder }),
    maxAgeSeconds: SNAPSHOT_MAX_AGE_SECONDS,
    limit: COUNT_BATCH_SIZE,
  });
  // The page of a provider does not show the counts.
  if (changed.length > 0) await onChanged(toPageTags({ endpointIds: changed, hosts: [] }));
  return { counted, changed: changed.length };
}
