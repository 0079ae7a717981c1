import { formatLiteral, type Session } from '@touchstone/embedded/testing/postgres';
import { at, toTime } from './sql-time.ts';

/** Slot that a worker has claimed. */
export interface Slot {
  readonly endpoint_id: string;
  readonly slot_at: string;
  readonly host: string;
}

/** Returns an SQL query of `count` endpoint ids. Each id consists of the prefix of four letters and a number. */
export function selectIds(prefix: string, count: number): string {
  return `
  select '${prefix}' || translate(lpad(g::text, 6, '0'), '0189', 'abcd') as id from generate_series(1, ${count}) g`;
}

/**
 * Inserts endpoints whose first probe is due after 600 seconds.
 *
 * @param ids SQL query of their ids
 * @param host SQL expression of the host of the endpoint `i.id`
 */
export function insertEndpoints(session: Session, ids: string, host: string): Promise<void> {
  return session.exec(`
    with e as (
      insert into endpoints (id, resource, probe_url, host, slug, templated, first_seen_at)
      select i.id, 'https://' || i.id, 'https://' || i.id, ${host}, i.id, false, ${at(0)} from (${ids}) i
      returning id, host
    ), s as (insert into endpoint_states (endpoint_id) select id from e)
    insert into schedules (endpoint_id, host, offset_seconds, next_probe_at)
    select id, host, 600, ${at(600)} from e`);
}

/** Claims due slots for a worker. Times are in seconds. */
export async function claimSlots(
  session: Session,
  { owner, now, limit, leaseSeconds }: { owner: string; now: number; limit: number; leaseSeconds: number },
): Promise<readonly Slot[]> {
  const rows = await session.rows(
    `select endpoint_id, slot_at, host from claim_due_endpoints('${owner}', ${at(now)}, ${limit}, ${leaseSeconds})`,
  );
  // The cast is safe because the query selects exactly the columns of `Slot`.
  return rows as unknown as Slot[];
}

/** Records one successful probe for each slot of a worker. Returns the row of counts. */
export function recordProbes(
  session: Session,
  { owner, now }: { owner: string; now: number },
  slots: readonly Pick<Slot, 'endpoint_id' | 'slot_at'>[],
): Promise<Record<string, unknown>[]> {
  const rows = slots.map(({ endpoint_id, slot_at }) => ({
    endpointId: endpoint_id,
    slotAt: slot_at,
    at: toTime(now),
    outcome: 'challenged',
    vitality: 1,
    excluded: false,
    bucket: 3,
    latencyMs: 2,
  }));
  return session.rows(
    `select * from record_observations('${owner}', ${at(now)}, ${formatLiteral(JSON.stringify(rows))})`,
  );
}
