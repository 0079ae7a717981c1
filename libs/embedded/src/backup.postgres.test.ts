import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MIGRATIONS, migrate, readMigrations } from './migrate.ts';
import {
  connectAsOwner,
  createDatabase,
  createRoles,
  toOwnerUrl,
  type OwnerConnection,
} from './testing/postgres-databases.ts';
import { findPostgres, startServer, type Server } from './testing/postgres.ts';
import { toId } from './testing/upgrade/previous-rows.ts';
import { readData, readTables, upgradeDatabase } from './testing/upgrade/upgrade-database.ts';

/** Folder of PostgreSQL's programs, which also contains pg_dump and pg_restore. */
const bin = findPostgres();
const GUIDE = new URL('../../../docs/operate.md', import.meta.url);
/** Commands for PostgreSQL in the section "Backup and restore". */
const COMMANDS = /^## Backup and restore$.*?^\*\*PostgreSQL\*\*.*?^```sh\n(.*?)^```/ms;
const ROLES = ['anon', 'authenticated', 'service_role'];

describe.skipIf(bin === null)(
  bin === null
    ? 'a backup of PostgreSQL (skipped: no PostgreSQL with pgvector found)'
    : 'a backup of PostgreSQL with the documented commands',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'touchstone-dump-'));
    const commands = COMMANDS.exec(readFileSync(GUIDE, 'utf8'))?.[1] ?? '';
    let server: Server;
    let saved: OwnerConnection;
    let restored: OwnerConnection;
    beforeAll(async () => {
      server = await startServer(bin ?? '');
      const address = `127.0.0.1:${server.port}`;
      await createRoles(address);
      await createDatabase(address, 'saved');
      await createDatabase(address, 'restored');
      saved = connectAsOwner(address, 'saved');
      restored = connectAsOwner(address, 'restored');
      await upgradeDatabase(saved.driver);
      const { status, stderr } = spawnSync('sh', ['-euc', commands], {
        cwd: folder,
        encoding: 'utf8',
        env: {
          PATH: `${bin ?? ''}${delimiter}${process.env['PATH'] ?? ''}`,
          DATABASE_URL: toOwnerUrl(address, 'saved'),
          NEW_DATABASE_URL: toOwnerUrl(address, 'restored'),
        },
      });
      if (status !== 0) throw new Error(`The documented commands failed: ${stderr}`);
      await restored.driver.exec(`set timezone = 'UTC'`);
    });
    afterAll(async () => {
      await saved.close();
      await restored.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    const readBoth = async (sql: string) => {
      const [before, after] = [await saved.driver.query(sql), await restored.driver.query(sql)];
      return { before: before.rows, after: after.rows };
    };

    it('consists of three commands', () => {
      const names = commands.split(/(?<!\\)\n/).map((command) => command.split(' ', 1)[0]);
      expect(names).toEqual(['pg_dump', 'psql', 'pg_restore', '']);
    });

    it('restores the rows of all tables and the positions of all sequences', async () => {
      const rows = await readTables(restored.driver);
      expect(Object.keys(rows).length).toBeGreaterThan(35);
      expect(rows).toEqual(await readTables(saved.driver));
      const { before, after } = await readBoth(
        'select schemaname, sequencename, last_value from pg_sequences order by 1, 2',
      );
      expect(after).toEqual(before);
    });

    it('restores the list of migrations, so that none is applied again', async () => {
      const migrations = readMigrations(MIGRATIONS);
      const { rows } = await restored.driver.query(
        'select version from supabase_migrations.schema_migrations order by 1',
      );
      expect(rows).toEqual(migrations.map(({ version }) => ({ version })));
      expect(await migrate(restored.driver, migrations)).toEqual([]);
    });

    it('restores the rights of all roles', async () => {
      const { before, after } = await readBoth(`
        select object, r.role, has_any_column_privilege(r.role, oid, 'select') as reads,
          has_table_privilege(r.role, oid, 'insert, update, delete, truncate') as writes, relrowsecurity as secured
        from (select c.*, c.oid::regclass::text as object from pg_class c where relkind in ('r', 'p')) t
        cross join unnest(array['${ROLES.join("', '")}']) as r (role)
        where relnamespace in ('public'::regnamespace, 'internal'::regnamespace) order by 1, 2`);
      expect(after.length).toBeGreaterThan(100);
      expect(after).toEqual(before);
      const schemas = await readBoth(`
        select nspname, r.role, has_schema_privilege(r.role, oid, 'usage') as uses
        from pg_namespace cross join unnest(array['${ROLES.join("', '")}']) as r (role)
        where nspname in ('public', 'internal', 'extensions') order by 1, 2`);
      expect(schemas.after).toEqual(schemas.before);
      const functions = await readBoth(`
        select p.oid::regprocedure::text as object, r.role, has_function_privilege(r.role, p.oid, 'execute') as calls
        from pg_proc p cross join unnest(array['${ROLES.join("', '")}']) as r (role)
        where pronamespace in ('public'::regnamespace, 'internal'::regnamespace) order by 1, 2`);
      expect(functions.after.length).toBeGreaterThan(300);
      expect(functions.after).toEqual(functions.before);
    });

    it('lets the public role read what pages show, and nothing else', async () => {
      const { driver } = restored;
      await driver.exec('set role anon');
      try {
        const { rows } = await driver.query(`
          select slug, score, jsonb_array_length(public.endpoint_days(endpoint_id)) as days,
            public.ecosystem() -> 'endpoints' as endpoints
          from public.snapshots where endpoint_id = '${toId('watched')}'`);
        expect(rows).toEqual([{ slug: 'watched', score: 90, days: 1, endpoints: 6 }]);
        await expect(driver.query('select 1 from public.payments')).rejects.toThrow('permission denied');
      } finally {
        await driver.exec('reset role');
      }
    });

    it('lets the service read the same data', async () => {
      expect(await readData(restored.driver)).toEqual(await readData(saved.driver));
    });
  },
);
