import { MINUTE_MS } from '@touchstone/common';
import type { ClaimedEndpoint } from '@touchstone/store';
import {
  buildCatalogSql,
  buildClaimSql,
  buildLeaseSql,
  parseClaim,
  START_MS,
  readWalBytes,
} from './support/catalog.ts';
import { median, printTable, quantile, formatNumber } from './support/figures.ts';
import { createRecordCall } from './support/observed-batch.ts';
import { startPostgres, type Postgres } from './support/postgres.ts';
import type { Session, TimedResult } from './support/psql.ts';
import { timeRecording } from './support/recording.ts';
import { fillHistory, measureSizes, printProjection } from './support/sizes.ts';

/**
 * Measures the cost of claiming due endpoints and recording probe results with a million listed endpoints. Also
 * measures the size of the stored rows.
 *
 * Run it with `npm run bench:claim`. It takes about two minutes and needs Debian's `postgresql`. The environment
 * variable `BENCH_ENDPOINTS` sets another number of endpoints.
 */
const ENDPOINT_COUNT = Number(process.env['BENCH_ENDPOINTS'] ?? 1_000_000);
const SLOTS_PER_CLAIM = 500;
const CLAIM_COUNT = 24;
/**
 * Virtual time between two claims of 500 slots, in milliseconds. At this rate, all endpoints are claimed once in 30
 * minutes.
 */
const STEP_MS = (SLOTS_PER_CLAIM / (ENDPOINT_COUNT / 1_800)) * 1_000;
/** Virtual time of the first claim: one minute after the first slots are due, because workers claim every minute. */
const FIRST_CLAIM_MS = START_MS + MINUTE_MS;

interface ClaimRun {
  readonly ms: readonly number[];
  readonly cpuMs: readonly number[];
  readonly slots: number;
  readonly wallMs: number;
}

/** Runs the claims of one worker one after the other. Between two claims, the virtual clock advances by `stepMs`. */
async function runClaims(
  session: Session,
  owner: string,
  clock: { from: number; stepMs: number },
): Promise<ClaimRun> {
  const ms: number[] = [];
  const cpuMs: number[] = [];
  let slots = 0;
  const startedAt = performance.now();
  for (let claim = 0; claim < CLAIM_COUNT; claim += 1) {
    const result = await session.time(
      buildClaimSql(owner, clock.from + claim * clock.stepMs, SLOTS_PER_CLAIM),
    );
    ms.push(result.ms);
    cpuMs.push(result.cpuMs);
    slots += parseClaim(result.output).length;
  }
  return { ms, cpuMs, slots, wallMs: performance.now() - startedAt };
}

function formatClaimRow(name: string, { ms, cpuMs, slots, wallMs }: ClaimRun): string[] {
  return [
    name,
    formatNumber(median(ms), 1),
    formatNumber(quantile(ms, 0.95), 1),
    formatNumber(median(cpuMs), 1),
    formatNumber(slots / ms.length),
    formatNumber(slots / (wallMs / 1_000)),
  ];
}

async function measureClaims(postgres: Postgres): Promise<void> {
  const sessions = [postgres.session(), postgres.session()] as const;
  const [first, second] = sessions;
  const rows = [['', 'p50 ms', 'p95 ms', 'CPU ms', 'slots/claim', 'slots/s']];
  rows.push(
    formatClaimRow('one worker', await runClaims(first, 'one', { from: FIRST_CLAIM_MS, stepMs: STEP_MS })),
  );
  // Two workers together claim twice as many slots, so the virtual clock of each worker advances by two steps per
  // claim.
  const clock = { from: FIRST_CLAIM_MS + 2 * MINUTE_MS, stepMs: 2 * STEP_MS };
  const both = await Promise.all([runClaims(first, 'one', clock), runClaims(second, 'two', clock)]);
  both.forEach((run, index) => rows.push(formatClaimRow(`two in parallel, worker ${index + 1}`, run)));
  console.log(
    `${CLAIM_COUNT} claims of ${SLOTS_PER_CLAIM} slots, one every ${formatNumber(STEP_MS)} ms of virtual time:`,
  );
  printTable(rows);
  const twice = await first.run(
    'select count(*) - count(distinct endpoint_id) from public.leases where not is_recheck',
  );
  console.log(`Slots leased twice: ${twice.trim()}\n`);
  await Promise.all(sessions.map((session) => session.close()));
}

