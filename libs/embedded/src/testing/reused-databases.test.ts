import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createKeys } from '../keys.ts';
import type { EmbeddedDatabase, EmbeddedKeys } from '../start.ts';
import { readDefinitions } from './reset-database.ts';
import { startReused } from './reused-databases.ts';

/** Starts a database with its own keys, and returns functions that call its API. */
async function open() {
  const keys = createKeys();
  const database = await startReused({ keys });
  const call = async (path: string, init: RequestInit = {}, { secret }: EmbeddedKeys = keys) =>
    fetch(`${database.url}/rest/v1/${path}`, {
      ...init,
      headers: { apikey: secret, 'content-type': 'application/json' },
    });
  const read = async (path: string): Promise<unknown> => (await call(path)).json();
  const startDiscovery = async (): Promise<void> => {
    const body = JSON.stringify({ p_directory: 'stored by a test', p_at: '2026-11-01T00:00:00Z' });
    const response = await call('rpc/start_discovery', { method: 'POST', body });
    expect(response.status).toBe(200);
  };
  return { database, keys, call, read, startDiscovery };
}

const countPartitions = async ({ connection: { driver } }: EmbeddedDatabase): Promise<unknown> =>
  (await driver.query('select count(*)::int as partitions from pg_inherits join pg_class on oid = inhrelid'))
    .rows;

describe('a reused database', () => {
  it('is used again without the rows of the earlier test, and with new keys', async () => {
    const first = await open();
    const totals = await first.read('ecosystem_totals');
    const partitions = await countPartitions(first.database);
    await first.startDiscovery();
    await first.database.connection.driver.exec(`
      update public.ecosystem_totals set figures = '{}';
      create table public.observations_20260101 partition of public.observations
        for values from ('2026-01-01') to ('2026-01-02')`);
    await Promise.all([first.database.close(), first.database.close()]);

    const second = await open();
    expect(second.database.connection).toBe(first.database.connection);
    expect(await second.read('discovery_runs')).toEqual([]);
    expect(await second.read('ecosystem_totals')).toEqual(totals);
    expect(totals).toHaveLength(1);
    expect(await countPartitions(second.database)).toEqual(partitions);
    await second.startDiscovery();
    expect(await second.read('discovery_runs?select=id')).toEqual([{ id: 1 }]);
    expect((await second.call('discovery_runs', {}, first.keys)).status).toBe(401);
    await second.database.close();
  });

  it('is used by one test at a time', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    await one.startDiscovery();
    expect(await other.read('discovery_runs')).toEqual([]);
    await Promise.all([one.database.close(), other.database.close()]);
  });

  it('is not used again after a change of its tables', async () => {
    const first = await open();
    await first.database.connection.driver.exec('create table public.mine (id integer)');
    await first.database.close();
    const second = await open();
    expect(second.database.connection).not.toBe(first.database.connection);
    await second.database.close();
  });

  it('is used again with its first role and without the locks of the earlier test', async () => {
    const first = await open();
    const { driver } = first.database.connection;
    const readSession = async () =>
      (
        await driver.query(`select current_user::text,
          (select count(*)::int from pg_locks where locktype = 'advisory') as locks,
          (select count(*)::int from pg_listening_channels()) as channels`)
      ).rows;
    const before = await readSession();
    await driver.exec('select pg_advisory_lock(1); listen mine; set role anon');
    expect(await readSession()).toEqual([{ current_user: 'anon', locks: 1, channels: 1 }]);
    await first.database.close();
    const second = await open();
    expect(second.database.connection).toBe(first.database.connection);
    expect(await readSession()).toEqual(before);
    await second.database.close();
  });

  it('is used again by a module that was loaded again', async () => {
    const first = await open();
    await first.database.close();
    vi.resetModules();
    const again = await import('./reused-databases.ts');
    const second = await again.startReused({ keys: createKeys() });
    expect(second.connection).toBe(first.database.connection);
    await second.close();
  });

  it('is closed when it cannot be reset, and the error is reported', async () => {
    const { database } = await open();
    const { driver } = database.connection;
    await expect(driver.exec('begin; select 1 / 0')).rejects.toThrow('division by zero');
    await expect(database.close()).rejects.toThrow('current transaction is aborted');
    await expect(driver.query('select 1')).rejects.toThrow('closed');
  });
});

describe('readDefinitions', () => {
  let database: EmbeddedDatabase;
  let before: string;
  beforeAll(async () => {
    ({ database } = await open());
    before = await readDefinitions(database.connection.driver);
  });
  afterAll(() => database.close());

  it.each([
    'alter table public.payments add column mine integer',
    'create index mine on public.payments (created_at)',
    'alter table public.payments disable trigger all',
    'create rule mine as on insert to public.payments do instead nothing',
    'alter sequence public.discovery_runs_id_seq increment 2',
    "create type public.mine as enum ('one')",
    'create statistics public.mine on network, asset from public.payments',
    'create publication mine for table public.payments',
    'drop function public.delete_unused_texts',
    'revoke insert on public.payments from service_role',
    'alter role anon set statement_timeout = 1',
    'create role mine',
    'set enable_seqscan = off',
    'analyze public.ecosystem_totals',
  ])('changes with "%s"', async (statement) => {
    const { driver } = database.connection;
    try {
      await driver.exec(`begin; ${statement}`);
      expect(await readDefinitions(driver)).not.toBe(before);
    } finally {
      await driver.exec('rollback');
    }
    expect(await readDefinitions(driver)).toBe(before);
  });

  it('stays the same when a sequence starts again', async () => {
    const { driver } = database.connection;
    await driver.exec('alter sequence public.discovery_runs_id_seq restart');
    expect(await readDefinitions(driver)).toBe(before);
  });
});
