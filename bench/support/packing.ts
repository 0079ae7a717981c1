import { DAY_MS } from '@touchstone/common';
import { ENDPOINT_ID_SQL } from './catalog.ts';
import { formatNumber, formatQuantiles, printTable, sum } from './figures.ts';
import { readWalBytes, type Postgres, type Session, type TimedResult } from './postgres.ts';

/** Number of endpoints of the packed day, and number of endpoints with a history. */
const [PACKED_COUNT, HISTORY_COUNT] = [50_000, 200];
const HISTORY_DAYS = 90;
/** Last day of the histories, in milliseconds since 1970. All endpoints have observations on this day. */
const LAST_DAY_MS = Date.parse('2026-11-02');
/** Maximum number of endpoints per call, as in the job `maintain`. */
const SLICE = 2_000;

/**
 * Returns SQL that inserts 48 observations a day of each of `count` endpoints. In 100 endpoints, 80 never change, 15 fail
 * now and then, and 5 request a new price at each probe.
 */
function buildObservationsSql(day: string, count: number): string {
  return `
    select public.create_observation_partitions('${day}', '${day}');
    insert into public.observations (
      endpoint_id, at, outcome, vitality, http_status, response_ms, compliance, amount_usd, failure
    )
    select e.id, timestamptz '${day} 00:00Z' + s * interval '30 minutes' + e.n * interval '35 milliseconds',
      case when f.failed then 'server-error' else 'challenged' end, case when f.failed then 0 else 1 end,
      case when f.failed then 503 else 402 end, 80 + random() * 400, case when f.failed then null else 'pass' end,
      case when f.failed then null when e.n % 100 >= 95 then round(random()::numeric, 6) else 0.01 end,
      case when f.failed then 'http-503' end
    from generate_series(0, 47) s
    cross join (
      select n, ${ENDPOINT_ID_SQL} as id from generate_series(1, ${count}) n
    ) e
    cross join lateral (select e.n % 100 between 80 and 94 and random() < 0.2 as failed offset 0) f`;
}

/** Reads the history of 90 days of each endpoint. Returns the elapsed times in milliseconds. */
async function timeHistories(session: Session, isDailyOnly: boolean): Promise<readonly number[]> {
  const ids = (await session.run('select id from public.endpoints')).trim().split('\n');
  const [from, to] = [LAST_DAY_MS - (HISTORY_DAYS - 1) * DAY_MS, LAST_DAY_MS + DAY_MS].map((at) =>
    new Date(at).toISOString(),
  );
  const times: number[] = [];
  for (const id of ids) {
    const sql = `select length(public.endpoint_history('${id}', '${from}', '${to}', 5000, 500, 500000, ${isDailyOnly})::text)`;
    times.push((await session.time(sql)).ms);
  }
  return times;
}

async function measureHistories(session: Session, name: string): Promise<string[][]> {
  await session.run('vacuum analyze');
  const rows: string[][] = [];
  for (const [form, isDailyOnly] of [['raw', false] as const, ['daily', true] as const]) {
    const times = await timeHistories(session, isDailyOnly);
    rows.push([`history of 90 days, ${form}, ${name}`, ...formatQuantiles(times, [0.5, 0.95])]);
  }
  return rows;
}

/** Packs all days of the observations. */
async function packAll(session: Session): Promise<readonly TimedResult[]> {
  const calls: TimedResult[] = [];
  for (;;) {
    const call = await session.time(`select public.pack_observations('2027-01-01', ${SLICE})`);
    if (call.output.trim() === '') return calls;
    calls.push(call);
  }
}

const readBytes = async (session: Session, relation: string): Promise<number> =>
  Number(await session.run(`select pg_total_relation_size('${relation}')`));

async function measureDay(session: Session): Promise<void> {
  await session.run(buildObservationsSql('2026-11-02', PACKED_COUNT));
  await session.run('vacuum analyze');
  const rawBytes = await readBytes(session, 'internal.observations_20261102');
  const before = await readWalBytes(session);
  const calls = await packAll(session);
  const wal = (await readWalBytes(session)) - before;
  const perEndpoint = (value: number, digits?: number): string => formatNumber(value / PACKED_COUNT, digits);
  printTable([
    ['Packing, per endpoint and day', 'CPU ms', 'WAL B', 'B before', 'B after', 'longest call ms'],
    [
      `${formatNumber(PACKED_COUNT)} endpoints, ${formatNumber(SLICE)} per call`,
      perEndpoint(sum(calls.map(({ cpuMs }) => cpuMs)), 3),
      perEndpoint(wal),
      perEndpoint(rawBytes),
      perEndpoint(await readBytes(session, 'public.packed_observations')),
      formatNumber(Math.max(...calls.map(({ ms }) => ms))),
    ],
  ]);
}

/** Measures packing of a day, and histories of 90 days before and after packing. */
export async function measurePacking(postgres: Postgres): Promise<void> {
  const session = postgres.session();
  await measureDay(session);
  await session.run('truncate public.packed_observations');
  for (let age = 0; age < HISTORY_DAYS; age += 1) {
    const day = new Date(LAST_DAY_MS - age * DAY_MS).toISOString().slice(0, 10);
    await session.run(buildObservationsSql(day, HISTORY_COUNT));
  }
  await session.run(`
    insert into public.endpoints (id, resource, host, slug, templated, first_seen_at)
    select distinct endpoint_id, 'https://h.example.com/' || endpoint_id, 'h.example.com', endpoint_id, false, now()
    from public.observations;
    insert into public.daily_rollups (endpoint_id, day, probes, scored, up, response_histogram)
    select endpoint_id, (at at time zone 'UTC')::date, 48, 48, 48, array_fill(1, array[64])
    from public.observations group by 1, 2`);
  const rows = await measureHistories(session, 'not packed');
  await packAll(session);
  printTable([['', 'p50 ms', 'p95 ms'], ...rows, ...(await measureHistories(session, 'packed'))]);
  await session.close();
}
