import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createKeys } from './keys.ts';
import type { EmbeddedDatabase } from './start.ts';
import { startMigrated } from './testing/start-migrated.ts';

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
  database = await startMigrated({ keys });
  const values = SETTINGS.map((name) => `'${name}', current_setting('${name}')`).join(', ');
  await database.connection.driver.exec(`
    create function public.read_settings() returns jsonb language sql as $$ select jsonb_build_object(${values}) $$;
    create function public.read_headers() returns text language sql as $$ select current_setting('request.headers') $$;
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

it('the settings of a request are set with two queries', async () => {
  const query = vi.spyOn(database.connection.driver, 'query');
  await call('read_headers', keys.secret);
  const sent = query.mock.calls.map(([sql]) => sql);
  query.mockRestore();
  expect(sent.filter((sql) => sql.includes('set_config'))).toHaveLength(2);
});
