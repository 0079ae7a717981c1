import type { RecordCall } from './observed-batch.ts';
import { quoteSql, type Session, type TimedResult } from './psql.ts';

/** Returns the SQL statement that PostgREST runs for a call of `record_observations`. */
function buildRecordSql(call: RecordCall): string {
  return (
    `select recorded, dropped, array_to_string(missing, ',') from public.record_observations(` +
    `${quoteSql(call.p_owner)}, ${quoteSql(call.p_now)}, ${quoteSql(JSON.stringify(call.p_rows))}::jsonb)`
  );
}

function buildChallengesSql({ p_now: now, p_challenges: challenges }: RecordCall): string {
  return `select public.store_challenges(${quoteSql(now)}, ${quoteSql(JSON.stringify(challenges))}::jsonb)`;
}

/**
 * Runs the SQL statements of one recording in the same order as libs/store. The result of the first statement names the
 * challenges that the second statement stores.
 */
export async function sendRecording<Result>(
  send: (sql: string) => Promise<Result>,
  read: (result: Result) => string,
  call: RecordCall,
): Promise<readonly Result[]> {
  const first = await send(buildRecordSql(call));
  const [recorded, dropped, missing = ''] = read(first).trim().split('|');
  if (Number(recorded) !== call.p_rows.length || dropped !== '0') {
    throw new Error(`some observations were not recorded: ${read(first)}`);
  }
  const missingHashes = new Set(missing.split(','));
  const challenges = call.p_challenges.filter(({ hash }) => missingHashes.has(hash));
  if (challenges.length === 0) return [first];
  return [first, await send(buildChallengesSql({ ...call, p_challenges: challenges }))];
}

/** Records one batch of probe results and measures the duration. */
export async function timeRecording(session: Session, call: RecordCall): Promise<TimedResult> {
  const timings = await sendRecording(session.time, ({ output }) => output, call);
  return {
    ms: timings.reduce((sum, { ms }) => sum + ms, 0),
    cpuMs: timings.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    output: timings[0]?.output ?? '',
  };
}

/** Tables to which a recording writes. For comparison, COPY fills copies of the same tables. */
export const RECORDED_TABLES = [
  'observations',
  'daily_rollups',
  'endpoint_states',
  'challenges',
  'scoring_queue',
] as const;
export type RecordedTable = (typeof RECORDED_TABLES)[number];

/** Returns a COPY statement, followed by its data in text format. psql reads both from standard input. */
export function buildCopySql(table: string, lines: string): string {
  return `copy ${table} from stdin;\n${lines}\\.\n`;
}
