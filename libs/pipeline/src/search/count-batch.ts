import { countAlternatives } from '@touchstone/store';
import { SNAPSHOT_MAX_AGE_SECONDS } from '../context.ts';
import type { SearchJobContext } from './search-context.ts';

/** Number of endpoints per batch. The embedded database cannot serve pages during a batch, so it is short. */
export const COUNT_BATCH_SIZE = 50;

export interface CountedBatch {
  readonly counted: number;
  /** Number of counted endpoints whose count changed. */
  readonly changed: number;
}

/**
 * Counts the better alternatives of endpoints whose count is missing or older than a day, and refreshes the pages whose
 * count changed.
 */
export async function countBatch({
  db,
  embedder = null,
  now,
  onChanged,
}: SearchJobContext): Promise<CountedBatch> {
  if (embedder === null) return { counted: 0, changed: 0 };
  const { counted, changed } = await countAlternatives(db, {
    now: now(),
    model: embedder.model,
    maxAgeSeconds: SNAPSHOT_MAX_AGE_SECONDS,
    limit: COUNT_BATCH_SIZE,
  });
  if (changed.length > 0) await onChanged(changed);
  return { counted, changed: changed.length };
}
