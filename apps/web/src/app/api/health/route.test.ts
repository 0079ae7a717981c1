import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { GET as getLiveness } from './live/route.ts';

// Test files share their modules, so another file may have created the database client with another URL.
vi.resetModules();
const { GET } = await import('./route.ts');

/** Response of the test server that replaces the database. The package `store` tests the real database. */
const database = { status: 200, body: null as unknown, isWritable: true, calls: 0 };
const server = createServer(({ url }, response) => {
  database.calls += 1;
  response.writeHead(database.status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(url?.endsWith('/is_writable') === true ? database.isWritable : database.body));
});

beforeAll(() => new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready)));
afterAll(() => server.close());
beforeEach(() => {
  for (const name of ['database-health', 'database-writable']) globalThis.touchstoneValues?.delete(name);
  Object.assign(database, { status: 200, body: null, isWritable: true, calls: 0 });
  vi.stubEnv('SUPABASE_URL', `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
  vi.stubEnv('SUPABASE_PUBLISHABLE_KEY', 'publishable');
  vi.stubEnv('SUPABASE_SECRET_KEY', 'secret');
  vi.stubEnv('BASE_URL', 'https://touchstone.example');
  vi.stubEnv('X402_PAY_TO', `0x${'1'.repeat(40)}`);
  vi.stubEnv('X402_FACILITATOR_URL', 'https://facilitator.example');
  vi.stubEnv('RPC_URLS', 'eip155:8453=https://rpc.example');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

it('is ready and sells while the database responds', async () => {
  const [response] = await Promise.all([GET(), GET()]);
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toEqual({ ok: true, canSell: true });
  expect(database.calls).toBe(2);
});

it('is ready but sells nothing while the database accepts no writes', async () => {
  database.isWritable = false;
  const response = await GET();
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    ok: true,
    canSell: false,
    detail: expect.stringContaining('accepts no writes') as string,
  });
});

it('is ready but sells nothing without payment settings', async () => {
  vi.stubEnv('X402_PAY_TO', '');
  // The settings are read once in each process.
  vi.resetModules();
  const { GET: getHealth } = await import('./route.ts');
  expect(await (await getHealth()).json()).toMatchObject({
    ok: true,
    canSell: false,
    detail: expect.stringContaining('X402_PAY_TO') as string,
  });
});

it('is not ready if the database refuses the request, but alive, and logs the cause', async () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  Object.assign(database, { status: 401, body: { message: 'Invalid API key' } });
  const response = await GET();
  const lines = write.mock.calls.map(([line]) => String(line));
  write.mockRestore();
  expect(response.status).toBe(503);
  const body: unknown = await response.json();
  expect(body).toMatchObject({
    ok: false,
    canSell: false,
    detail: expect.stringContaining('The log of the site names the cause.') as string,
  });
  expect(JSON.stringify(body)).not.toContain('Invalid API key');
  expect(lines).toEqual([expect.stringContaining('Invalid API key')]);
  const alive = getLiveness();
  expect([alive.status, await alive.json()]).toEqual([200, { ok: true }]);
});

it('names the missing migrations', async () => {
  database.body = [];
  const response = await GET();
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    ok: false,
    canSell: false,
    detail: expect.stringMatching(/20261127000101_catalog to .+ `npx supabase db push`/) as string,
  });
});
