import { watchIdSchema } from '@touchstone/contract';
import { findWatch, type StoredWatch } from '@touchstone/store';
import { isSecretOf } from '@touchstone/watch';
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
 * work: one database call and one comparison.
 */
export async function authorize(
  { db }: Pick<WatchContext, 'db'>,
  { id, secret }: WatchCredentials,
): Promise<{ readonly kind: 'owned'; readonly watch: StoredWatch } | WatchProblem> {
  const watch = await findWatch(db, watchIdSchema.safeParse(id).success ? id : NO_WATCH);
  const isOwner = isSecretOf(secret, watch?.secretHash ?? null);
  return watch === null || !isOwner ? UNAUTHORIZED : { kind: 'owned', watch };
}
