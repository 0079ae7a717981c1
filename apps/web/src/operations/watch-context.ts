import { createSiteSender } from '@touchstone/pipeline/create-probers';
import type { WatchContext } from '@touchstone/pipeline/watches/watch-context';
import { getConfig, getSiteOrigin } from '../platform/config/config.ts';
import { getWatchCipher } from '../platform/config/configured-keys.ts';
import { getSecretDatabase } from '../platform/database/databases.ts';

let send: WatchContext['send'] | undefined;

/**
 * Returns the context in which watches are created, read and changed. All requests of this process share the function
 * that sends messages to delivery URLs.
 */
export function getWatchContext(): WatchContext {
  const baseUrl = getSiteOrigin(process.env);
  send ??= createSiteSender({ ...getConfig().probe, baseUrl });
  return { db: getSecretDatabase(), cipher: getWatchCipher(), send, baseUrl, now: Date.now };
}
