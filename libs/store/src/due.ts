import { unwrap, type Db } from './client.ts';
import { isoTime } from './time.ts';

/**
 * How many slots could be claimed now: those that are due and those whose lease ran out. It may count a few that no
 * worker may probe, so a claim can come back with fewer.
 *
 * @param now milliseconds since the epoch
 */
export async function countDueSlots(db: Db, now: number): Promise<number> {
  const count = { count: 'exact', head: true } as const;
  const [due, expired] = await Promise.all([
    db.from('schedules').select('endpoint_id', count).lte('next_probe_at', isoTime(now)),
    db.from('leases').select('endpoint_id', count).lte('expires_at', isoTime(now)),
  ]);
  const counted = (attempted: string, answer: typeof due | typeof expired): number =>
    unwrap(attempted, { data: answer.count, error: answer.error });
  return counted('count due slots', due) + counted('count leases that ran out', expired);
}
