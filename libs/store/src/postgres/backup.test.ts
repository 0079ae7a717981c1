import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createDatabase,
  findPostgres,
  openSession,
  toOwnerUrl,
  type Session,
} from '@touchstone/embedded/testing/postgres';
import { server, useSharedDatabase } from '../testing/postgres/shared-database.ts';
import { claimSlots, recordProbes } from '../testing/postgres/probe-actions.ts';
import { formatSnapshotInsert } from '../testing/postgres/snapshot-rows.ts';
import { addEndpoints, prepare, toEndpointId, toSettle } from '../testing/postgres/watch-actions.ts';

const GUIDE = new URL('../../../../docs/operate.md', import.meta.url);
/** Regular expression for the PostgreSQL commands in the section "Backup and restore" of the guide. */
const COMMANDS = /^## Backup and restore$.*?^\*\*PostgreSQL\*\*.*?^```sh\n(.*?)^```/ms;
const ROLES = `unnest(array['anon', 'authenticated', 'service_role']) as r (role)`;
const IN_SCHEMAS = `in ('public'::regnamespace, 'internal'::regnamespace)`;

describe.skipIf(server === '')('a backup of PostgreSQL with the documented commands', () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-dump-'));
  const commands = COMMANDS.exec(readFileSync(GUIDE, 'utf8'))?.[1] ?? '';
  const shared = useSharedDatabase();
  let saved: Session;
  let restored: Session;
  beforeAll(async () => {
    saved = shared.admin;
    const restoredName = `${shared.name}_restored`;
    await createDatabase(server, restoredName);
    restored = await openSession(server, restoredName);
    await addEndpoints(saved, 1, 3);
    const claim = { owner: 'one', now: 601, limit: 2, leaseSeconds: 60 };
    await recordProbes(saved, claim, await claimSlots(saved, claim));
    await prepare(saved, 1, 1);
    await saved.exec(toSettle(1));
    await saved.exec(formatSnapshotInsert(toEndpointId(1)));
    const { status, stderr } = spawnSync('sh', ['-euc', commands], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: `${findPostgres() ?? ''}${delimiter}${process.env['PATH'] ?? ''}`,
        DATABASE_URL: toOwnerUrl(server, shared.name),
        NEW_DATABASE_URL: toOwnerUrl(server, restoredName),
      },
    });
    if (status !== 0) throw new Error(`The documented commands failed: ${stderr}`);
  });
  afterAll(async () => {
    await restored.close();
    await saved.exec(`drop database ${shared.name}_restored with (force)`);
    rmSync(folder, { recursive: true, force: true });
  });

  it('consists of three commands', () => {
    const names = commands.split(/(?<!\\)\n/).map((command) => command.split(' ', 1)[0]);
    expect(names).toEqual(['pg_dump', 'psql', 'pg_restore', '']);
  });

  it('restores the rows of all tables, among them the list of migrations', async () => {
    const tables = await saved.rows(`
      select oid::regclass::text as name from pg_class where relkind = 'r'
        and relnamespace::regnamespace::text in ('public', 'internal', 'supabase_migrations')`);
    const filled = new Set<unknown>();
    for (const { name } of tables) {
      const read = (session: Session) =>
        session.rows(`select t::text as row from ${String(name)} t order by 1`);
      const rows = await read(saved);
      expect(await read(restored), String(name)).toEqual(rows);
      if (rows.length > 0) filled.add(name);
    }
    expect(filled.size).toBeGreaterThan(15);
    expect(filled).toContain('supabase_migrations.schema_migrations');
  });

  it.each([
    [
      'positions of all sequences',
      3,
      'select schemaname, sequencename, last_value from pg_sequences order by 1, 2',
    ],
    [
      'rights of all roles on tables',
      100,
      `select object, r.role, has_any_column_privilege(r.role, oid, 'select') as reads,
         has_table_privilege(r.role, oid, 'insert, update, delete, truncate') as writes, relrowsecurity as secured
       from (select c.*, c.oid::regclass::text as object from pg_class c where relkind in ('r', 'p')) t
       cross join ${ROLES} where relnamespace ${IN_SCHEMAS} order by 1, 2`,
    ],
    [
      'rights of all roles on schemas',
      6,
      `select nspname, r.role, has_schema_privilege(r.role, oid, 'usage') as uses from pg_namespace
       cross join ${ROLES} where nspname in ('public', 'internal', 'extensions') order by 1, 2`,
    ],
    [
      'rights of all roles on functions',
      300,
      `select p.oid::regprocedure::text as object, r.role, has_function_privilege(r.role, p.oid, 'execute') as calls
       from pg_proc p cross join ${ROLES} where pronamespace ${IN_SCHEMAS} order by 1, 2`,
    ],
  ])('restores the %s', async (_, minRows, sql) => {
    const before = await saved.rows(sql);
    expect(before.length).toBeGreaterThan(minRows);
    expect(await restored.rows(sql)).toEqual(before);
  });

  it('lets the public role read what pages show, and nothing else', async () => {
    await restored.exec('set role anon');
    const slug = toEndpointId(1);
    expect(
      await restored.rows(`
        select slug, score, jsonb_array_length(public.endpoint_days(endpoint_id)) as days
        from public.snapshots where endpoint_id = '${slug}'`),
    ).toEqual([{ slug, score: 90, days: 1 }]);
    await expect(restored.rows('select 1 from public.payments')).rejects.toThrow('permission denied');
    await restored.exec('reset role');
  });
});
