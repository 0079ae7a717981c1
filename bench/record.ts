import { createKeys, startEmbedded } from '@touchstone/embedded';
import type { ClaimedEndpoint } from '@touchstone/store';
import { catalogSql, claimAt, claimSql, leaseSql, readClaim, START, walBytes } from './support/catalog.ts';
import { median, printTable, round } from './support/figures.ts';
import { recordCallFor, type RecordCall } from './support/observed-batch.ts';
import { startPostgres } from './support/postgres.ts';
import type { Session, Timed } from './support/psql.ts';
import { copySql, recordBy, timeRecording, WRITTEN, type Written } from './support/recording.ts';

/**
 * How fast observations are recorded, beside COPY of the same rows into the same tables. Run it with
 * `npm run bench:record`; it takes a minute and needs Debian's `postgresql`.
 *
 * PostgREST is not part of it: the SQL function is called over a connection to PostgreSQL with the JSON that
 * supabase-js sends. COPY is given the finished rows, so it neither reads JSON, nor compares, nor counts, nor looks
 * for what is there already: it is the floor, not a rival. Rates are by the clock; the ratios are of processor time in
 * the server process, which other work on the machine disturbs less.
 */
const ENDPOINTS = 60_000;
const BATCHES = 16;

interface Prepared {
  readonly claimed: readonly ClaimedEndpoint[];
  readonly call: RecordCall;
  readonly at: number;
}

/** Claims slots and has them probed: what is measured afterwards is the recording alone. */
async function prepare(session: Session, size: number, from: number): Promise<readonly Prepared[]> {
  const prepared: Prepared[] = [];
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const at = from + batch * 1_000;
    const claimed = await claimAt(session, at, size);
    if (claimed.length < size) throw new Error(`only ${claimed.length} of ${size} slots were due`);
    prepared.push({ claimed, call: await recordCallFor(claimed, at), at });
  }
  return prepared;
}

/** The same endpoints probed again later: their leases are written as a claim would have left them. */
async function prepareAgain(
  session: Session,
  before: readonly Prepared[],
  laterMs: number,
): Promise<readonly Prepared[]> {
  const prepared: Prepared[] = [];
  for (const { claimed: had, at: hadAt } of before) {
    const at = hadAt + laterMs;
    const claimed = had.map((slot) => ({ ...slot, slotAt: at }));
    await session.run(leaseSql('bench', at, claimed));
    prepared.push({ claimed, call: await recordCallFor(claimed, at), at });
  }
  return prepared;
}

/** The rows that a batch left in a table, in COPY's text format. */
async function writtenRows(session: Session, table: Written, { call, at }: Prepared): Promise<string> {
  const ids = call.p_rows.map(({ endpointId }) => endpointId);
  const list = ids.map((id) => `'${id}'`).join(',');
  const to = new Date(at + 3_600_000).toISOString();
  const where = {
    observations: `endpoint_id in (${list}) and at >= '${new Date(at).toISOString()}' and at < '${to}'`,
    daily_rollups: `endpoint_id in (${list})`,
    endpoint_states: `endpoint_id in (${list})`,
    // Those that are known already are not written again.
    challenges: `first_seen_at = '${call.p_now}'`,
    scoring_queue: `endpoint_id in (${list})`,
  };
  return session.run(`copy (select * from public.${table} where ${where[table]}) to stdout`);
}

/** Empty tables like those that are written, with all their indexes and without foreign keys. */
async function makeCopied(session: Session): Promise<void> {
  await session.run(`drop schema if exists copied cascade; create schema copied;
    ${WRITTEN.map((table) => `create table copied.${table} (like public.${table} including all)`).join(';')};
    alter table copied.challenges drop constraint challenges_pkey`);
}

interface Rates {
  readonly recorded: Timed;
  /** COPY of the observations alone, and of every row that recording wrote. */
  readonly alone: Timed;
  readonly all: Timed;
  readonly walBytes: number;
}

