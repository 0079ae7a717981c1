import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';

vi.mock('next/cache', () => ({ revalidateTag: vi.fn() }));

let server: Server;
let userAgents: (string | undefined)[];
beforeAll(async () => {
  server = createServer((request, response) => {
    userAgents.push(request.headers['user-agent']);
    response.writeHead(402).end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
});
afterAll(() => server.close());
beforeEach(() => {
  userAgents = [];
  vi.stubEnv('SUPABASE_URL', 'http://127.0.0.1:1');
  vi.stubEnv('SUPABASE_PUBLISHABLE_KEY', 'publishable');
  vi.stubEnv('SUPABASE_SECRET_KEY', 'secret');
  vi.stubEnv('DIRECTORY_URLS', 'https://d.example');
  vi.stubEnv('EMBEDDER', 'none');
  vi.stubEnv('BASE_URL', 'https://touchstone.example');
});
afterEach(() => vi.unstubAllEnvs());

/** Imports the module again, because the module stores the configuration at its first call. */
async function openContext() {
  vi.resetModules();
  const { openJobContext } = await import('./job-context.ts');
  return openJobContext();
}

it('probes with the settings of the live probe', async () => {
  vi.stubEnv('ALLOW_PRIVATE', 'for-tests');
  vi.stubEnv('PROBE_USER_AGENT', 'Mine/1');
  vi.stubEnv('CANARY_URLS', 'https://one.example,https://two.example');
  const { prober, canaries, directories } = await openContext();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  expect(await prober({ url, methods: ['GET'] })).toMatchObject({ httpStatus: 402 });
  expect(userAgents).toEqual(['Mine/1']);
  expect(canaries?.urls).toEqual(['https://one.example', 'https://two.example']);
  expect(directories).toMatchObject([{ url: 'https://d.example' }]);
});

it('connects to the configured sandbox only', async () => {
  vi.stubEnv('SANDBOX_FILE', '/nowhere/sandbox.json');
  await expect(openContext()).rejects.toThrow('its sandbox.json cannot be read');
});

it('names a variable that is missing', async () => {
  vi.stubEnv('DIRECTORY_URLS', undefined);
  await expect(openContext()).rejects.toThrow('DIRECTORY_URLS: must contain at least one directory URL');
});

it('buys with a wallet and a budget, and shows the key in no error', async () => {
  vi.stubEnv('DELIVERY_BUDGET', 'purchase=0.05 endpoint=0.10 day=1 total=25');
  vi.stubEnv('DELIVERY_KEY', '1'.repeat(64));
  expect((await openContext()).purchases).toMatchObject({ budget: { day: '1' }, skip: [] });
  vi.stubEnv('X402_PAY_TO', '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A');
  vi.stubEnv('X402_FACILITATOR_URL', 'https://facilitator.example');
  vi.stubEnv('BASE_URL', 'https://touchstone.example');
  await expect(openContext()).rejects.toThrow('another wallet than X402_PAY_TO');
  vi.stubEnv('DELIVERY_KEY', 'hidden');
  const rejected = expect(openContext()).rejects;
  await rejected.toThrow(/^DELIVERY_KEY: must be a private key: (?!.*hidden)/);
  vi.stubEnv('DELIVERY_KEY', '');
  await expect(openContext()).rejects.toThrow('DELIVERY_KEY must be set together with DELIVERY_BUDGET.');
});
