import { createHmac } from 'node:crypto';
import { NextRequest } from 'next/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

vi.mock('next/cache', () => ({ revalidateTag: vi.fn() }));

const KEY = '5a'.repeat(32);
const ADDRESS = 'https://touchstone.example.com/api/inngest';

/** The route as production has it; the client reads the environment when it is made. */
async function route() {
  vi.resetModules();
  return import('./route.ts');
}

/** Members of these bodies are in order and have no spaces: they are canonical as they are. */
function request(method: string, body: object | null, key: string | null): NextRequest {
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
    const { GET, POST, PUT } = await route();
    expect((await GET(request('GET', null, KEY), {})).status).toBe(404);
    expect((await POST(request('POST', call, KEY), {})).status).toBe(404);
    expect((await PUT(request('PUT', { url: ADDRESS }, KEY), {})).status).toBe(404);
  });

  it.each([null, 'another'])('does nothing for who signs with %j', async (key) => {
    // What a developer's machine may have set does not open production.
    vi.stubEnv('INNGEST_DEV', '1');
    const { GET, POST, PUT } = await route();
    expect((await GET(request('GET', null, key), {})).status).toBe(401);
    expect((await POST(request('POST', call, key), {})).status).toBe(401);
    expect((await PUT(request('PUT', { url: ADDRESS }, key), {})).status).toBe(401);
  });

  it('tells Inngest what the jobs are', async () => {
    const { GET } = await route();
    const answer = await GET(request('GET', null, KEY), {});
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ mode: 'cloud', function_count: 11 });
  });
});
