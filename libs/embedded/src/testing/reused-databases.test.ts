import { expect, it } from 'vitest';
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

it('notices a change of a definition, a right, a setting or the statistics', async () => {
  const { database } = await open();
  const { driver } = database.connection;
  const before = await readDefinitions(driver);
  for (const statement of [
    'alter table public.payments add column mine integer',
    'create index mine on public.payments (created_at)',
    'alter table public.payments disable trigger all',
    'drop function public.delete_unused_texts',
    'revoke insert on public.payments from service_role',
    'alter role anon set statement_timeout = 1',
    'create role mine',
    'set enable_seqscan = off',
    'analyze public.ecosystem_totals',
  ]) {
    await driver.exec(`begin; ${statement}`);
    expect(await readDefinitions(driver), statement).not.toBe(before);
    await driver.exec('rollback');
  }
  expect(await readDefinitions(driver)).toBe(before);
  await database.close();
});
