import { catalogSql, claimSql, readClaim, START, walBytes } from './support/catalog.ts';
import { median, printTable, quantile, round } from './support/figures.ts';
import { recordCallFor } from './support/observed-batch.ts';
import { startPostgres, type Postgres } from './support/postgres.ts';
import type { Session } from './support/psql.ts';
import { recordSql } from './support/recording.ts';
import { fillHistory, measureSizes, project } from './support/sizes.ts';

/**
 * What claiming and recording cost when a million endpoints are listed, and how large their rows are. Run it with
 * `npm run bench:claim`; it takes about two minutes and needs Debian's `postgresql`. `BENCH_ENDPOINTS` lists fewer.
 */
const ENDPOINTS = Number(process.env['BENCH_ENDPOINTS'] ?? 1_000_000);
const SLOTS = 500;
const CLAIMS = 24;
/** Time that passes between two claims of 500 when a million endpoints are due every half hour. */
const STEP_MS = (SLOTS / (ENDPOINTS / 1_800)) * 1_000;
/** A minute after everything began to be due: what a sweep finds when it comes every minute. */
const FIRST = START + 60_000;

interface Claims {
  readonly ms: readonly number[];
  readonly cpuMs: readonly number[];
  readonly slots: number;
  readonly wallMs: number;
}

/** Claims as a worker does, one after the other; the clock moves on as it would at that load. */
async function claims(
  session: Session,
  owner: string,
  clock: { from: number; stepMs: number },
): Promise<Claims> {
  const ms: number[] = [];
  const cpuMs: number[] = [];
  let slots = 0;
  const startedAt = performance.now();
  for (let claim = 0; claim < CLAIMS; claim += 1) {
    const answer = await session.time(claimSql(owner, clock.from + claim * clock.stepMs, SLOTS));
    ms.push(answer.ms);
    cpuMs.push(answer.cpuMs);
    slots += readClaim(answer.output).length;
  }
  return { ms, cpuMs, slots, wallMs: performance.now() - startedAt };
}

function claimRow(name: string, { ms, cpuMs, slots, wallMs }: Claims): string[] {
  return [
    name,
    round(median(ms), 1),
    round(quantile(ms, 0.95), 1),
    round(median(cpuMs), 1),
    round(slots / ms.length),
    round(slots / (wallMs / 1_000)),
  ];
}

async function measureClaims(postgres: Postgres): Promise<void> {
  const sessions = [postgres.session(), postgres.session()] as const;
  const [first, second] = sessions;
  const rows = [['', 'p50 ms', 'p95 ms', 'CPU ms', 'slots a claim', 'slots/s']];
  rows.push(claimRow('one worker', await claims(first, 'one', { from: FIRST, stepMs: STEP_MS })));
  // Two claim twice as much in the same time.
  const clock = { from: FIRST + 120_000, stepMs: 2 * STEP_MS };
  const both = await Promise.all([claims(first, 'one', clock), claims(second, 'two', clock)]);
  both.forEach((run, index) => rows.push(claimRow(`two at once, worker ${index + 1}`, run)));
  console.log(
    `Claims of ${SLOTS} slots, ${CLAIMS} in a row, every ${round(STEP_MS)} ms of the schedule's time:`,
  );
  printTable(rows);
  const twice = await first.run(
    'select count(*) - count(distinct endpoint_id) from public.leases where not confirms',
  );
  console.log(`Slots leased twice: ${twice.trim()}\n`);
  await Promise.all(sessions.map((session) => session.close()));
}

/** What is asked within a claim, with the time each statement takes, from PostgreSQL's own auto_explain. */
async function explainClaim(session: Session): Promise<void> {
  await session.run(`load 'auto_explain'; set auto_explain.log_min_duration = 1; set auto_explain.log_analyze = on;
    set auto_explain.log_nested_statements = on; set auto_explain.log_buffers = on; set client_min_messages = log`);
  session.notices();
  await session.run(claimSql('explained', FIRST + 240_000, SLOTS));
  await new Promise((resolve) => setTimeout(resolve, 300));
  await session.run(`set auto_explain.log_min_duration = -1; set client_min_messages = warning`);
  const plans = session.notices();
  if (process.env['BENCH_PLANS'] !== undefined) console.log(plans);
  console.log('One claim, statement by statement (EXPLAIN ANALYZE; BENCH_PLANS=1 prints the plans):');
  for (const plan of plans.split('LOG:  duration: ').slice(1)) {
    const ms = Number.parseFloat(plan);
    const text = (plan.split('Query Text:')[1] ?? '').replaceAll(/\s+/g, ' ').trim();
    console.log(`  ${round(ms, 1).padStart(8)} ms  ${text.slice(0, 90)}`);
  }
  console.log('');
}

async function measureRecording(session: Session): Promise<void> {
  const rows = [['Recording at that size', 'recorded/s', 'p50 ms', 'p95 ms', 'CPU ms/obs.', 'WAL B/obs.']];
  for (const [index, name] of ['first pass', 'second pass, half an hour later'].entries()) {
    const took: number[] = [];
    let cpuMs = 0;
    let recorded = 0;
    let wal = 0;
    for (let batch = 0; batch < CLAIMS; batch += 1) {
      const at = FIRST + 300_000 + index * 1_800_000 + batch * STEP_MS;
      const claimed = readClaim(await session.run(claimSql('bench', at, SLOTS)));
      const sql = recordSql(await recordCallFor(claimed, at));
      const before = await walBytes(session);
      const timed = await session.time(sql);
      took.push(timed.ms);
      cpuMs += timed.cpuMs;
      wal += (await walBytes(session)) - before;
      recorded += claimed.length;
    }
    const total = took.reduce((sum, ms) => sum + ms, 0);
    rows.push([
      name,
      round((recorded * 1_000) / total),
      round(median(took)),
      round(quantile(took, 0.95)),
      round(cpuMs / recorded, 2),
      round(wal / recorded),
    ]);
  }
  printTable(rows);
  console.log('');
}

async function main(): Promise<void> {
  const postgres = await startPostgres();
  try {
    const session = postgres.session();
    const listed = await session.time(catalogSql(ENDPOINTS));
    console.log(
      `PostgreSQL ${postgres.version}, ${round(ENDPOINTS)} endpoints, listed in ${round(listed.ms / 1_000)} s`,
    );
    await measureClaims(postgres);
    await explainClaim(session);
    await measureRecording(session);
    await fillHistory(session, ENDPOINTS);
    const sizes = await measureSizes(session);
    project(sizes);
    await session.close();
  } finally {
    await postgres.stop();
  }
}

await main();
