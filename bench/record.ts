import { HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { createKeys, startEmbedded } from '@touchstone/embedded';
import type { ClaimedEndpoint } from '@touchstone/store';
import {
  buildCatalogSql,
  buildClaimSql,
  buildLeaseSql,
  claimSlots,
  parseClaim,
  START_MS,
} from './support/catalog.ts';
import { formatNumber, formatQuantiles, median, printTable, sum } from './support/figures.ts';
import {
  printSizes,
  readWalBytes,
  runWithPostgres,
  type Postgres,
  type Session,
} from './support/postgres.ts';
import { createRecordCall, sendRecording, timeRecording, type RecordCall } from './support/recording.ts';

/**
 * Measures the recording of probe results, on PostgreSQL and on the embedded database, and prints the sizes of the stored
 * rows. Then measures claims of 500 slots in a large catalog.
 *
 * Run it with `npm run bench:record`. It needs PostgreSQL with pgvector. Recording takes a minute, and the catalog of a
 * million endpoints for the claims up to six. `BENCH_ENDPOINTS` sets another number for this catalog.
 *
 * PostgREST is not included: the SQL function is called over a PostgreSQL connection with the JSON that supabase-js
 * sends.
 */
const ENDPOINT_COUNT = 60_000;
const BATCH_COUNT = 16;
const CLAIM_CATALOG_SIZE = Number(process.env['BENCH_ENDPOINTS'] ?? 1_000_000);
const SLOTS_PER_CLAIM = 500;
const CLAIM_COUNT = 24;
const MEASURED_TABLES = [
  ['observation', 'internal.observations_20261102'],
  ['rollup (endpoint and day)', 'public.daily_rollups'],
  ['challenge', 'public.challenges'],
  ['endpoint', 'public.endpoints'],
  ['state', 'public.endpoint_states'],
] as const;

interface PreparedBatch {
  readonly claimed: readonly ClaimedEndpoint[];
  readonly call: RecordCall;
  readonly at: number;
}

/**
 * Claims and probes the slots of each batch before the measurement, so that the benchmark measures only the recording.
 */
async function prepareBatches(
  session: Session,
  size: number,
  from: number,
): Promise<readonly PreparedBatch[]> {
  const prepared: PreparedBatch[] = [];
  for (let batch = 0; batch < BATCH_COUNT; batch += 1) {
    const at = from + batch * 1_000;
    const claimed = await claimSlots(session, at, size);
    if (claimed.length < size) throw new Error(`only ${claimed.length} of ${size} slots were due`);
    prepared.push({ claimed, call: await createRecordCall(claimed, at), at });
  }
  return prepared;
}

/** Probes the endpoints of earlier batches a second time. Inserts their leases directly instead of claiming them. */
async function prepareRepeatedBatches(
  session: Session,
  before: readonly PreparedBatch[],
  laterMs: number,
): Promise<readonly PreparedBatch[]> {
  const prepared: PreparedBatch[] = [];
  for (const { claimed: had, at: hadAt } of before) {
    const at = hadAt + laterMs;
    const claimed = had.map((slot) => ({ ...slot, slotAt: at }));
    await session.run(buildLeaseSql('bench', at, claimed));
    prepared.push({ claimed, call: await createRecordCall(claimed, at), at });
  }
  return prepared;
}

async function measureBatches(
  session: Session,
  name: string,
  batches: readonly PreparedBatch[],
): Promise<string[]> {
  // The scoring queue is empty, as in normal operation: all endpoints were scored after their previous probe.
  await session.run('truncate public.scoring_queue');
  const walBefore = await readWalBytes(session);
  const timings = [];
  for (const { call } of batches) timings.push(await timeRecording(session, call));
  const walBytes = (await readWalBytes(session)) - walBefore;
  const size = batches[0]?.claimed.length ?? 0;
  return [
    `${size} per call, ${name}`,
    formatNumber((size * 1_000) / median(timings.map(({ ms }) => ms))),
    formatNumber(median(timings.map(({ cpuMs }) => cpuMs)) / size, 3),
    formatNumber(walBytes / (size * batches.length)),
  ];
}

async function measureSize(session: Session, size: number, from: number): Promise<string[][]> {
  const first = await prepareBatches(session, size, from);
  const rows = [await measureBatches(session, 'first probe', first)];
  for (const [hours, name] of ['1 hour later', '2 hours later'].entries()) {
    const again = await prepareRepeatedBatches(session, first, (hours + 1) * HOUR_MS);
    rows.push(await measureBatches(session, name, again));
  }
  return rows;
}

async function measureOnPostgres(postgres: Postgres): Promise<void> {
  const session = postgres.session();
  await session.run(buildCatalogSql(ENDPOINT_COUNT));
  console.log(
    `PostgreSQL ${postgres.version}, ${formatNumber(ENDPOINT_COUNT)} endpoints, medians of ${BATCH_COUNT} calls:`,
  );
  const rows = [['', 'recorded/s', 'CPU ms/obs.', 'WAL B/obs.']];
  rows.push(...(await measureSize(session, 100, START_MS + 30 * MINUTE_MS)));
  rows.push(...(await measureSize(session, 500, START_MS + 6 * HOUR_MS)));
  printTable(rows);
  // Endpoints that were not probed have no payment terms, and the full vacuum removes old versions of rows.
  await session.run(`
    delete from public.endpoint_states where last_probed_at is null;
    vacuum full public.endpoint_states;
    vacuum full public.daily_rollups`);
  await printSizes(session, MEASURED_TABLES);
  await session.close();
}

async function measureOnEmbedded(): Promise<void> {
  const database = await startEmbedded({ keys: createKeys() });
  const { driver } = database.connection;
  try {
    await driver.exec(buildCatalogSql(10_000));
    const durationsMs: number[] = [];
    for (let batch = 0; batch < BATCH_COUNT; batch += 1) {
      const at = START_MS + 30 * MINUTE_MS + batch * 1_000;
      const claimed = await driver.query<{ row_to_json: object }>(buildClaimSql('bench', at, 500));
      const lines = claimed.rows.map(({ row_to_json: row }) => JSON.stringify(row)).join('\n');
      const call = await createRecordCall(parseClaim(lines), at);
      const startedAt = performance.now();
      await sendRecording(
        (sql) => driver.query<Record<string, unknown>>(sql),
        ({ rows: [row] }) => Object.values(row ?? {}).join('|'),
        call,
      );
      durationsMs.push(performance.now() - startedAt);
    }
    console.log(
      `Embedded database in memory, 500 per call: ${formatNumber(500_000 / median(durationsMs))} recorded/s`,
    );
  } finally {
    await database.close();
  }
}

/** Measures claims of one worker in a large catalog. */
async function measureClaims({ version, session: open }: Postgres): Promise<void> {
  const session = open();
  const listed = await session.time(buildCatalogSql(CLAIM_CATALOG_SIZE));
  console.log(
    `PostgreSQL ${version}, ${formatNumber(CLAIM_CATALOG_SIZE)} endpoints, listed in ${formatNumber(listed.ms / 1_000)} s`,
  );
  // At this rate, all endpoints are claimed once in 30 minutes of virtual time.
  const stepMs = (SLOTS_PER_CLAIM / CLAIM_CATALOG_SIZE) * 30 * MINUTE_MS;
  const claims: { readonly ms: number; readonly cpuMs: number; readonly slots: number }[] = [];
  for (let claim = 0; claim < CLAIM_COUNT; claim += 1) {
    // Workers claim every minute, so the first slots have been due for a minute.
    const at = START_MS + MINUTE_MS + claim * stepMs;
    const { ms, cpuMs, output } = await session.time(buildClaimSql('bench', at, SLOTS_PER_CLAIM));
    claims.push({ ms, cpuMs, slots: parseClaim(output).length });
  }
  const ms = claims.map((claim) => claim.ms);
  const slots = sum(claims.map((claim) => claim.slots));
  console.log(`${CLAIM_COUNT} claims, one every ${formatNumber(stepMs)} ms of virtual time:`);
  printTable([
    ['', 'p50 ms', 'p95 ms', 'CPU p50 ms', 'slots/claim', 'slots/s'],
    [
      `${SLOTS_PER_CLAIM} slots per claim`,
      ...formatQuantiles(ms, [0.5, 0.95]),
      formatNumber(median(claims.map(({ cpuMs }) => cpuMs)), 1),
      formatNumber(slots / CLAIM_COUNT),
      formatNumber((slots * 1_000) / sum(ms)),
    ],
  ]);
  await session.close();
}

await runWithPostgres(measureOnPostgres);
await measureOnEmbedded();
await runWithPostgres(measureClaims);
