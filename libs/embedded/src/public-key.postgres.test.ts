import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMigratedTemplate, TEMPLATE } from './testing/postgres-databases.ts';
import { findPostgres, startServer, type Server } from './testing/postgres.ts';

/** Folder of PostgreSQL's programs. The embedded database grants other rights than a Supabase project. */
const bin = findPostgres();

/** Tables of which the public roles read the rows that a policy selects. */
const READABLE_TABLES = ['ecosystem_days', 'ecosystem_totals', 'snapshots'];
/** Functions that pages call with the public key. */
const PUBLIC_FUNCTIONS = [
  'ecosystem',
  'ecosystem_events',
  'endpoint_days',
  'explore',
  'page_target',
  'provider',
  'provider_exists',
  'search_by_words',
  'sitemap_endpoints',
  'sitemap_providers',
  'sitemap_shards',
  'suggest',
];

describe.skipIf(bin === null)(
  bin === null
    ? 'the public roles (skipped: no PostgreSQL with pgvector found)'
    : 'after migrations by a role that is no superuser, the public roles',
  () => {
    let server: Server;
    let sql: ReturnType<typeof postgres>;
    beforeAll(async () => {
      server = await startServer(bin ?? '');
      const address = `127.0.0.1:${server.port}`;
      await createMigratedTemplate(address);
      sql = postgres(`postgres://postgres@${address}/${TEMPLATE}`, { max: 1, onnotice: () => undefined });
    }, 120_000);
    afterAll(async () => {
      await sql.end();
      await server.stop();
    });

    it.each(['anon', 'authenticated'])('as %s, may read three tables and change none', async (role) => {
      const tables = await sql<{ name: string; reads: boolean; writes: boolean; secured: boolean }[]>`
        select relname as name, has_any_column_privilege(${role}, oid, 'select') as reads,
          has_table_privilege(${role}, oid, 'insert, update, delete, truncate, references, trigger') as writes,
          relrowsecurity as secured
        from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm') order by relname`;
      expect(tables.length).toBeGreaterThan(35);
      expect(tables.filter(({ reads }) => reads).map(({ name }) => name)).toEqual(READABLE_TABLES);
      expect(tables.filter(({ writes }) => writes)).toEqual([]);
      expect(tables.filter(({ secured }) => !secured)).toEqual([]);
    });

    it.each(['anon', 'authenticated'])('as %s, may use no sequence', async (role) => {
      const sequences = await sql<{ name: string; allowed: boolean }[]>`
        select relname as name, has_sequence_privilege(${role}, oid, 'usage, select, update') as allowed
        from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S'`;
      expect(sequences.length).toBeGreaterThan(3);
      expect(sequences.filter(({ allowed }) => allowed)).toEqual([]);
    });

    it.each(['anon', 'authenticated'])('as %s, may call only the functions of pages', async (role) => {
      const functions = await sql<{ name: string; allowed: boolean }[]>`
        select proname as name, has_function_privilege(${role}, oid, 'execute') as allowed
        from pg_proc where pronamespace = 'public'::regnamespace order by proname`;
      expect(functions.length).toBeGreaterThan(80);
      expect(functions.filter(({ allowed }) => allowed).map(({ name }) => name)).toEqual(PUBLIC_FUNCTIONS);
    });

    it.each(['anon', 'authenticated'])('as %s, may not use the schema of internal objects', async (role) => {
      const [row] = await sql<{ allowed: boolean }[]>`
        select has_schema_privilege(${role}, 'internal', 'usage, create') as allowed`;
      expect(row?.allowed).toBe(false);
    });
  },
);
