import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { Migration } from '../migrate.ts';
import { createKeys } from '../keys.ts';
import { startEmbedded, type EmbeddedDatabase } from '../start.ts';
import { migratedTemplate } from './migrated-template.ts';
import { startNew } from './start-migrated.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-template-'));
const cache = pathToFileURL(`${join(folder, 'created when needed')}/`);
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const keys = createKeys();

/** Lists the objects of the project's schemas with their kinds, names and access rights. */
async function listObjects({ connection: { driver } }: EmbeddedDatabase): Promise<readonly unknown[]> {
  const { rows } = await driver.query(`
    select 'relation' as kind, oid::regclass::text as name, relacl::text as acl, relkind::text as detail
      from pg_class where relnamespace::regnamespace::text in ('public', 'internal')
    union all
    select 'function', oid::regprocedure::text, proacl::text, md5(prosrc)
      from pg_proc where pronamespace::regnamespace::text in ('public', 'internal')
    union all
    select 'policy', polname::text, polrelid::regclass::text, pg_get_expr(polqual, polrelid)
      from pg_policy
    union all
    select 'role', rolname::text, rolbypassrls::text, rolcanlogin::text
      from pg_roles where rolname !~ '^pg_'
    union all
    select 'extension', extname::text, extversion, null from pg_extension
    order by 1, 2, 3, 4`);
  return rows;
}

/** Returns the number of rows of each table that is not empty. */
async function countRows({ connection: { driver } }: EmbeddedDatabase): Promise<readonly unknown[]> {
  const { rows } = await driver.query<{ sql: string }>(`
    select string_agg(format('select %L as name, count(*)::int as rows from %1$s', oid::regclass), ' union all ') as sql
      from pg_class where relkind in ('r', 'p') and relnamespace::regnamespace::text !~ '^(pg_|information_schema)'`);
  const counted = await driver.query(
    `select * from (${rows[0]?.sql ?? ''}) counts where rows > 0 order by name`,
  );
  return counted.rows;
}

describe('a migrated template', () => {
  it('gives the same database as applying all migrations', { timeout: 180_000 }, async () => {
    const migrated = await startEmbedded({ keys });
    const expected = await listObjects(migrated);
    const rows = await countRows(migrated);
    await migrated.close();
    const cloned = await startNew({ keys });
    expect(cloned.applied).toEqual([]);
    expect(expected.length).toBeGreaterThan(100);
    expect(await listObjects(cloned)).toEqual(expected);
    expect(rows).toContainEqual({
      name: 'supabase_migrations.schema_migrations',
      rows: migrated.applied.length,
    });
    expect(await countRows(cloned)).toEqual(rows);
    await cloned.close();
  });

  it('gives each database its own data', async () => {
    const [one, other] = await Promise.all([startNew({ keys }), startNew({ keys })]);
    await one.connection.driver.exec('create table public.mine (id int)');
    await expect(other.connection.driver.query('select * from public.mine')).rejects.toThrow(
      'does not exist',
    );
    await Promise.all([one.close(), other.close()]);
  });
});

describe('templates', () => {
  const first = { version: '20260101000000', name: 'first', sql: 'create table one (id int);' };
  const second = { version: '20260102000000', name: 'second', sql: 'create table two (id int);' };
  let created = 0;
  const readTemplate = async (...migrations: readonly Migration[]): Promise<string> => {
    const create = async (): Promise<Blob> => new Blob([`archive ${(created += 1)}`]);
    const template = await migratedTemplate({ migrations, cache, create });
    return template.text();
  };

  it('are created once, in a folder that is created when needed', async () => {
    expect(await readTemplate(first)).toBe('archive 1');
    expect(await readTemplate(first)).toBe('archive 1');
  });

  it('are created again for other migrations, and replace the earlier one', async () => {
    expect(await readTemplate({ ...first, sql: 'create table one (id bigint);' })).toBe('archive 2');
    expect(await readTemplate(first, second)).toBe('archive 3');
    expect(await readTemplate(second)).toBe('archive 4');
    expect(await readTemplate(second)).toBe('archive 4');
    expect(readdirSync(cache)).toHaveLength(1);
    expect(await readTemplate(first)).toBe('archive 5');
  });

  it('are not stored when they cannot be created', async () => {
    const create = () => Promise.reject(new Error('no memory'));
    await expect(migratedTemplate({ migrations: [], cache, create })).rejects.toThrow('no memory');
    expect(await readTemplate()).toBe('archive 6');
  });

  it('are complete when several callers need one at once', async () => {
    const migrations = [first, first];
    const big = 'x'.repeat(5_000_000);
    const create = async (): Promise<Blob> => new Blob([big]);
    const taken = await Promise.all(
      Array.from({ length: 4 }, () => migratedTemplate({ migrations, cache, create })),
    );
    for (const template of taken) expect(await template.text()).toBe(big);
    expect(readdirSync(cache)).toHaveLength(1);
  });
});
