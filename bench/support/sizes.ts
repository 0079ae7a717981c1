import { printTable, round } from './figures.ts';
import type { Session } from './psql.ts';

/** Rows that the real recording wrote are multiplied: as many observations and rollups for each endpoint. */
const OBSERVATIONS = 500_000;
const ROLLUPS = 100_000;

/** Probes a day at one every half hour, and days that observations and rollups are kept. */
const PROBES_A_DAY = 48;
const DAYS = 90;
/** The documented aim: what the projection is for. */
const PROJECTED = 1_000_000;

/**
 * Fills a day's partition and the rollups with the rows that recording left, given to other endpoints and times in the
 * order in which they would have come.
 */
export async function fillHistory(session: Session, endpoints: number): Promise<void> {
  await session.run(`
    set synchronous_commit = off;
    create temp table seed as select row_number() over () as k, o.* from public.observations o limit 20000;
    create temp table ids as select row_number() over () as k, id from public.endpoints;
    create index on seed (k); create index on ids (k); analyze seed; analyze ids;
    insert into public.observations
    select i.id, '2026-11-03T00:00:00Z'::timestamptz + n * interval '80 milliseconds', s.outcome, s.vitality, s.excluded, s.confirms, s.http_status,
      s.method, s.latency_ms, s.resolve_ms, s.connect_ms, s.tls_ms, s.processing_ms, s.transfer_ms, s.compliance,
      s.challenge_hash, s.amount_usd, s.failure
    from generate_series(1, ${OBSERVATIONS}) n
    join seed s on s.k = n % (select count(*) from seed) + 1
    join ids i on i.k = n % least(${endpoints}, 25000) + 1;
    create temp table rolled as select row_number() over () as k, d.* from public.daily_rollups d where latency_n > 0 limit 5000;
    insert into public.daily_rollups
    select (d).* from (
      select jsonb_populate_record(r::public.daily_rollups, jsonb_build_object('endpoint_id', i.id, 'day', '2026-11-03')) as d
      from generate_series(1, ${ROLLUPS}) n
      join (select k, (jsonb_populate_record(null::public.daily_rollups, to_jsonb(x) - 'k')) as r from rolled x) s
        on s.k = n % (select count(*) from rolled) + 1
      join ids i on i.k = n
      where n <= ${endpoints}
    ) q;
    -- States of endpoints that were probed already: the others have no terms yet. LIKE takes no fillfactor over.
    create table internal.probed_states (like public.endpoint_states including all) with (fillfactor = 60);
    insert into internal.probed_states select * from public.endpoint_states where last_probed_at is not null;
    analyze;
    set synchronous_commit = on`);
}

export interface Size {
  readonly name: string;
  readonly rows: number;
  /** Bytes of the table with what it keeps out of line, and of its indexes. */
  readonly heap: number;
  readonly indexes: number;
}

const MEASURED: readonly (readonly [name: string, relation: string])[] = [
  ['observation', 'internal.observations_20261103'],
  ['rollup (endpoint and day)', 'public.daily_rollups'],
  ['challenge', 'public.challenges'],
  ['endpoint', 'public.endpoints'],
  ['listing', 'public.listings'],
  ['schedule', 'public.schedules'],
  ['state', 'internal.probed_states'],
];

/** What a row takes in each of these tables, as it is now; prints it too. */
export async function measureSizes(session: Session, tables = MEASURED): Promise<readonly Size[]> {
  const sizes: Size[] = [];
  for (const [name, relation] of tables) {
    const answer = await session.run(
      `select (select count(*) from ${relation}), pg_table_size('${relation}'), pg_indexes_size('${relation}')`,
    );
    const [rows = 0, heap = 0, indexes = 0] = answer.trim().split('|').map(Number);
    sizes.push({ name, rows, heap, indexes });
  }
  printTable([
    ['Size', 'rows', 'heap B/row', 'index B/row', 'all B/row'],
    ...sizes.map(({ name, rows, heap, indexes }) => [
      name,
      round(rows),
      round(heap / rows),
      round(indexes / rows),
      round((heap + indexes) / rows),
    ]),
  ]);
  return sizes;
}

/** Prints what the measured rows come to for a million endpoints over the time that they are kept. */
export function project(sizes: readonly Size[]): void {
  const counts: Readonly<Record<string, number>> = {
    observation: PROJECTED * PROBES_A_DAY * DAYS,
    'rollup (endpoint and day)': PROJECTED * DAYS,
    challenge: PROJECTED * 2,
  };
  let total = 0;
  const lines = sizes.map(({ name, rows, heap, indexes }) => {
    const count = counts[name] ?? PROJECTED;
    const bytes = (count * (heap + indexes)) / rows;
    total += bytes;
    return [name, round(count / 1e6), round(bytes / 1e9, 1)];
  });
  console.log(
    `\nProjection: ${round(PROJECTED)} endpoints, ${PROBES_A_DAY} probes a day, ${DAYS} days, two challenges each:`,
  );
  printTable([['', 'million rows', 'GB'], ...lines, ['all', '', round(total / 1e9, 1)]]);
}
