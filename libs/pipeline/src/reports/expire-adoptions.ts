import { MINUTE_MS } from '@touchstone/common';
import { expireAdoptions } from '@touchstone/store';
import type { PipelineContext } from '../context.ts';

/**
 * Duration of a provisional adoption, in milliseconds. A payment takes two minutes at most, so it is settled or refused
 * by then.
 */
export const PROVISIONAL_ADOPTION_MS = 15 * MINUTE_MS;

/** Maximum number of adoptions per run. It is far above the number of refused payments that the rate limits allow. */
const MAX_EXPIRED_PER_RUN = 500;

/**
 * Deletes adopted endpoints whose report was not paid, and rebuilds their pages. Paid endpoints stay in the catalog.
 * Those with an open payment are checked again later.
 */
export async function deleteUnpaidAdoptions({
  db,
  now,
  onChanged,
}: Pick<PipelineContext, 'db' | 'now' | 'onChanged'>): Promise<{ readonly deleted: number }> {
  const deleted = await expireAdoptions(db, {
    now: now(),
    extendUntil: now() + PROVISIONAL_ADOPTION_MS,
    limit: MAX_EXPIRED_PER_RUN,
  });
  if (deleted.length > 0) await onChanged(deleted);
  return { deleted: deleted.length };
}
