import type { RecordCall } from './observed-batch.ts';
import { quote } from './psql.ts';

/** The call that PostgREST makes for the same request, as one statement. */
export function recordSql(call: RecordCall): string {
  return (
    `select recorded, dropped, changed from public.record_observations(${quote(call.p_owner)}, ${quote(call.p_now)}, ` +
    `${quote(JSON.stringify(call.p_rows))}::jsonb, ${quote(JSON.stringify(call.p_challenges))}::jsonb)`
  );
}

/** Tables that recording writes to: what COPY is given in its place. */
export const WRITTEN = ['observations', 'daily_rollups', 'endpoint_states', 'challenges'] as const;
export type Written = (typeof WRITTEN)[number];

/** COPY of lines in its text format into a table, as psql reads it from its input. */
export function copySql(table: string, lines: string): string {
  return `copy ${table} from stdin;\n${lines}\\.\n`;
}
