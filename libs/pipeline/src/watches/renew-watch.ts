import { WATCH_RENEWAL_GRACE_DAYS, type WatchRenewed } from '@touchstone/contract';
import type { Buyer } from '@touchstone/payment';
import { createRenewal, findWatch } from '@touchstone/store';
import { formatTime, toWatchedEndpoint, toWatchLinks } from './to-watch.ts';
import type { WatchContext, WatchProblem, WatchResult } from './watch-context.ts';

const NOT_FOUND: WatchProblem = {
  kind: 'problem',
  code: 'watch-not-found',
  detail: 'No watch has this id. Use the renew_url from the creation of the watch.',
};
const NOT_RENEWABLE: WatchProblem = {
  kind: 'problem',
  code: 'watch-not-renewable',
  detail: `The watch was cancelled, or it ended more than ${WATCH_RENEWAL_GRACE_DAYS} days ago. Create a new watch (POST /v1/watch-endpoint-30d).`,
};

/**
 * Prepares a renewal by 30 days. It takes effect when the payment is settled. It needs no secret, and the response
 * contains none, so anyone who knows the id can pay for it.
 *
 * @throws Error when the database fails, or another request took over the payment. The request must not be charged then.
 */
export async function renewWatch(
  { db, baseUrl, now }: Pick<WatchContext, 'db' | 'baseUrl' | 'now'>,
  { id }: { readonly id: string },
  buyer: Buyer,
): Promise<WatchResult<WatchRenewed>> {
  const watch = await findWatch(db, id);
  if (watch === null) return NOT_FOUND;
  const renewal = await createRenewal(db, { id, payment: buyer, now: now() });
  if (renewal.kind === 'superseded') throw new Error('another request took over the payment of a renewal');
  if (renewal.kind !== 'created') return renewal.kind === 'not-found' ? NOT_FOUND : NOT_RENEWABLE;
  const body: WatchRenewed = {
    watch_id: id,
    // The response is sent only after the settlement, which activates the watch.
    status: 'active',
    ...toWatchedEndpoint(watch, baseUrl),
    expires_at: formatTime(renewal.expiresAt),
    ...toWatchLinks(id, baseUrl),
  };
  return { kind: 'result', body };
}
