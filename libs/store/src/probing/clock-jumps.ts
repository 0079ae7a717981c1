import { MINUTE_MS } from '@touchstone/common';
import { StoreError } from '../client/store-error.ts';
import { unwrap, type Db } from '../client/client.ts';
import { formatTimestamp } from '../client/timestamps.ts';

/** Number of endpoints whose times are corrected with one call. */
const PAGE_SIZE = 2_000;

/** Clock of a machine. All processes of the machine share it. */
export interface MachineClock {
  /** Name of the machine, such as its host name. */
  readonly machine: string;
  /**
   * Returns the time in milliseconds since the epoch. It is called again for each page of endpoints, because a correction
   * of many endpoints takes several seconds.
   */
  readonly now: () => number;
}

/**
 * Corrects stored times after the clock of a machine was set back, such as due times hours ahead. A clock counts as set
 * back if an earlier call for the machine passed a time that is more than five minutes later. Otherwise, only the time is
 * stored.
 *
 * @returns True if the times were corrected.
 */
export async function correctClockJump(db: Db, { machine, now }: MachineClock): Promise<boolean> {
  const report = { p_machine: machine, p_now: formatTimestamp(now()) };
  if (!unwrap('report the time', await db.rpc('report_time', report))) return false;
  // A batch that was claimed just before takes at most 45 seconds, so the rate limit of the hosts is kept.
  await limitHostWaits(db, now() + MINUTE_MS);
  let after = '';
  do {
    const page = { p_now: formatTimestamp(now()), p_after: after, p_limit: PAGE_SIZE };
    after = unwrap('correct endpoint times', await db.rpc('correct_endpoint_times', page));
  } while (after !== '');
  const end = { p_machine: machine, p_now: formatTimestamp(now()) };
  const { error } = await db.rpc('finish_clock_correction', end);
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
