import type { Session } from '../psql.ts';

/** Entry of the log of a watch. */
export interface BookEntry {
  readonly watch_id: string;
  readonly sequence: number;
  readonly kind: 'alert' | 'lifecycle';
  readonly type: string;
  /** ISO 8601 timestamp. */
  readonly at: string;
  /** Price before and after the change; null for a lifecycle entry. */
  readonly prices: readonly [string, string] | null;
}

/** Delivery of an entry, with its recorded attempts in their order. */
export interface BookDelivery {
  readonly watch_id: string;
  readonly sequence: number;
  readonly state: 'pending' | 'delivered' | 'exhausted' | 'dropped';
  readonly attempts: number;
  /** HTTP status of each attempt; null without a response. */
  readonly statuses: readonly (number | null)[];
  readonly disabled_reason: 'gone' | 'failing' | null;
  /** Time from the first failed attempt to the end of a disabled destination, in hours. */
  readonly failing_hours: number | null;
}

/** Rows of all watches in the database. */
export interface Books {
  readonly entries: readonly BookEntry[];
  readonly deliveries: readonly BookDelivery[];
}

/** Price of the first payment option in the terms of a change. */
const priceSql = (member: string): string =>
  `(select jsonb_path_query_first(l.data -> '${member}', '$.prices.*') #>> '{}')`;

const ENTRIES_SQL = `
  select json_build_object(
    'watch_id', l.watch_id, 'sequence', l.sequence, 'kind', l.kind, 'type', l.type, 'at', l.at,
    'prices', case when l.kind = 'alert' then json_build_array(${priceSql('before')}, ${priceSql('after')}) end
  ) from public.watch_log l order by l.watch_id, l.sequence`;

const DELIVERIES_SQL = `
  select json_build_object(
    'watch_id', v.watch_id, 'sequence', v.sequence, 'state', v.state, 'attempts', v.attempts,
    'statuses', coalesce((
      select json_agg(a.http_status order by a.id) from public.watch_attempts a
      where a.destination_id = v.destination_id and a.sequence = v.sequence
    ), '[]'),
    'disabled_reason', d.disabled_reason,
    'failing_hours', extract(epoch from d.disabled_at - d.failing_since) / 3600
  ) from public.watch_deliveries v join public.watch_destinations d on d.id = v.destination_id
  order by v.watch_id, v.sequence`;

async function readRows<Row>(session: Session, sql: string): Promise<readonly Row[]> {
  const output = await session.run(sql);
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      // The type is safe, because the SQL builds each line from exactly these members.
      return JSON.parse(line) as Row;
    });
}

/** Reads the log, the deliveries and the attempts of all watches. */
export async function readBooks(session: Session): Promise<Books> {
  return {
    entries: await readRows<BookEntry>(session, ENTRIES_SQL),
    deliveries: await readRows<BookDelivery>(session, DELIVERIES_SQL),
  };
}
