import { MINUTE_MS } from '@touchstone/common';
import type { ClaimedEndpoint, Db } from '@touchstone/store';
import type { Cipher } from '@touchstone/watch';
import { readWalBytes } from '../catalog.ts';
import { formatNumber, median, printTable } from '../figures.ts';
import type { Session } from '../psql.ts';
import type { Clock } from './rounds.ts';
import { createWatches, recordTerms } from './watches.ts';

/** Number of alternations between the two variants, and of measured batches in each. */
const BLOCKS = 4;
const BATCHES_PER_BLOCK = 3;

interface Batch {
  readonly cpuMs: number;
  readonly walBytes: number;
}

type RecordBatch = () => Promise<Batch>;

/** Makes the recording ignore watches, as before they existed. */
const DISABLE_SQL = `
  alter table public.changes disable trigger changes_append_alerts;
  create or replace function internal.lock_watches(p_rows internal.observation_row[]) returns text[]
  language sql set search_path = '' as $$ select '{}'::text[] $$`;

async function readEnableSql(session: Session): Promise<string> {
  const definition = await session.run(
    `select pg_get_functiondef('internal.lock_watches(internal.observation_row[])'::regprocedure)`,
  );
  return `alter table public.changes enable trigger changes_append_alerts; ${definition}`;
}

/** Returns a function that records one batch, in which the terms of all endpoints or of none change. */
function createRecorder(session: Session, endpoints: readonly ClaimedEndpoint[], clock: Clock) {
  let version = 0;
  return (isChange: boolean): RecordBatch =>
    async () => {
      clock.advance(5 * MINUTE_MS);
      if (isChange) version += 1;
      const before = await readWalBytes(session);
      const { cpuMs } = await recordTerms(session, endpoints, { version, at: clock.now() });
      return { cpuMs, walBytes: (await readWalBytes(session)) - before };
    };
}

/** Measures batches after a change of the database. The first batch is not measured, because it plans the statements. */
async function recordBlock(session: Session, sql: string, record: RecordBatch): Promise<readonly Batch[]> {
  await session.run(sql);
  await record();
  const batches: Batch[] = [];
  for (let batch = 0; batch < BATCHES_PER_BLOCK; batch += 1) batches.push(await record());
  return batches;
}

/** Compares batches without the detection of watches to batches with it, in turns. Returns a row of the table. */
async function compare(
  session: Session,
  name: string,
  {
    record,
    enableSql,
    size,
  }: { readonly record: RecordBatch; readonly enableSql: string; readonly size: number },
): Promise<string[]> {
  const without: Batch[] = [];
  const withDetection: Batch[] = [];
  for (let block = 0; block < BLOCKS; block += 1) {
    without.push(...(await recordBlock(session, DISABLE_SQL, record)));
    withDetection.push(...(await recordBlock(session, enableSql, record)));
  }
  const toCost = (batches: readonly Batch[], key: keyof Batch): number =>
    median(batches.map((batch) => batch[key])) / size;
  return [
    name,
    formatNumber(toCost(without, 'cpuMs'), 3),
    formatNumber(toCost(withDetection, 'cpuMs'), 3),
    formatNumber(toCost(withDetection, 'cpuMs') / toCost(without, 'cpuMs'), 2),
    formatNumber(toCost(without, 'walBytes')),
    formatNumber(toCost(withDetection, 'walBytes')),
  ];
}

/**
 * Measures what the detection of watches adds to the recording of probe results, without watches and with one active
 * watch with a webhook for each endpoint. The variant without detection has the trigger on `changes` disabled, and reads
 * no watches.
 */
export async function measureRecordingCost(
  bench: { readonly session: Session; readonly db: Db; readonly cipher: Cipher },
  endpoints: readonly ClaimedEndpoint[],
  clock: Clock,
): Promise<void> {
  const { session } = bench;
  const size = endpoints.length;
  const enableSql = await readEnableSql(session);
  const createRecord = createRecorder(session, endpoints, clock);
  const compareBoth = async (name: string): Promise<string[][]> => [
    await compare(session, `${name}, no change`, { record: createRecord(false), enableSql, size }),
    await compare(session, `${name}, all change`, { record: createRecord(true), enableSql, size }),
  ];
  await createRecord(false)();
  const unwatched = await compareBoth('no watch');
  await createWatches(bench, endpoints, {
    toUrl: (number) => `https://localhost/d/${number}`,
    at: clock.now(),
  });
  await session.run('analyze');
  const watched = await compareBoth('one watch each');
  console.log(
    `Recording of ${size} probe results in one call, per result, medians of ${BLOCKS * BATCHES_PER_BLOCK} calls:`,
  );
  const heading = ['', 'CPU ms without', 'with detection', 'ratio', 'WAL B without', 'with detection'];
  printTable([heading, ...unwatched, ...watched]);
}
