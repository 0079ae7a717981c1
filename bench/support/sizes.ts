import { printTable, formatNumber } from './figures.ts';
import type { Session } from './psql.ts';

/** Numbers of rows in the measured tables. The rows are copies of rows that a real recording wrote. */
const OBSERVATION_COUNT = 500_000;
const ROLLUP_COUNT = 100_000;

/** Number of probes per day, at one probe every 30 minutes. */
const PROBES_PER_DAY = 48;
/** Retention of observations and rollups, in days. */
const RETENTION_DAYS = 90;
/** Number of endpoints for which docs/scale.md projects the table sizes. */
const PROJECTED_ENDPOINTS = 1_000_000;

/**
 * Fills the tables of observations and rollups with copies of recorded rows. The copies have other endpoints and times,
 * in chronological order. All observations are in one day partition.
 */
export async function fillHistory(session: Session, endpoints: number): Promise<void> {
  await session.run(`
    set synchronous_commit = off;
    create temp table seed as select row_number() over () as k, o.* from public.observations o limit 20000;
    create temp table ids as select row_number() over () as k, id from public.endpoints;
    create index on seed (k); create index on ids (k); analyze seed; analyze ids;
    insert into public.observations
    select i.id, '2026-11-03T00:00:00Z'::timestamptz + n * interval '80 milliseconds', s.outcome, s.vitality, s.excluded, s.is_recheck, s.http_status,
      s.method, s.latency_ms, s.resolve_ms, s.connect_ms, s.tls_ms, s.processing_ms, s.transfer_ms, s.compliance,
      s.challenge_hash, s.amount_usd, s.failure
    from generate_series(1, ${OBSERVATION_COUNT}) n
    join seed s on s.k = n % (select count(*) from seed) + 1
    join ids i on i.k = n % least(${endpoints}, 25000) + 1;
    create temp table rolled as select row_number() over () as k, d.* from public.daily_rollups d where latency_n > 0 limit 5000;
    insert into public.daily_rollups
    select (d).* from (
      select jsonb_populate_record(r::public.daily_rollups, jsonb_build_object('endpoint_id', i.id, 'day', '2026-11-03')) as d
      from generate_series(1, ${ROLLUP_COUNT}) n
      join (select k, (jsonb_populate_record(null::public.daily_rollups, to_jsonb(x) - 'k')) as r from rolled x) s
        on s.k = n % (select count(*) from rolled) + 1
      join ids i on i.k = n
      where n <= ${endpoints}
    ) q;
    -- States of probed endpoints only: other states have no payment terms yet. LIKE does not copy the fillfactor.
    create table internal.probed_states (like public.endpoint_states including all) with (fillfactor = 60);
    insert into internal.probed_states select * from public.endpoint_states where last_probed_at is not null;
    analyze;
    set synchronous_commit = on`);
}

export interface Size {
  readonly name: string;
  readonly rows: number;
  /** Size of the table including its TOAST table, in bytes. */
  readonly heap: number;
  /** Size of all indexes of the table, in bytes. */
  readonly indexes: number;
}

const MEASURED_TABLES: readonly (readonly [name: string, relation: string])[] = [
  ['observation', 'internal.observations_20261103'],
  ['rollup (endpoint and day)', 'public.daily_rollups'],
  ['challenge', 'public.challenges'],
  ['endpoint', 'public.endpoints'],
  ['listing', 'public.listings'],
  ['schedule', 'public.schedules'],
  ['state', 'internal.probed_states'],
];

/** Measures the average size of one row in each table, and prints the results in bytes. */
export async function measureSizes(session: Session, tables = MEASURED_TABLES): Promise<readonly Size[]> {
  const sizes: Size[] = [];
  for (const [name, relation] of tables) {
    const output = await session.run(
      `select (select count(*) from ${relation}), pg_table_size('${relation}'), pg_indexes_size('${relation}')`,
    );
    const [rows = 0, heap = 0, indexes = 0] = output.trim().split('|').map(Number);
    sizes.push({ name, rows, heap, indexes });
  }
  printTable([
    ['Size', 'rows', 'heap B/row', 'index B/row', 'total B/row'],
    ...sizes.map(({ name, rows, heap, indexes }) => [
      name,
      formatNumber(rows),
      formatNumber(heap / rows),
      formatNumber(indexes / rows),
      formatNumber((heap + indexes) / rows),
    ]),
  ]);
  return sizes;
}

/** Prints the projected size of each table for a million endpoints over the retention time. */
export function printProjection(sizes: readonly Size[]): void {
  const counts: Readonly<Record<string, number>> = {
    observation: PROJECTED_ENDPOINTS * PROBES_PER_DAY * RETENTION_DAYS,
    'rollup (endpoint and day)': PROJECTED_ENDPOINTS * RETENTION_DAYS,
    challenge: PROJECTED_ENDPOINTS * 2,
  };
  let total = 0;
  const lines = sizes.map(({ name, rows, heap, indexes }) => {
    const count = counts[name] ?? PROJECTED_ENDPOINTS;
    const bytes = (count * (heap + indexes)) / rows;
    total += bytes;
    return [name, formatNumber(count / 1e6), formatNumber(bytes / 1e9, 1)];
  });
  console.log(
    `\nProjection: ${formatNumber(PROJECTED_ENDPOINTS)} endpoints, ${PROBES_PER_DAY} probes per day, ${RETENTION_DAYS} days, two challenges per endpoint:`,
  );
  printTable([['', 'million rows', 'GB'], ...lines, ['total', '', formatNumber(total / 1e9, 1)]]);
}
