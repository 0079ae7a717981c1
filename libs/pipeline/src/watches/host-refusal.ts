import { DAY_MS, MINUTE_MS } from '@touchstone/common';
import { REFUSAL_FILE } from '@touchstone/contract';
import { consumeRateLimit } from '@touchstone/store';
import { isSharedChat } from '@touchstone/watch';
import { isRefusal, readHostFile } from '../host-file.ts';
import type { WatchContext } from './watch-context.ts';

/** Timeout of the request for the file, in milliseconds. */
const FILE_TIMEOUT_MS = 2_000;

/**
 * Answers of the file of an origin (scheme, host and port). The answer is stored for a day in the table of rate limits:
 * the key names the origin, and the count is the answer.
 */
const [REFUSES, ACCEPTS] = [1, 2];

/**
 * Returns true if the host of a URL refuses messages by the line `deliveries: refuse` of its file
 * `/.well-known/touchstone.txt`. The file is read at most once a day for each origin, and messages that are sent at the
 * same time do not wait for it. A connection test reads the file of a refusing host again, at most once a minute, because
 * its owner may have removed the line. A missing file, an error or a timeout is no refusal. Slack and Discord have no
 * such file.
 */
export async function isRefusedByHost(
  { db, send, now: readTime }: Pick<WatchContext, 'db' | 'send' | 'now'>,
  url: string,
  { isTest = false } = {},
): Promise<boolean> {
  if (isSharedChat(url)) return false;
  const { origin } = new URL(url);
  const now = readTime();
  const key = `delivery-refusal:${origin}`;
  const answer = { key, limit: ACCEPTS, windowSeconds: DAY_MS / 1000, now };
  const { allowed: isFirst, remaining } = await consumeRateLimit(db, { ...answer, cost: ACCEPTS });
  if (!isFirst) {
    if (remaining !== ACCEPTS - REFUSES) return false;
    const again = { key: `${key}:again`, limit: 1, windowSeconds: MINUTE_MS / 1000, now };
    if (!isTest || !(await consumeRateLimit(db, again)).allowed) return true;
  }
  const file = await readHostFile(send, new URL(REFUSAL_FILE.path, origin).href, FILE_TIMEOUT_MS);
  const isRefused = isRefusal(file.lines ?? []);
  const stored = isFirst ? ACCEPTS : REFUSES;
  // After a failure of our own, the file is read again at the next call.
  const next = file.isOwnFailure ? 0 : isRefused ? REFUSES : ACCEPTS;
  if (next !== stored) await consumeRateLimit(db, { ...answer, cost: next - stored });
  return isRefused;
}
