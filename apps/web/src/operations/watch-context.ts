import { createSiteSender } from '@touchstone/pipeline/create-probers';
import { createTestPauses } from '@touchstone/pipeline/watches/request-limits';
import type { WatchContext } from '@touchstone/pipeline/watches/watch-context';
import { getConfig, getSiteOrigin } from '../platform/config/config.ts';
import { getWatchCipher } from '../platform/config/configured-keys.ts';
import { getSecretDatabase } from '../platform/database/databases.ts';
import { getProcessValue } from '../platform/process-value.ts';

/**
 * Returns the context in which watches are created, read and changed. All requests of this process share the sender of
 * connection tests and the pauses after failed tests, because both contain limits.
 */
export function getWatchContext(): WatchContext {
  const baseUrl = getSiteOrigin(process.env);
  const { send, testPauses } = getProcessValue('connection-tests', () => ({
    send: createSiteSender({ ...getConfig().probe, baseUrl }),
    testPauses: createTestPauses(Date.now),
  }));
  return { db: getSecretDatabase(), cipher: getWatchCipher(), send, testPauses, baseUrl, now: Date.now };
}
