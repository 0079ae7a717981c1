import { HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { connect, type Db } from '@touchstone/store';
import { scoreBatch } from '../libs/pipeline/src/scoring/score-batch.ts';
import { buildCatalogSql, claimSlots, START_MS } from './support/catalog.ts';
import { printTable, formatNumber, sum } from './support/figures.ts';
import {
  printSizes,
  quoteSql,
  readWalBytes,
  runWithPostgres,
  type Postgres,
  type Session,
} from './support/postgres.ts';
import { createContext, createRecordCall, timeRecording } from './support/recording.ts';

/**
 * Measures the scoring job: it reads 30 days of each endpoint, computes the score, and stores the score with its
 * details. Also measures the statistics of a million snapshots. Run it with `npm run bench:score-job`. It needs PostgreSQL
 * with pgvector, and `BENCH_ENDPOINTS` sets another number of snapshots and of endpoints in the queue.
 *
 * The scoring queue also contains one million other endpoints, which are due in the next four hours. After the first
 * scores, the table of snapshots contains a million, so the indexes of both tables have their full size. The 4,000
 * scored endpoints have all their history. The histories of a million endpoints would need 120 GB. The figures include
 * supabase-js and zod, but not PostgREST.
 */
const ENDPOINT_COUNT = 20_000;
const PROBED_COUNT = 4_000;
/** Number of other endpoints in the queue, and of snapshots. */
const CATALOG_COUNT = Number(process.env['BENCH_ENDPOINTS'] ?? 1_000_000);
const BATCHES_PER_RUN = 6;
/** Tables whose row sizes are measured here, because `npm run bench:record` leaves them empty. */
const MEASURED_TABLES = [
  ['snapshot', 'public.snapshots'],
  ['snapshot details', 'public.snapshot_details'],
  ['daily score', 'public.daily_scores'],
  ['change of terms', 'public.changes'],
] as const;
const NOW_MS = START_MS + 2 * HOUR_MS;

/**
 * Creates probed endpoints, and a scoring queue of other endpoints. Each probed endpoint has 30 daily rollups and 48
 * observations of the last 24 hours. They are copies of its only recorded rollup and of its only observation.
 */
async function prepareEndpoints(session: Session): Promise<void> {
  await session.run(buildCatalogSql(ENDPOINT_COUNT));
  for (let batch = 0; batch < PROBED_COUNT / 500; batch += 1) {
    const at = START_MS + 30 * MINUTE_MS + batch * 1_000;
    await timeRecording(session, await createRecordCall(await claimSlots(session, at, 500), at));
  }
  await session.run(`
    select public.create_observation_partitions(d, d)
    from (select (to_timestamp(${START_MS / 1_000}) at time zone 'UTC')::date - 1) as days (d);
    insert into public.observations
    select (jsonb_populate_record(o, jsonb_build_object('at', o.at - g * interval '30 minutes'))).*
    from public.observations o cross join generate_series(1, 47) g order by g;
    insert into public.daily_rollups
    select (jsonb_populate_record(d, jsonb_build_object('day', d.day - g, 'probes', 48, 'scored', 48, 'up', 47))).*
    from public.daily_rollups d cross join generate_series(1, 29) g;
    update public.endpoints set listed_options = '[]';
    insert into public.changes (endpoint_id, at, kind, before, after)
    select endpoint_id, last_probed_at, 'price_change', terms, terms from public.endpoint_states where terms is not null;
    truncate public.scoring_queue;
    insert into public.scoring_queue (endpoint_id, due_at)
    select 'queued' || n, to_timestamp(${NOW_MS / 1_000}) + n * interval '4 hours' / ${CATALOG_COUNT}
    from generate_series(1, ${CATALOG_COUNT}) n;
    vacuum analyze`);
}

/** Queues all probed endpoints for scoring. They are due earlier than the other endpoints in the queue. */
async function queueProbedEndpoints(session: Session): Promise<void> {
  await session.run(`
    insert into public.scoring_queue (endpoint_id, due_at)
    select endpoint_id, to_timestamp(${START_MS / 1_000}) from public.endpoint_states where last_probed_at is not null
    on conflict (endpoint_id) do update set due_at = excluded.due_at`);
}

function toSqlLiteral(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return quoteSql(value);
  const isTexts = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return isTexts
    ? `array[${value.map(quoteSql).join(',')}]::text[]`
    : `${quoteSql(JSON.stringify(value))}::jsonb`;
}

/**
 * Creates a database client for jobs that uses one PostgreSQL connection. Each `rpc` call runs the `select` that
 * PostgREST would run. Only functions that return rows are supported. The CPU time of the server, in milliseconds,
 * is added to `cpuTotals` by function name.
 */
function createSessionDb(session: Session, cpuTotals: Map<string, number>): Db {
  return connect({
    url: 'http://127.0.0.1:1',
    key: 'sb_secret_bench',
    fetch: async (input, init) => {
      const url = input instanceof Request ? input.url : input.toString();
      const name = url.slice(url.lastIndexOf('/') + 1);
      if (typeof init?.body !== 'string') throw new Error(`${name} is not called with JSON`);
      // The type is safe, because supabase-js wrote this JSON object from the named arguments of a function.
      const given = Object.entries(JSON.parse(init.body) as Record<string, unknown>);
      const named = given.map(([key, value]) => `${key} => ${toSqlLiteral(value)}`).join(', ');
      const { cpuMs, output } = await session.time(
        `select coalesce(json_agg(x), '[]') from public.${name}(${named}) x`,
      );
      cpuTotals.set(name, (cpuTotals.get(name) ?? 0) + cpuMs);
      return new Response(output, { headers: { 'content-type': 'application/json' } });
    },
  });
}

/** Runs the scoring job on all connections in parallel, and returns a table row with its speed. */
async function measureScoring(
  name: string,
  { sessions, size, at }: { sessions: readonly Session[]; size: number; at: number },
): Promise<string[]> {
  const [first] = sessions;
  if (first === undefined) throw new Error('at least one session is needed');
  await queueProbedEndpoints(first);
  const cpuTotals = new Map<string, number>();
  const batches = Math.floor(
    Math.min(BATCHES_PER_RUN * sessions.length, PROBED_COUNT / size) / sessions.length,
  );
  const [wal, cpu, startedAt] = [await readWalBytes(first), process.cpuUsage(), performance.now()];
  const scored = await Promise.all(
    sessions.map(async (session) => {
      const context = createContext(createSessionDb(session, cpuTotals), () => at);
      let count = 0;
      for (let batch = 0; batch < batches; batch += 1) {
        count += (await scoreBatch(context, size)).scored;
      }
      return count;
    }),
  );
  const ms = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  const count = sum(scored);
  if (count !== batches * size * sessions.length)
    throw new Error(`expected ${batches * size * sessions.length} scores, got ${count}`);
  const formatCpuMs = (name: string): string => formatNumber((cpuTotals.get(name) ?? 0) / count, 3);
  return [
    name,
    formatNumber((count * 1_000) / ms),
    formatCpuMs('claim_scores'),
    formatCpuMs('scoring_inputs'),
    formatCpuMs('save_snapshots'),
    formatNumber((user + system) / 1_000 / count, 2),
    formatNumber(((await readWalBytes(first)) - wal) / count),
  ];
}

/** Copies the snapshots until there are a million. Triggers and foreign keys are off while the rows are copied. */
async function copySnapshots(session: Session): Promise<void> {
  await session.run(`
    set session_replication_role = replica;
    insert into public.snapshots
    select p.* from public.snapshots s
    cross join generate_series(1, (select ${CATALOG_COUNT} / count(*) - 1 from public.snapshots)) g
    cross join lateral jsonb_populate_record(s, jsonb_build_object('endpoint_id', s.endpoint_id || g)) p;
    set session_replication_role = origin;
    vacuum analyze public.snapshots`);
}

/** Prints the durations of computing the statistics of all snapshots and of reading the stored statistics. */
async function measureStatistics(session: Session): Promise<void> {
  const computed = await session.time('select public.refresh_ecosystem()');
  const read = await session.time('select public.ecosystem()');
  const count = Number(await session.run('select count(*) from public.snapshots'));
  console.log(
    `Statistics of ${formatNumber(count)} snapshots: computed in ${formatNumber(computed.ms)} ms, ` +
      `read in ${formatNumber(read.ms, 1)} ms`,
  );
}

async function measureAll(postgres: Postgres, first: Session): Promise<void> {
  const second = postgres.session();
  const rows = [['Scoring', 'scores/s', 'claim ms', 'read ms', 'save ms', 'Node ms', 'WAL B/score']];
  const run = async (name: string, sessions: readonly Session[], size: number): Promise<void> => {
    rows.push(await measureScoring(name, { sessions, size, at: NOW_MS + rows.length * MINUTE_MS }));
  };
  await run('500 per batch, first score', [first], 500);
  console.log('Sizes after one write of each row:');
  await printSizes(first, MEASURED_TABLES);
  console.log(`\nThe following runs score endpoints among ${formatNumber(CATALOG_COUNT)} snapshots.`);
  await copySnapshots(first);
  // `analyze` updates the statistics of the tables, as autovacuum does within minutes. Without these statistics,
  // sessions keep query plans for empty tables.
  await first.run('analyze');
  await run('500 per batch', [first], 500);
  await run('500 per batch, two in parallel', [first, second], 500);
  console.log('Milliseconds are CPU time per endpoint:');
  printTable(rows);
  console.log('');
  await second.close();
}

async function main(postgres: Postgres): Promise<void> {
  const session = postgres.session();
  await prepareEndpoints(session);
  console.log(`PostgreSQL ${postgres.version}, ${formatNumber(CATALOG_COUNT)} other endpoints in the queue:`);
  await measureAll(postgres, session);
  console.log('Sizes after two more writes of some rows, before a vacuum:');
  // The table of snapshots is left out, because the copied snapshots were written only once.
  await printSizes(
    session,
    MEASURED_TABLES.filter(([name]) => name !== 'snapshot'),
  );
  await measureStatistics(session);
  await session.close();
}

await runWithPostgres(main);
