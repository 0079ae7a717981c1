import type { PgliteConnection } from '@supabase/lite/pglite';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createKeys } from './serve.ts';
import type { EmbeddedDatabase } from './start.ts';
import { startNew } from './testing/start-migrated.ts';
import { runRequestsInTransactions, URGENT_FUNCTIONS } from './run-requests.ts';

const SETTINGS = [
  'role',
  'request.jwt.claim.role',
  'request.jwt.claim.sub',
  'storage.operation',
  'request.method',
  'request.path',
  'response.status',
] as const;
const keys = createKeys();
let database: EmbeddedDatabase;
beforeAll(async () => {
  database = await startNew({ keys });
  const values = SETTINGS.map((name) => `'${name}', current_setting('${name}')`).join(', ');
  await database.connection.driver.exec(`
    create function public.read_settings() returns jsonb language sql as $$ select jsonb_build_object(${values}) $$;
    create function public.read_headers() returns text language sql as $$ select current_setting('request.headers') $$;
    create function public.write_and_fail() returns void language plpgsql as $$ begin
      create table public.half (id int); perform 1/0;
    end $$;
    grant create on schema public to service_role;
    notify pgrst, 'reload schema';
  `);
});
afterAll(() => database.close());

const call = async (name: string, key: string): Promise<unknown> => {
  const response = await fetch(`${database.url}/rest/v1/rpc/${name}`, {
    method: 'POST',
    headers: { apikey: key, 'content-type': 'application/json', 'x-sent': 'by a test' },
    body: '{}',
  });
  return response.json();
};

it.each([
  ['service_role', keys.secret],
  ['anon', keys.publishable],
])('a function called as %s reads the settings of its request', async (role, key) => {
  expect(await call('read_settings', key)).toEqual({
    role,
    'request.jwt.claim.role': role,
    'request.jwt.claim.sub': '',
    'storage.operation': '',
    'request.method': 'POST',
    'request.path': expect.stringMatching(/\/rpc\/read_settings$/) as string,
    'response.status': '',
  });
  expect(JSON.parse(String(await call('read_headers', key)))).toMatchObject({ 'x-sent': 'by a test' });
});

it('sends the settings of a request with its begin', async () => {
  const { driver } = database.connection;
  const exec = vi.spyOn(driver, 'exec');
  await call('read_headers', keys.secret);
  const sent = exec.mock.calls.map(([sql]) => sql);
  exec.mockRestore();
  expect(sent).toEqual([expect.stringMatching(/^begin; set local request/), 'commit']);
});

it('a header value with quotes, backslashes and SQL stays a value', async () => {
  const value = `'; select 1/0; -- \\' "`;
  const response = await fetch(`${database.url}/rest/v1/rpc/read_headers`, {
    method: 'POST',
    headers: { apikey: keys.secret, 'content-type': 'application/json', 'x-sent': value },
    body: '{}',
  });
  expect(JSON.parse(String(await response.json()))).toMatchObject({ 'x-sent': value });
});

it('runs concurrent requests one after the other, each with its own role', async () => {
  const roles = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? 'service_role' : 'anon'));
  const key = { service_role: keys.secret, anon: keys.publishable };
  const settings = await Promise.all(roles.map((role) => call('read_settings', key[role])));
  expect(settings).toEqual(roles.map((role) => expect.objectContaining({ role }) as unknown));
});

it('rolls a failed request back and serves the next one', async () => {
  expect(await call('write_and_fail', keys.secret)).toMatchObject({ code: '22012' });
  expect(await call('read_settings', keys.secret)).toMatchObject({ role: 'service_role' });
  const { rows } = await database.connection.driver.query(`select to_regclass('public.half') as half`);
  expect(rows).toEqual([{ half: null }]);
});

it('reports the error of a request whose rollback fails too', async () => {
  const { driver } = database.connection;
  const exec = driver.exec.bind(driver);
  vi.spyOn(driver, 'exec').mockImplementation(async (sql) => {
    const results = await exec(sql);
    if (sql === 'rollback') throw new Error('the rollback failed');
    return results;
  });
  expect(await call('write_and_fail', keys.secret)).toMatchObject({ code: '22012' });
  vi.restoreAllMocks();
});

it('marks the requests of a purchase as urgent', async () => {
  const connection = {
    driver: { exec: () => Promise.resolve([]) },
    withContext: () => Promise.resolve(null),
  };
  const urgent: (boolean | undefined)[] = [];
  // The cast is safe, because requests use only these members of a connection.
  const target = connection as unknown as PgliteConnection;
  runRequestsInTransactions(target, {
    lock: (work, { isUrgent } = {}) => {
      urgent.push(isUrgent);
      return work();
    },
    isReadOnly: () => false,
    toError: (error) => error,
  });
  for (const path of ['/rest/v1/rpc/claim_payment', '/rest/v1/rpc/explore', '/rest/v1/snapshots'])
    await target.withContext({ auth: { role: 'service_role' } }, () => Promise.resolve(null), {
      rpc: { method: 'POST', path, readOnly: false },
    });
  expect(urgent).toEqual([true, false, false]);
});

it('names only urgent functions that exist', async () => {
  const { rows } = await database.connection.driver.query<{ proname: string }>(
    `select distinct proname from pg_proc where pronamespace = 'public'::regnamespace`,
  );
  const existing = new Set(rows.map(({ proname }) => proname));
  expect([...URGENT_FUNCTIONS].filter((name) => !existing.has(name))).toEqual([]);
});

it('decides when a request has the lock whether it may write', async () => {
  let isFull = false;
  const [begins, waiting]: [string[], (() => void)[]] = [[], []];
  const exec = (sql: string): Promise<unknown[]> =>
    Promise.resolve(sql.startsWith('begin') ? [begins.push(sql)] : []);
  const connection = { driver: { exec }, withContext: () => Promise.resolve(null) };
  // The cast is safe, because requests use only these members of a connection.
  const target = connection as unknown as PgliteConnection;
  runRequestsInTransactions(target, {
    lock: async (work) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return work();
    },
    isReadOnly: () => isFull,
    toError: (error) => error,
  });
  const done = target.withContext({ auth: { role: 'anon' } }, () => Promise.resolve(null));
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  isFull = true;
  waiting[0]?.();
  await done;
  expect(begins).toEqual([expect.stringMatching(/^begin read only;/)]);
});
