import { connect, type Db } from '@touchstone/store';
import { quote, type Session } from './psql.ts';

/** What the calls of one function took. */
export interface Spent {
  calls: number;
  ms: number;
  cpuMs: number;
}

function literal(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return quote(value);
  const isTexts = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return isTexts ? `array[${value.map(quote).join(',')}]::text[]` : `${quote(JSON.stringify(value))}::jsonb`;
}

/**
 * The database as jobs know it, over a connection to PostgreSQL: each rpc is the select that PostgREST makes of it, of
 * functions that return rows. What it took is added to `spent`, by function.
 */
export function dbOver(session: Session, spent: Map<string, Spent>): Db {
  return connect({
    url: 'http://127.0.0.1:1',
    key: 'sb_secret_bench',
    fetch: async (input, init) => {
      const url = input instanceof Request ? input.url : input.toString();
      const name = url.slice(url.lastIndexOf('/') + 1);
      if (typeof init?.body !== 'string') throw new Error(`${name} is not called with JSON`);
      // Written by supabase-js from the named arguments of a function.
      const given = Object.entries(JSON.parse(init.body) as Record<string, unknown>);
      const named = given.map(([key, value]) => `${key} => ${literal(value)}`).join(', ');
      const { ms, cpuMs, output } = await session.time(
        `select coalesce(json_agg(x), '[]') from public.${name}(${named}) x`,
      );
      const sum = spent.get(name) ?? { calls: 0, ms: 0, cpuMs: 0 };
      spent.set(name, { calls: sum.calls + 1, ms: sum.ms + ms, cpuMs: sum.cpuMs + cpuMs });
      return new Response(output, { headers: { 'content-type': 'application/json' } });
    },
  });
}
