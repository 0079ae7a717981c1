import { watchIdSchema } from '@touchstone/contract';
import { findWatch, findWatchSecretHash, type StoredWatch } from '@touchstone/store';
import { verifySecret } from '@touchstone/watch';
import type { WatchContext, WatchCredentials, WatchProblem } from './watch-context.ts';

/** Value in place of a malformed id. No watch has this id. */
const NO_WATCH = '';

const UNAUTHORIZED: WatchProblem = {
  kind: 'problem',
  code: 'unauthorized',
  detail:
    'No watch has this id and this secret. Send the secret from the creation of the watch as Authorization: Bearer wsk_….',
};

/**
 * Returns the watch if the secret belongs to it. An unknown id and a wrong secret get the same problem after the same
 * work: one lookup of a secret hash and one comparison. The watch is read after that, because the time of that call
 * depends on the watch.
 */
export async function authorize(
  { db }: Pick<WatchContext, 'db'>,
  { id, secret }: WatchCredentials,
): Promise<{ readonly kind: 'owned'; readonly watch: StoredWatch } | WatchProblem> {
  const secretHash = await findWatchSecretHash(db, watchIdSchema.safeParse(id).success ? id : NO_WATCH);
  if (!verifySecret(secret, secretHash)) return UNAUTHORIZED;
  const watch = await findWatch(db, id);
  return watch === null ? UNAUTHORIZED : { kind: 'owned', watch };
}