/** Prints the duration of each SQL statement within one claim. PostgreSQL's auto_explain reports these durations. */
async function explainClaim(session: Session): Promise<void> {
  await session.run(`load 'auto_explain'; set auto_explain.log_min_duration = 1; set auto_explain.log_analyze = on;
    set auto_explain.log_nested_statements = on; set auto_explain.log_buffers = on; set client_min_messages = log`);
  session.takeNotices();
  await session.run(buildClaimSql('explained', FIRST_CLAIM_MS + 4 * MINUTE_MS, SLOTS_PER_CLAIM));
  await new Promise((resolve) => setTimeout(resolve, 300));
  await session.run(`set auto_explain.log_min_duration = -1; set client_min_messages = warning`);
  const plans = session.takeNotices();
  if (process.env['BENCH_PLANS'] !== undefined) console.log(plans);
  console.log('One claim, statement by statement (EXPLAIN ANALYZE; BENCH_PLANS=1 prints the plans):');
  for (const plan of plans.split('LOG:  duration: ').slice(1)) {
    const ms = Number.parseFloat(plan);
    const text = (plan.split('Query Text:')[1] ?? '').replaceAll(/\s+/g, ' ').trim();
    console.log(`  ${formatNumber(ms, 1).padStart(8)} ms  ${text.slice(0, 90)}`);
  }
  console.log('');
}

async function measureRecording(session: Session): Promise<void> {
  const rows = [['Recording at this size', 'recorded/s', 'p50 ms', 'p95 ms', 'CPU ms/obs.', 'WAL B/obs.']];
  const first: (readonly ClaimedEndpoint[])[] = [];
  for (let batch = 0; batch < CLAIM_COUNT; batch += 1) {
    const at = FIRST_CLAIM_MS + 5 * MINUTE_MS + batch * STEP_MS;
    const slots = parseClaim(await session.run(buildClaimSql('bench', at, SLOTS_PER_CLAIM)));
    // If `BENCH_ENDPOINTS` is small, all slots may be claimed before the last claim.
    if (slots.length > 0) first.push(slots);
  }
  rows.push(
    await measureRecordPass(session, {
      name: 'first probe',
      from: FIRST_CLAIM_MS + 5 * MINUTE_MS,
      batches: first,
    }),
  );
  for (const [index, name] of ['30 minutes later', '60 minutes later'].entries()) {
    const from = FIRST_CLAIM_MS + 5 * MINUTE_MS + (index + 1) * 30 * MINUTE_MS;
    // The leases are inserted directly, because a claim would return endpoints that were not probed in the first pass.
    const again = first.map((slots) => slots.map((slot) => ({ ...slot, slotAt: from })));
    for (const slots of again) await session.run(buildLeaseSql('bench', from, slots));
    rows.push(await measureRecordPass(session, { name, from, batches: again }));
  }
  printTable(rows);
  console.log('');
}

interface RecordPass {
  readonly name: string;
  readonly from: number;
  readonly batches: readonly (readonly ClaimedEndpoint[])[];
}

async function measureRecordPass(session: Session, { name, from, batches }: RecordPass): Promise<string[]> {
  await session.run('truncate public.scoring_queue');
  const timings: TimedResult[] = [];
  let walTotal = 0;
  for (const [batch, claimed] of batches.entries()) {
    const call = await createRecordCall(claimed, from + batch * STEP_MS);
    const before = await readWalBytes(session);
    timings.push(await timeRecording(session, call));
    walTotal += (await readWalBytes(session)) - before;
  }
  const recorded = batches.reduce((sum, slots) => sum + slots.length, 0);
  const ms = timings.map((call) => call.ms);
  return [
    name,
    formatNumber((recorded * 1_000) / ms.reduce((sum, call) => sum + call, 0)),
    formatNumber(median(ms)),
    formatNumber(quantile(ms, 0.95)),
    formatNumber(timings.reduce((sum, call) => sum + call.cpuMs, 0) / recorded, 3),
    formatNumber(walTotal / recorded),
  ];
}

async function main(): Promise<void> {
  const postgres = await startPostgres();
  try {
    const session = postgres.session();
    const listed = await session.time(buildCatalogSql(ENDPOINT_COUNT));
    console.log(
      `PostgreSQL ${postgres.version}, ${formatNumber(ENDPOINT_COUNT)} endpoints, listed in ${formatNumber(listed.ms / 1_000)} s`,
    );
    await measureClaims(postgres);
    await explainClaim(session);
    await measureRecording(session);
    await fillHistory(session, ENDPOINT_COUNT);
    const sizes = await measureSizes(session);
    printProjection(sizes);
    await session.close();
  } finally {
    await postgres.stop();
  }
}

await main();
