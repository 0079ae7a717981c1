import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '@touchstone/common';
import { REFUSAL_FILE } from '@touchstone/contract';
import { consumeRateLimit } from '@touchstone/store';
import { isRefusal, isSharedChat } from '@touchstone/watch';
import type { WatchContext } from './watch-context.ts';

/** Timeout of the request for the file, in milliseconds. */
const FILE_TIMEOUT_MS = 2_000;
/** Maximum length of the file that is read, in bytes. */
const MAX_FILE_BYTES = 4_096;

/**
 * Counter of an origin, which is a URL without its path. The daily check of the file takes two of three units, and a
 * refusal takes the third unit. During the rest of the day, one unit is left if the file does not refuse messages.
 */
const COUNTER = { limit: 3, windowSeconds: DAY_MS / 1000 } as const;
const CHECK_COST = 2;

/**
 * Returns true if the host of a URL refuses messages by the line `deliveries: refuse` of its file
 * `/.well-known/touchstone.txt`. The file is read at most once a day for each origin, and messages that are sent at the
 * same time do not wait for it. A missing file, an error or a timeout is no refusal. Slack and Discord have no such file.
 */
export async function isRefusedByHost(
  { db, send, now: readTime }: Pick<WatchContext, 'db' | 'send' | 'now'>,
  url: string,
): Promise<boolean> {
  if (isSharedChat(url)) return false;
  const { origin } = new URL(url);
  const counter = { ...COUNTER, key: `delivery-refusal:${origin}`, now: readTime() };
  const check = await consumeRateLimit(db, { ...counter, cost: CHECK_COST });
  if (!check.allowed) return check.remaining === 0;
  const { outcome, httpStatus, body, bodyEnd } = await send({
    ...{ url: new URL(REFUSAL_FILE.path, origin).href, method: 'GET', headers: {}, body: '' },
    ...{ timeoutMs: FILE_TIMEOUT_MS, maxReplyBytes: MAX_FILE_BYTES },
  });
  // After a failure of our own, the file is read again at the next call.
  if (outcome === 'self-failure') await consumeRateLimit(db, { ...counter, cost: -CHECK_COST });
  // Without a response, the duration is always the same, so that it does not show which ports of a host are open.
  if (httpStatus === null) await sleep(Math.max(0, counter.now + FILE_TIMEOUT_MS - readTime()));
  if (httpStatus !== 200 || bodyEnd !== 'complete' || !isRefusal(body ?? '')) return false;
  await consumeRateLimit(db, counter);
  return true;
}
