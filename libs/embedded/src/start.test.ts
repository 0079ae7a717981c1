import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createKeys, startEmbedded, type EmbeddedDatabase } from './index.ts';
import { MIGRATIONS, migrate, readMigrations } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { serve } from './serve.ts';
import { migratedTemplate } from './testing/migrated-template.ts';
import { startNew } from './testing/start-migrated.ts';

const root = mkdtempSync(join(tmpdir(), 'touchstone-embedded-'));
const keys = createKeys();
const migrations = readMigrations(MIGRATIONS);
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

const headers = { 'content-type': 'application/json', apikey: keys.secret };

function call(url: string, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(new URL(`/rest/v1/${path}`, url), { ...init, headers });
}

describe('the embedded database', () => {
  it(
    'keeps its data after a clean or unclean end, and applies each migration once',
    { timeout: 180_000 },
    async () => {
      const [dataDir, remains] = [join(root, 'data'), join(root, 'remains')];
      const first = await startEmbedded({ dataDir, keys });
      expect(first.applied.length).toBeGreaterThan(0);
      const written = await call(first.url, 'rpc/start_discovery', {
        method: 'POST',
        body: JSON.stringify({ p_directory: 'kept', p_at: '2026-11-01T00:00:00Z' }),
      });
      expect(written.status).toBe(200);
      // A copy of the files of an open database is the same as the files that a killed process leaves.
      cpSync(dataDir, remains, { recursive: true });
      await first.close();
      expect(existsSync(join(dataDir, 'PG_VERSION'))).toBe(true);

      for (const folder of [dataDir, remains]) {
        const second = await startEmbedded({ dataDir: folder, keys });
        expect(second.applied).toEqual([]);
        const read = await call(second.url, 'discovery_runs?select=directory');
        expect(await read.json()).toEqual([{ directory: 'kept' }]);
        await second.close();
      }
    },
  );

  it('has pgvector, parses arrays, and rejects requests without a valid key', async () => {
    const database = await startEmbedded({ keys, template: await migratedTemplate() });
    const { driver } = database.connection;
    const { rows } = await driver.query(
      `select '[1,0]'::extensions.vector operator(extensions.<=>) '[0,1]'::extensions.vector as distance,
              array['a', 'b'] as texts, array[1.5]::float8[] as floats, array[row('a', null)]::internal.slot[] as slots`,
    );
    expect(rows).toEqual([{ distance: 1, texts: ['a', 'b'], floats: [1.5], slots: ['(a,)'] }]);
    // The parsers of arrays of table rows and of most system types are removed.
    expect(Object.keys(driver.parsers).length).toBeLessThan(80);
    const endpoint = new URL('/rest/v1/snapshots', database.url);
    expect((await fetch(endpoint)).status).toBe(401);
    expect((await fetch(endpoint, { headers: { apikey: 'sb_secret_wrong' } })).status).toBe(401);
    const allowed = await fetch(endpoint, { headers: { apikey: keys.publishable } });
    expect(allowed.status).toBe(200);
    // A busy client can leave its connection idle for long.
    expect(allowed.headers.get('keep-alive')).toBe('timeout=60');
    await database.close();
  });
});

describe('an embedded database that several tests use', () => {
  let database: EmbeddedDatabase;
  beforeAll(async () => {
    database = await startNew({ keys });
  });
  afterEach(() =>
    database.connection.driver.exec(`drop table if exists one, two;
      delete from supabase_migrations.schema_migrations
        where version not in (${migrations.map(({ version }) => `'${version}'`).join()})`),
  );
  afterAll(() => database.close());

  it('names a failed migration and rolls it back', async () => {
    const broken = {
      version: '99990101000000',
      name: 'broken',
      sql: 'create table half (id int); select 1/0;',
    };
    await expect(migrate(database.connection.driver, [...migrations, broken])).rejects.toThrow(
      'Migration 99990101000000_broken failed: division by zero',
    );
    const { rows } = await database.connection.driver.query(`select to_regclass('public.half') as half`);
    expect(rows).toEqual([{ half: null }]);
  });

  it('applies the rest of the migrations after an interrupted start', async () => {
    const { driver } = database.connection;
    const one = { version: '99990101000000', name: 'one', sql: 'create table one (id int);' };
    const two = { version: '99990102000000', name: 'two', sql: 'create table two (id int);' };
    expect(await migrate(driver, [...migrations, one])).toEqual([one.version]);
    expect(await migrate(driver, [...migrations, one, two])).toEqual([two.version]);
    expect(await migrate(driver, [...migrations, one, two])).toEqual([]);
  });

  it.each([
    ['another text of a migration', '99990101000000', 'create table one (id bigint);'],
    ['a migration that this version lacks', '99990101000001', 'create table one (id int);'],
  ])('refuses a database with %s, and does not modify it', async (_, version, sql) => {
    const { driver } = database.connection;
    const created = { version: '99990101000000', name: 'one', sql: 'create table one (id int);' };
    await migrate(driver, [...migrations, created]);
    const other = { version, name: 'one', sql };
    const later = { version: '99990102000000', name: 'two', sql: 'create table two (id int);' };
    await expect(migrate(driver, [...migrations, other, later], '/data')).rejects.toThrow(
      'The data folder /data was created by another version of Touchstone. Move it away, and start again.',
    );
    await expect(driver.query('select * from two')).rejects.toThrow('does not exist');
  });

  it('throws when its port is in use', async () => {
    const port = Number(new URL(database.url).port);
    await expect(startNew({ keys, port })).rejects.toThrow('EADDRINUSE');
  });
});

it('limits no request in time, because the request of a backup stays open until its files are copied', async () => {
  const opened = await openDatabase({ template: await migratedTemplate(), onFatal: () => undefined });
  const server = await serve(opened.connection, { keys, backups: null });
  expect(server.requestTimeout).toBe(0);
  server.close();
  await opened.connection.close();
});
