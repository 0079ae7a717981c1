import { MINUTE_MS } from '@touchstone/common';
import { StoreError } from '../client/store-error.ts';
import { unwrap, type Db } from '../client/client.ts';
import { formatTimestamp } from '../client/timestamps.ts';

/** Number of endpoints whose times are corrected with one call. */
const PAGE_SIZE = 2_000;

/**
 * Corrects stored times after the clock was set back, such as due times hours ahead. A clock counts as set back if an
 * earlier call passed a time that is more than five minutes later. Otherwise, only the time is stored.
 *
 * @param now - Returns the time in milliseconds since the epoch. It is called again for each page of endpoints, because
 * a correction of many endpoints takes several seconds.
 * @returns True if the times were corrected.
 */
export async function correctClockJump(db: Db, now: () => number): Promise<boolean> {
  const reported = await db.rpc('report_time', { p_now: formatTimestamp(now()) });
  if (!unwrap('report the time', reported)) return false;
  // A batch that was claimed just before takes at most 45 seconds, so the rate limit of the hosts is kept.
  await limitHostWaits(db, now() + MINUTE_MS);
  let after = '';
  do {
    const page = { p_now: formatTimestamp(now()), p_after: after, p_limit: PAGE_SIZE };
    after = unwrap('correct endpoint times', await db.rpc('correct_endpoint_times', page));
  } while (after !== '');
  const { error } = await db.rpc('finish_clock_correction', { p_now: formatTimestamp(now()) });
  if (error) throw new StoreError('finish the clock correction', error);
  return true;
}

/**
 * Makes hosts claimable at `until` whose rate limit allows no claim before. Returns the number of these hosts.
 *
 * @param until - Milliseconds since the epoch.
 */
export async function limitHostWaits(db: Db, until: number): Promise<number> {
  return unwrap('limit host waits', await db.rpc('limit_host_waits', { p_until: formatTimestamp(until) }));
}
