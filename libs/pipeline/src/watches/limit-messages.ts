import { DAY_MS } from '@touchstone/common';
import { MAX_DAILY_MESSAGES } from '@touchstone/contract';
import { consumeRateLimit, type ClaimedDelivery } from '@touchstone/store';
import type { WatchContext } from './watch-context.ts';

/**
 * Counts a message to a receiver: at most 600 messages in 24 hours from all watches, in equal shares. A watch that sends
 * many messages therefore does not use up the messages of the other watches.
 *
 * @returns the time when the watch can send again; null if the message can be sent
 */
export async function limitMessages(
  { db, now: readTime }: Pick<WatchContext, 'db' | 'now'>,
  { receiver, watchId, watches }: Pick<ClaimedDelivery, 'receiver' | 'watchId' | 'watches'>,
): Promise<number | null> {
  const now = readTime();
  const share = Math.max(1, Math.floor(MAX_DAILY_MESSAGES / Math.max(1, watches)));
  const limits = [
    { key: `delivery:${receiver}:${watchId}`, limit: share },
    { key: `delivery:${receiver}`, limit: MAX_DAILY_MESSAGES },
  ];
  for (const limit of limits) {
    const { allowed, resetsAt } = await consumeRateLimit(db, { ...limit, windowSeconds: DAY_MS / 1000, now });
    if (!allowed) return resetsAt;
  }
  return null;
}
