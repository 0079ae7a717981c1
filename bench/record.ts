import { createKeys, startEmbedded } from '@touchstone/embedded';
import { catalogSql, claimAt, claimSql, readClaim, START, walBytes } from './support/catalog.ts';
import { median, printTable, round } from './support/figures.ts';
import { recordCallFor, type RecordCall } from './support/observed-batch.ts';
import { startPostgres } from './support/postgres.ts';
import type { Session, Timed } from './support/psql.ts';
import { copySql, recordSql, WRITTEN, type Written } from './support/recording.ts';

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
    prepared.push({ call: await recordCallFor(claimed, at), at });
  }
  return prepared;
}

/** The rows that a batch left in a table, in COPY's text format. */
async function writtenRows(session: Session, table: Written, { call, at }: Prepared): Promise<string> {
  const ids = call.p_rows.map((row) => (row as { readonly endpointId: string }).endpointId);
  const list = ids.map((id) => `'${id}'`).join(',');
  const to = new Date(at + 3_600_000).toISOString();
  const where = {
    observations: `endpoint_id in (${list}) and at >= '${new Date(at).toISOString()}' and at < '${to}'`,
    daily_rollups: `endpoint_id in (${list})`,
    endpoint_states: `endpoint_id in (${list})`,
    challenges: `hash in (select challenge_hash from public.observations where endpoint_id in (${list}))`,
  };
  return session.run(`copy (select * from public.${table} where ${where[table]}) to stdout`);
}

/** Milliseconds of COPY for each batch: of the observations alone, and of every row that recording touched. */
async function timeCopies(session: Session, batches: readonly Prepared[]) {
  await session.run(`drop schema if exists copied cascade; create schema copied;
    ${WRITTEN.map((table) => `create table copied.${table} (like public.${table} including all)`).join(';')};
    alter table copied.challenges drop constraint challenges_pkey`);
  const alone: Timed[] = [];
  const all: Timed[] = [];
  for (const batch of batches) {
    const copies: [Written, string][] = [];
    for (const table of WRITTEN) {
      copies.push([table, copySql(`copied.${table}`, await writtenRows(session, table, batch))]);
    }
    const [observations] = copies;
    const one = await session.time(observations?.[1] ?? '');
    alone.push(one);
    const others = copies.slice(1).map(([, sql]) => sql);
    const rest = await session.time(`begin;\n${others.join('\n')}\ncommit`);
    all.push({ ...rest, ms: one.ms + rest.ms, cpuMs: one.cpuMs + rest.cpuMs });
  }
  return { alone, all };
}

async function measureSize(session: Session, size: number, from: number): Promise<string[][]> {
  const rows: string[][] = [];
  for (const [name, hours] of [
    ['first of the day', 0],
    ['later that day', 1],
  ] as const) {
    const batches = await prepare(session, size, from + hours * 3_600_000);
    const walBefore = await walBytes(session);
    const took: Timed[] = [];
    for (const { call } of batches) {
      const timed = await session.time(recordSql(call));
      if (!timed.output.startsWith(`${size}|0|`)) throw new Error(`not all was recorded: ${timed.output}`);
      took.push(timed);
    }
    const wal = (await walBytes(session)) - walBefore;
    const { alone, all } = await timeCopies(session, batches);
    const rate = (values: readonly Timed[]): number => (size * 1_000) / median(values.map(({ ms }) => ms));
    const cpu = (values: readonly Timed[]): number => median(values.map(({ cpuMs }) => cpuMs));
    rows.push([
      `${size} a call, ${name}`,
      round(rate(took)),
      round(cpu(took) / size, 2),
      round(rate(alone)),
      round(rate(all)),
      round(cpu(alone) / cpu(took), 2),
      round(cpu(all) / cpu(took), 2),
      round(wal / (size * BATCHES)),
    ]);
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
      const sql = recordSql(await recordCallFor(readClaim(lines), at));
      const startedAt = performance.now();
      await driver.exec(sql);
      took.push(performance.now() - startedAt);
    }
    console.log(`Embedded database in memory, 500 a call: ${round(500_000 / median(took))} recorded/s`);
  } finally {
    await database.close();
  }
}

await onPostgres();
await onEmbedded();
