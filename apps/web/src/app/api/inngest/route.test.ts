import { createHmac } from 'node:crypto';
import { NextRequest } from 'next/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

vi.mock('next/cache', () => ({ revalidateTag: vi.fn() }));

const KEY = '5a'.repeat(32);
const ADDRESS = 'https://touchstone.example.com/api/inngest';

/** Imports the route module again, because its Inngest client reads the environment when the module is imported. */
async function importRoute() {
  vi.resetModules();
  return import('./route.ts');
}

/**
 * Creates a signed request. Inngest signs canonical JSON. The bodies in this file are already canonical: they have
 * sorted members and no spaces.
 */
function createRequest(method: string, body: object | null, key: string | null): NextRequest {
  const text = body === null ? '' : JSON.stringify(body);
  const seconds = Math.floor(Date.now() / 1000);
  const digest = createHmac('sha256', key ?? '')
    .update(`${text}${seconds}`)
    .digest('hex');
  return new NextRequest(ADDRESS, {
    method,
    ...(body === null ? {} : { body: text }),
    headers: {
      'content-type': 'application/json',
      ...(key === null ? {} : { 'x-inngest-signature': `t=${seconds}&s=${digest}` }),
    },
  });
}

const call = { ctx: { run_id: 'run' }, event: { data: {}, name: 'x' }, events: [], steps: {}, version: 2 };

beforeEach(() => {
  vi.stubEnv('NODE_ENV', 'production');
  vi.stubEnv('INNGEST_SIGNING_KEY', `signkey-prod-${KEY}`);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe('/api/inngest', () => {
  it('does not exist while no signing key is set', async () => {
    vi.stubEnv('INNGEST_SIGNING_KEY', '');
    const { GET, POST, PUT } = await importRoute();
    expect((await GET(createRequest('GET', null, KEY), {})).status).toBe(404);
    expect((await POST(createRequest('POST', call, KEY), {})).status).toBe(404);
    expect((await PUT(createRequest('PUT', { url: ADDRESS }, KEY), {})).status).toBe(404);
  });

  it.each([null, 'another'])('refuses a request signed with the key %j', async (key) => {
    // Development machines set INNGEST_DEV. In production, this variable must not disable the signature check.
    vi.stubEnv('INNGEST_DEV', '1');
    const { GET, POST, PUT } = await importRoute();
    expect((await GET(createRequest('GET', null, key), {})).status).toBe(401);
    expect((await POST(createRequest('POST', call, key), {})).status).toBe(401);
    expect((await PUT(createRequest('PUT', { url: ADDRESS }, key), {})).status).toBe(401);
  });

  it('registers all jobs with Inngest', async () => {
    const { GET } = await importRoute();
    const response = await GET(createRequest('GET', null, KEY), {});
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ mode: 'cloud', function_count: 15 });
  });
});
