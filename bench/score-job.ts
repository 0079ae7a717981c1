import type { PipelineContext } from '@touchstone/pipeline';
import { scoreBatch } from '../libs/pipeline/src/score-batch.ts';
import { catalogSql, claimAt, START, walBytes } from './support/catalog.ts';
import { printTable, round } from './support/figures.ts';
import { recordCallFor } from './support/observed-batch.ts';
import { startPostgres, type Postgres } from './support/postgres.ts';
import type { Session } from './support/psql.ts';
import { timeRecording } from './support/recording.ts';
import { dbOver, type Spent } from './support/rpc.ts';
import { measureSizes } from './support/sizes.ts';

/**
 * What the job costs that scores endpoints: reading thirty days of each, the formula, snapshots and reasons. Run it with
 * `npm run bench:score-job`; it takes two minutes and needs Debian's `postgresql`. `npm run bench:score` measures the
 * formula alone.
 *
 * A million others wait in the queue meanwhile, so that taking the first of them is measured at that size. PostgREST is
 * in none of it, but supabase-js and zod are.
 */
const ENDPOINTS = 20_000;
const PROBED = 4_000;
const WAITING = 1_000_000;
const BATCHES = 6;
/** Tables that scoring, recording and claiming leave behind and `npm run bench:claim` has nothing in. */
const LEFT_BEHIND = [
  ['snapshot', 'public.snapshots'],
  ['its reasons', 'public.snapshot_details'],
  ['score of a day', 'public.daily_scores'],
  ['wallet', 'public.endpoint_wallets'],
  ['change of terms', 'public.changes'],
  ['waiting to be scored', 'public.scoring_queue'],
  ['lease', 'public.leases'],
] as const;
const NOW = START + 2 * 3_600_000;

/** Endpoints that were probed, with thirty days of what the real recording left of the first, and others that wait. */
async function prepare(session: Session): Promise<void> {
  await session.run(catalogSql(ENDPOINTS));
  for (let batch = 0; batch < PROBED / 500; batch += 1) {
    const at = START + 1_800_000 + batch * 1_000;
    await timeRecording(session, await recordCallFor(await claimAt(session, at, 500), at));
  }
  await session.run(`
    insert into public.daily_rollups
    select (jsonb_populate_record(d, jsonb_build_object('day', d.day - g, 'probes', 48, 'scored', 48, 'up', 47))).*
    from public.daily_rollups d cross join generate_series(1, 29) g;
    update public.endpoints set listed_options = '[]';
    insert into public.changes (endpoint_id, at, kind, before, after)
    select endpoint_id, last_probed_at, 'price_change', terms, terms from public.endpoint_states where terms is not null;
    truncate public.scoring_queue;
    insert into public.scoring_queue (endpoint_id, due_at)
    select 'waits' || n, to_timestamp(${NOW / 1_000}) - interval '1 second' from generate_series(1, ${WAITING}) n;
    vacuum analyze`);
}

/** Has everything that was probed wait, longer than the others. */
async function queueProbed(session: Session): Promise<void> {
  await session.run(`
    insert into public.scoring_queue (endpoint_id, due_at)
    select endpoint_id, to_timestamp(${START / 1_000}) from public.endpoint_states where last_probed_at is not null
    on conflict (endpoint_id) do update set due_at = excluded.due_at`);
}

function contextOf(session: Session, at: number, spent: Map<string, Spent>): PipelineContext {
  return {
    db: dbOver(session, spent),
    prober: () => Promise.reject(new Error('a benchmark of scores probes nothing')),
    directories: [],
    fetch: () => Promise.reject(new Error('a benchmark asks no directory')),
    now: () => at,
    hostSuffix: null,
    owner: 'bench',
    onChanged: () => Promise.resolve(),
  };
}

/** Scores some batches over each connection at the same time. */
async function measure(
  name: string,
  { sessions, size, at }: { sessions: readonly Session[]; size: number; at: number },
): Promise<string[]> {
  const [first] = sessions;
  if (first === undefined) throw new Error('nobody scores');
  await queueProbed(first);
  const spent = new Map<string, Spent>();
  const batches = Math.floor(Math.min(BATCHES * sessions.length, PROBED / size) / sessions.length);
  const [wal, cpu, startedAt] = [await walBytes(first), process.cpuUsage(), performance.now()];
  const scored = await Promise.all(
    sessions.map(async (session) => {
      let count = 0;
      for (let batch = 0; batch < batches; batch += 1) {
        count += (await scoreBatch(contextOf(session, at, spent), size)).scored;
      }
      return count;
    }),
  );
  const ms = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  const count = scored.reduce((sum, each) => sum + each, 0);
  if (count !== batches * size * sessions.length) throw new Error(`scored ${count}`);
  const cpuOf = (fn: string): string => round((spent.get(fn)?.cpuMs ?? 0) / count, 3);
  return [
    name,
    round((count * 1_000) / ms),
    cpuOf('take_scores'),
    cpuOf('scoring_inputs'),
    cpuOf('save_snapshots'),
    round((user + system) / 1_000 / count, 2),
    round(((await walBytes(first)) - wal) / count),
  ];
}

async function measureAll(postgres: Postgres, first: Session): Promise<void> {
  const others = [postgres.session(), postgres.session(), postgres.session()];
  const rows = [['Scores', 'a second', 'take ms', 'read ms', 'save ms', 'Node ms', 'WAL B each']];
  const run = async (name: string, sessions: readonly Session[], size: number): Promise<void> => {
    rows.push(await measure(name, { sessions, size, at: NOW + rows.length * 60_000 }));
  };
  await run('250 a batch, for the first time', [first], 250);
  console.log('Written once (what waits: twice):');
  await measureSizes(first, LEFT_BEHIND);
  console.log('');
  await run('250 a batch', [first], 250);
  await run('500 a batch', [first], 500);
  await run('500 a batch, two at once', [first, ...others.slice(0, 1)], 500);
  await run('500 a batch, four at once', [first, ...others], 500);
  console.log('Milliseconds are of processor time, for each endpoint:');
  printTable(rows);
  console.log('');
  await Promise.all(others.map((session) => session.close()));
}

const postgres = await startPostgres();
try {
  const session = postgres.session();
  await prepare(session);
  console.log(`PostgreSQL ${postgres.version}, ${round(WAITING)} others waiting:`);
  await measureAll(postgres, session);
  console.log('Some written again three to six times, before they were vacuumed:');
  await measureSizes(session, LEFT_BEHIND);
  await session.close();
} finally {
  await postgres.stop();
}
