import { unwrap, type Db } from './client.ts';
import { isoTime } from './time.ts';

/**
 * How many slots could be claimed now: those that are due and those whose lease ran out, but none of a host that is left
 * in peace for the moment. It may count a few that no worker may probe, so a claim can come back with fewer.
 *
 * @param now milliseconds since the epoch
 * @param hostLimit how many a claim takes of one host at most
 */
export async function countDueSlots(
  db: Db,
  { now, hostLimit }: { readonly now: number; readonly hostLimit: number },
): Promise<number> {
  const answer = await db.rpc('count_due_slots', { p_now: isoTime(now), p_host_limit: hostLimit });
  return unwrap('count due slots', answer);
}
