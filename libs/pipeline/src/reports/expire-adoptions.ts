import { MINUTE_MS } from '@touchstone/common';
import { expireAdoptions } from '@touchstone/store';
import type { PipelineContext } from '../context.ts';
import { toPageTags } from '../page-tags.ts';

/**
 * Duration of a provisional adoption, in milliseconds. A refused payment ends the adoption earlier. An open payment
 * extends it.
 */
export const PROVISIONAL_ADOPTION_MS = 15 * MINUTE_MS;

/** Maximum number of expired adoptions handled per run. Rate limits allow far fewer adoptions without payment. */
const MAX_EXPIRED_PER_RUN = 500;

/**
 * Deletes adopted endpoints whose report was not paid, and refreshes their pages. Endpoints with a settled payment stay
 * in the catalog. Endpoints with an open payment are checked again after 15 minutes.
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
  const endpointIds = deleted.map(({ endpointId }) => endpointId);
  await onChanged(toPageTags({ endpointIds, hosts: deleted.map(({ host }) => host) }));
  return { deleted: deleted.length };
}