/** Records a batch, and right after it, while the machine is as busy, copies the rows it left. */
async function measureBatch(session: Session, batch: Prepared): Promise<Rates> {
  const before = await walBytes(session);
  const recorded = await timeRecording(session, batch.call);
  const wal = (await walBytes(session)) - before;
  const copies: string[] = [];
  for (const table of WRITTEN) {
    copies.push(copySql(`copied.${table}`, await writtenRows(session, table, batch)));
  }
  const alone = await session.time(copies[0] ?? '');
  const rest = await session.time(`begin;\n${copies.slice(1).join('\n')}\ncommit`);
  const all = { ...rest, ms: alone.ms + rest.ms, cpuMs: alone.cpuMs + rest.cpuMs };
  return { recorded, alone, all, walBytes: wal };
}

async function measureBatches(
  session: Session,
  name: string,
  batches: readonly Prepared[],
): Promise<string[]> {
  // As when everything was scored since it was probed last.
  await session.run('truncate public.scoring_queue');
  await makeCopied(session);
  const size = batches[0]?.claimed.length ?? 0;
  const rates: Rates[] = [];
  let wal = 0;
  for (const batch of batches) {
    const measured = await measureBatch(session, batch);
    wal += measured.walBytes;
    rates.push(measured);
  }
  const rate = (which: 'recorded' | 'alone' | 'all'): string =>
    round((size * 1_000) / median(rates.map((of) => of[which].ms)));
  const cpu = (which: 'recorded' | 'alone' | 'all'): number => median(rates.map((of) => of[which].cpuMs));
  const ratio = (which: 'recorded' | 'alone' | 'all'): string =>
    round(median(rates.map((of) => of[which].cpuMs / of.recorded.cpuMs)), 2);
  return [
    `${size} a call, ${name}`,
    rate('recorded'),
    round(cpu('recorded') / size, 3),
    rate('alone'),
    rate('all'),
    ratio('alone'),
    ratio('all'),
    round(wal / (size * batches.length)),
  ];
}

async function measureSize(session: Session, size: number, from: number): Promise<string[][]> {
  const first = await prepare(session, size, from);
  const rows = [await measureBatches(session, 'first probe', first)];
  for (const [hours, name] of ['an hour later', 'two hours later'].entries()) {
    const again = await prepareAgain(session, first, (hours + 1) * 3_600_000);
    rows.push(await measureBatches(session, name, again));
  }
  return rows;
}

async function onPostgres(): Promise<void> {
  const postgres = await startPostgres();
  try {
    const session = postgres.session();
    await session.run(catalogSql(ENDPOINTS));
    console.log(
      `PostgreSQL ${postgres.version}, ${round(ENDPOINTS)} endpoints, medians of ${BATCHES} calls:`,
    );
    const heading = [
      '',
      'recorded/s',
      'CPU ms/obs.',
      'COPY obs./s',
      'COPY all/s',
      'ratio obs.',
      'ratio all',
      'WAL B/obs.',
    ];
    const rows = [heading];
    rows.push(...(await measureSize(session, 100, START + 1_800_000)));
    rows.push(...(await measureSize(session, 500, START + 6 * 3_600_000)));
    printTable(rows);
    await session.close();
  } finally {
    await postgres.stop();
  }
}

async function onEmbedded(): Promise<void> {
  const database = await startEmbedded({ keys: createKeys() });
  const { driver } = database.connection;
  try {
    await driver.exec(catalogSql(10_000));
    const took: number[] = [];
    for (let batch = 0; batch < BATCHES; batch += 1) {
      const at = START + 1_800_000 + batch * 1_000;
      const claimed = await driver.query<{ row_to_json: object }>(claimSql('bench', at, 500));
      const lines = claimed.rows.map(({ row_to_json: row }) => JSON.stringify(row)).join('\n');
      const call = await recordCallFor(readClaim(lines), at);
      const startedAt = performance.now();
      await recordBy(
        (sql) => driver.query<Record<string, unknown>>(sql),
        ({ rows: [row] }) => Object.values(row ?? {}).join('|'),
        call,
      );
      took.push(performance.now() - startedAt);
    }
    console.log(`Embedded database in memory, 500 a call: ${round(500_000 / median(took))} recorded/s`);
  } finally {
    await database.close();
  }
}

await onPostgres();
await onEmbedded();
