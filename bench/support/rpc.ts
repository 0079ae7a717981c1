import { connect, type Db } from '@touchstone/store';
import { quoteSql, type Session } from './psql.ts';

/** Number of calls of one SQL function, and their total duration in milliseconds. */
export interface CallTotals {
  calls: number;
  ms: number;
  cpuMs: number;
}

function toSqlLiteral(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return quoteSql(value);
  const isTexts = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return isTexts
    ? `array[${value.map(quoteSql).join(',')}]::text[]`
    : `${quoteSql(JSON.stringify(value))}::jsonb`;
}

/**
 * Creates a database client for jobs that uses one PostgreSQL connection. Each `rpc` call runs the `select` that
 * PostgREST would run. Only functions that return rows are supported. Durations are added to `totals`, by function
 * name.
 */
export function createSessionDb(session: Session, totals: Map<string, CallTotals>): Db {
  return connect({
    url: 'http://127.0.0.1:1',
    key: 'sb_secret_bench',
    fetch: async (input, init) => {
      const url = input instanceof Request ? input.url : input.toString();
      const name = url.slice(url.lastIndexOf('/') + 1);
      if (typeof init?.body !== 'string') throw new Error(`${name} is not called with JSON`);
      // The type is safe, because supabase-js wrote this JSON object from the named arguments of a function.
      const given = Object.entries(JSON.parse(init.body) as Record<string, unknown>);
      const named = given.map(([key, value]) => `${key} => ${toSqlLiteral(value)}`).join(', ');
      const { ms, cpuMs, output } = await session.time(
        `select coalesce(json_agg(x), '[]') from public.${name}(${named}) x`,
      );
      const sum = totals.get(name) ?? { calls: 0, ms: 0, cpuMs: 0 };
      totals.set(name, { calls: sum.calls + 1, ms: sum.ms + ms, cpuMs: sum.cpuMs + cpuMs });
      return new Response(output, { headers: { 'content-type': 'application/json' } });
    },
  });
}
