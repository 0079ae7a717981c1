import type { ClaimedEndpoint } from '@touchstone/store';
import { catalogSql, claimSql, leaseSql, readClaim, START, walBytes } from './support/catalog.ts';
import { median, printTable, quantile, round } from './support/figures.ts';
import { recordCallFor } from './support/observed-batch.ts';
import { startPostgres, type Postgres } from './support/postgres.ts';
import type { Session, Timed } from './support/psql.ts';
import { timeRecording } from './support/recording.ts';
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
  const first: (readonly ClaimedEndpoint[])[] = [];
  for (let batch = 0; batch < CLAIMS; batch += 1) {
    const at = FIRST + 300_000 + batch * STEP_MS;
    const slots = readClaim(await session.run(claimSql('bench', at, SLOTS)));
    // Few endpoints run out of due slots before the last claim.
    if (slots.length > 0) first.push(slots);
  }
  rows.push(await recordPass(session, { name: 'first probe', from: FIRST + 300_000, batches: first }));
  for (const [index, name] of ['half an hour later', 'an hour later'].entries()) {
    const from = FIRST + 300_000 + (index + 1) * 1_800_000;
    // The very same endpoints: a claim would give others, since not all were probed in the meantime.
    const again = first.map((slots) => slots.map((slot) => ({ ...slot, slotAt: from })));
    for (const slots of again) await session.run(leaseSql('bench', from, slots));
    rows.push(await recordPass(session, { name, from, batches: again }));
  }
  printTable(rows);
  console.log('');
}

interface Pass {
  readonly name: string;
  readonly from: number;
  readonly batches: readonly (readonly ClaimedEndpoint[])[];
}

async function recordPass(session: Session, { name, from, batches }: Pass): Promise<string[]> {
  await session.run('truncate public.scoring_queue');
  const took: Timed[] = [];
  let wal = 0;
  for (const [batch, claimed] of batches.entries()) {
    const call = await recordCallFor(claimed, from + batch * STEP_MS);
    const before = await walBytes(session);
    took.push(await timeRecording(session, call));
    wal += (await walBytes(session)) - before;
  }
  const recorded = batches.reduce((sum, slots) => sum + slots.length, 0);
  const ms = took.map((call) => call.ms);
  return [
    name,
    round((recorded * 1_000) / ms.reduce((sum, call) => sum + call, 0)),
    round(median(ms)),
    round(quantile(ms, 0.95)),
    round(took.reduce((sum, call) => sum + call.cpuMs, 0) / recorded, 3),
    round(wal / recorded),
  ];
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
