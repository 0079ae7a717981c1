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
import { compareClaims } from './support/claims.ts';
import { formatNumber, median, printTable, sum } from './support/figures.ts';
import { measurePacking } from './support/packing.ts';
import {
  printSizes,
  readWalBytes,
  runWithPostgres,
  type Postgres,
  type Session,
  type TimedResult,
} from './support/postgres.ts';
import { createRecordCall, sendRecording, timeRecording, type RecordCall } from './support/recording.ts';

/**
 * Compares recording probe results with a COPY of the same rows into the same tables, in rows per second. Then prints the
 * sizes of the stored rows, compares claims of 500 slots in a large catalog with plain writes (support/claims.ts), and
 * measures packed days (support/packing.ts).
 *
 * Run it with `npm run bench:record`. It needs PostgreSQL with pgvector. Recording takes a minute, and the catalog of a
 * million endpoints for the claims up to six. `BENCH_ENDPOINTS` sets another number for this catalog.
 *
 * PostgREST is not included: the SQL function is called over a PostgreSQL connection with the JSON that supabase-js
 * sends. COPY receives complete rows, so it parses no JSON and reads no existing rows. Its time is therefore a lower
 * bound. Rates use elapsed time. Ratios use CPU time of the server process, because other load on the machine disturbs
 * it less.
 */
const ENDPOINT_COUNT = 60_000;
const BATCH_COUNT = 16;
/** Tables to which a recording writes. For comparison, COPY fills copies of the same tables. */
const RECORDED_TABLES = [
  'observations',
  'daily_rollups',
  'endpoint_states',
  'challenges',
  'scoring_queue',
] as const;
type RecordedTable = (typeof RECORDED_TABLES)[number];
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
 * Claims the due probe slots of each batch and creates the call that records their results. Both happen before the
 * measurement, so the benchmark measures only the recording.
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

/** Probes the endpoints of earlier batches again, one hour later. Inserts their leases directly instead of claiming them. */
async function prepareRepeatedBatches(
  session: Session,
  before: readonly PreparedBatch[],
): Promise<readonly PreparedBatch[]> {
  const prepared: PreparedBatch[] = [];
  for (const { claimed: had, at: hadAt } of before) {
    const at = hadAt + HOUR_MS;
    const claimed = had.map((slot) => ({ ...slot, slotAt: at }));
    await session.run(buildLeaseSql('bench', at, claimed));
    prepared.push({ claimed, call: await createRecordCall(claimed, at), at });
  }
  return prepared;
}

/** Returns the rows that one batch wrote to a table, in COPY's text format. */
async function readRecordedRows(
  session: Session,
  table: RecordedTable,
  { call, at }: PreparedBatch,
): Promise<string> {
  const ids = call.p_rows.map(({ endpointId }) => endpointId);
  const list = ids.map((id) => `'${id}'`).join(',');
  const to = new Date(at + HOUR_MS).toISOString();
  const where = {
    observations: `endpoint_id in (${list}) and at >= '${new Date(at).toISOString()}' and at < '${to}'`,
    daily_rollups: `endpoint_id in (${list})`,
    endpoint_states: `endpoint_id in (${list})`,
    // Recording does not write a challenge that is already stored, so only new challenges belong to the batch.
    challenges: `first_seen_at = '${call.p_now}'`,
    scoring_queue: `endpoint_id in (${list})`,
  };
  return session.run(`copy (select * from public.${table} where ${where[table]}) to stdout`);
}

/** Creates empty copies of the recorded tables, with all indexes and without foreign keys. */
async function createCopyTables(session: Session): Promise<void> {
  await session.run(`drop schema if exists copied cascade; create schema copied;
    ${RECORDED_TABLES.map((table) => `create table copied.${table} (like public.${table} including all)`).join(';')};
    alter table copied.challenges drop constraint challenges_pkey`);
}

interface BatchTimings {
  readonly recorded: TimedResult;
  /** COPY of all rows that the recording wrote to any table. */
  readonly copied: TimedResult;
  readonly walBytes: number;
}

/** Records a batch and immediately afterwards copies the recorded rows, so that both run under the same load. */
async function measureBatch(session: Session, batch: PreparedBatch): Promise<BatchTimings> {
  const before = await readWalBytes(session);
  const recorded = await timeRecording(session, batch.call);
  const wal = (await readWalBytes(session)) - before;
  const copies: string[] = [];
  for (const table of RECORDED_TABLES) {
    // psql reads the data of a COPY in text format after the statement.
    copies.push(`copy copied.${table} from stdin;\n${await readRecordedRows(session, table, batch)}\\.\n`);
  }
  const copied = await session.time(`begin;\n${copies.join('\n')}\ncommit`);
  return { recorded, copied, walBytes: wal };
}

async function measureBatches(
  session: Session,
  name: string,
  batches: readonly PreparedBatch[],
): Promise<string[]> {
  // The scoring queue is empty, as in normal operation: all endpoints were scored after their previous probe.
  await session.run('truncate public.scoring_queue');
  await createCopyTables(session);
  const size = batches[0]?.claimed.length ?? 0;
  const timings: BatchTimings[] = [];
  for (const batch of batches) timings.push(await measureBatch(session, batch));
  const formatRate = (kind: 'recorded' | 'copied'): string =>
    formatNumber((size * 1_000) / median(timings.map((timing) => timing[kind].ms)));
  const recordedCpuMs = median(timings.map(({ recorded }) => recorded.cpuMs));
  const ratio = median(timings.map(({ recorded, copied }) => copied.cpuMs / recorded.cpuMs));
  return [
    `${size} per call, ${name}`,
    formatRate('recorded'),
    formatNumber(recordedCpuMs / size, 3),
    formatRate('copied'),
    formatNumber(ratio, 2),
    formatNumber(sum(timings.map(({ walBytes }) => walBytes)) / (size * batches.length)),
  ];
}

async function measureSize(session: Session, size: number, from: number): Promise<string[][]> {
  const first = await prepareBatches(session, size, from);
  const row = await measureBatches(session, 'first probe', first);
  const again = await prepareRepeatedBatches(session, first);
  return [row, await measureBatches(session, '1 hour later', again)];
}

async function measureOnPostgres(postgres: Postgres): Promise<void> {
  const session = postgres.session();
  await session.run(buildCatalogSql(ENDPOINT_COUNT));
  console.log(
    `PostgreSQL ${postgres.version}, ${formatNumber(ENDPOINT_COUNT)} endpoints, medians of ${BATCH_COUNT} calls:`,
  );
  const heading = ['', 'recorded/s', 'CPU ms/obs.', 'COPY/s', 'ratio', 'WAL B/obs.'];
  const rows = [heading];
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

await runWithPostgres(measureOnPostgres);
await measureOnEmbedded();
await runWithPostgres(compareClaims);
await runWithPostgres(measurePacking);
