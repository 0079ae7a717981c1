import type { RecordCall } from './observed-batch.ts';
import { quote, type Session, type Timed } from './psql.ts';

/** The call that PostgREST makes for the same request, as one statement. */
function recordSql(call: RecordCall): string {
  return (
    `select recorded, dropped, array_to_string(missing, ',') from public.record_observations(` +
    `${quote(call.p_owner)}, ${quote(call.p_now)}, ${quote(JSON.stringify(call.p_rows))}::jsonb)`
  );
}

function challengesSql({ p_now: now, p_challenges: challenges }: RecordCall): string {
  return `select public.keep_challenges(${quote(now)}, ${quote(JSON.stringify(challenges))}::jsonb)`;
}

/** The statements of a recording one after the other, as libs/store calls them: what it sends depends on the answer. */
export async function recordBy<Answer>(
  send: (sql: string) => Promise<Answer>,
  read: (answer: Answer) => string,
  call: RecordCall,
): Promise<readonly Answer[]> {
  const first = await send(recordSql(call));
  const [recorded, dropped, missing = ''] = read(first).trim().split('|');
  if (Number(recorded) !== call.p_rows.length || dropped !== '0') {
    throw new Error(`not all was recorded: ${read(first)}`);
  }
  const wanted = new Set(missing.split(','));
  const challenges = call.p_challenges.filter(({ hash }) => wanted.has(hash));
  if (challenges.length === 0) return [first];
  return [first, await send(challengesSql({ ...call, p_challenges: challenges }))];
}

/** Records a batch, and what it took. */
export async function timeRecording(session: Session, call: RecordCall): Promise<Timed> {
  const took = await recordBy(session.time, ({ output }) => output, call);
  return {
    ms: took.reduce((sum, { ms }) => sum + ms, 0),
    cpuMs: took.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    output: took[0]?.output ?? '',
  };
}

/** Tables that recording writes to: what COPY is given in its place. */
export const WRITTEN = [
  'observations',
  'daily_rollups',
  'endpoint_states',
  'challenges',
  'scoring_queue',
] as const;
export type Written = (typeof WRITTEN)[number];

/** COPY of lines in its text format into a table, as psql reads it from its input. */
export function copySql(table: string, lines: string): string {
  return `copy ${table} from stdin;\n${lines}\\.\n`;
}
