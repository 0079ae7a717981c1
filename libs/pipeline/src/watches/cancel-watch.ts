import type { Watch } from '@touchstone/contract';
import { cancelWatch as storeCancellation } from '@touchstone/store';
import { authorize } from './authorize.ts';
import { toWatch } from './to-watch.ts';
import { readCurrent } from './read-watch.ts';
import type { WatchContext, WatchCredentials, WatchResult } from './watch-context.ts';

/** Cancels a watch. A repeated cancellation has the same result. Messages that are pending are still delivered. */
export async function cancelWatch(
  context: Pick<WatchContext, 'db' | 'baseUrl' | 'now'>,
  credentials: WatchCredentials,
): Promise<WatchResult<Watch>> {
  const owned = await authorize(context, credentials);
  if (owned.kind === 'problem') return owned;
  await storeCancellation(context.db, { id: credentials.id, now: context.now() });
  return { kind: 'result', body: toWatch(await readCurrent(context, owned.watch), context.baseUrl) };
}
