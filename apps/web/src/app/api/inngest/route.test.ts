import { NextRequest } from 'next/server';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import {
  ADDRESS,
  createForgedHeader,
  createForgedRequest,
  createRequest,
  createSignature,
  createStalledUpload,
  createUpload,
} from '../../../testing/inngest-requests.ts';

vi.mock('next/cache', () => ({ revalidateTag: vi.fn() }));

const KEY = '5a'.repeat(32);

/** Imports the route module again, because its Inngest client reads the environment when the module is imported. */
async function importRoute() {
  vi.resetModules();
  return import('./route.ts');
}

const call = { ctx: { run_id: 'run' }, event: { data: {}, name: 'x' }, events: [], steps: {}, version: 2 };

/** Maximum length of a request from Inngest, in bytes. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

let errors: MockInstance<typeof console.error>;
/** Route of a service with the signing key. Most tests share this route, because the import takes a second. */
let current: Awaited<ReturnType<typeof importRoute>>;
beforeEach(() => {
  stubEnvironment();
  errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
beforeAll(async () => {
  stubEnvironment();
  current = await importRoute();
});

function stubEnvironment(): void {
  vi.stubEnv('NODE_ENV', 'production');
  vi.stubEnv('INNGEST_SIGNING_KEY', `signkey-prod-${KEY}`);
  vi.stubEnv('BASE_URL', 'https://touchstone.example.com');
  vi.stubEnv('SUPABASE_URL', 'http://127.0.0.1:54321');
  vi.stubEnv('SUPABASE_PUBLISHABLE_KEY', 'publishable');
  vi.stubEnv('SUPABASE_SECRET_KEY', 'secret');
}
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

  it('refuses a request without a signature of its key', async () => {
    // Development machines set INNGEST_DEV. In production, this variable must not disable the signature check.
    vi.stubEnv('INNGEST_DEV', '1');
    const { GET, POST, PUT } = await importRoute();
    for (const key of [null, 'another']) {
      expect((await GET(createRequest('GET', null, key), {})).status).toBe(401);
      expect((await POST(createRequest('POST', call, key), {})).status).toBe(401);
      expect((await PUT(createRequest('PUT', { url: ADDRESS }, key), {})).status).toBe(401);
    }
    expect(errors).not.toHaveBeenCalled();
  });

  it.each<[string, Record<string, string>]>([
    ['no signature', {}],
    ['an old signature', createForgedHeader(6 * 60_000)],
    ['a signature of the future', createForgedHeader(-6 * 60_000)],
    ['a signature without a time', { 'x-inngest-signature': `s=${'0'.repeat(64)}` }],
    ['a short signature', { 'x-inngest-signature': `t=${Math.floor(Date.now() / 1000)}&s=00` }],
  ])('refuses a request with %s before its body is read', async (_, headers) => {
    const { request, countRead } = createUpload(headers, 400);
    const response = await current.POST(request, {});
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(countRead()).toBe(0);
    expect(errors).not.toHaveBeenCalled();
  });

  it('reads at most 4 MiB of a body', async () => {
    const { request, countRead } = createUpload(createForgedHeader(), 400);
    expect((await current.POST(request, {})).status).toBe(413);
    expect(countRead()).toBe(MAX_BODY_BYTES + 1024 * 1024);
    const declared = createUpload(
      { ...createForgedHeader(), 'content-length': String(MAX_BODY_BYTES + 1) },
      5,
    );
    expect((await current.POST(declared.request, {})).status).toBe(413);
    expect(declared.countRead()).toBe(0);
  });

  it('parses no long body with a wrong signature', async () => {
    const parse = vi.spyOn(JSON, 'parse');
    const send = async () => (await current.POST(createForgedRequest(1024 * 1024), {})).status;
    expect(await Promise.all(Array.from({ length: 8 }, send))).toEqual(Array(8).fill(401));
    expect(parse).not.toHaveBeenCalled();
  });

  it('parses at most 300 bodies per minute of a client with wrong signatures, and accepts its valid requests', async () => {
    vi.stubEnv('TRUSTED_PROXIES', '1');
    const { POST } = await importRoute();
    const client = { 'x-forwarded-for': '192.0.2.1' };
    const parse = vi.spyOn(JSON, 'parse');
    const send = async () => (await POST(createForgedRequest(1000, client), {})).status;
    const statuses = await Promise.all(Array.from({ length: 310 }, send));
    expect(statuses).toEqual([...Array<number>(300).fill(401), ...Array<number>(10).fill(429)]);
    expect(parse).toHaveBeenCalledTimes(300);
    const refused = await POST(createForgedRequest(1000, client), {});
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ status: 429, code: 'rate-limited' });

    const neighbour = createForgedRequest(1000, { 'x-forwarded-for': '192.0.2.2' });
    expect((await POST(neighbour, {})).status).toBe(401);
    const valid = createRequest('POST', call, KEY);
    valid.headers.set('x-forwarded-for', client['x-forwarded-for']);
    expect(await (await POST(valid, {})).text()).toContain('No function ID found');
  });

  it('accepts a short body that is not canonical, but no long one', async () => {
    const send = (text: string) => {
      const body = { ...call, event: { data: { text }, name: 'x' } };
      const headers = createSignature(JSON.stringify(body), KEY);
      return current.POST(
        new NextRequest(ADDRESS, { method: 'POST', body: JSON.stringify(body, null, 2), headers }),
        {},
      );
    };
    expect(await (await send('x')).text()).toContain('No function ID found');
    expect((await send('x'.repeat(16 * 1024))).status).toBe(401);
  });

  it('accepts a signed event of 240 kB while 17 forged requests with long bodies never end', async () => {
    // The 17 bodies have 65 MiB in total.
    const stalled = Array.from({ length: 17 }, (_, index) => createStalledUpload(index < 16 ? 4 : 1));
    const replies = stalled.map(({ request }) => current.POST(request, {}));
    await Promise.all(stalled.map(({ hasStalled }) => hasStalled));
    const event = { data: { text: 'x'.repeat(240_000) }, name: 'x' };
    const response = await current.POST(createRequest('POST', { ...call, event }, KEY), {});
    expect(await response.text()).toContain('No function ID found');
    for (const { end } of stalled) end();
    expect((await Promise.all(replies)).map(({ status }) => status)).toContain(429);
  });

  it.each([
    [{ host: '%%%' }, 400, 'invalid-request'],
    [{ host: '1a://x' }, 400, 'invalid-request'],
    [{ host: '[::' }, 400, 'invalid-request'],
    // The body is not JSON.
    [{}, 401, 'unauthorized'],
  ])(
    'refuses a forged request with the headers %j without a message in the log',
    async (header, status, code) => {
      const headers = { ...createForgedHeader(), ...header };
      const request = new NextRequest(ADDRESS, { method: 'POST', body: '{', headers });
      expect(await (await current.POST(request, {})).json()).toMatchObject({ status, code });
      expect(errors).not.toHaveBeenCalled();
    },
  );

  it('accepts a signed event of nearly 4 MiB', async () => {
    const event = { data: { text: 'x'.repeat(MAX_BODY_BYTES - 1000) }, name: 'x' };
    const response = await current.POST(createRequest('POST', { ...call, event }, KEY), {});
    // The SDK reports the missing function only after it has verified the signature.
    expect(response.status).toBe(500);
    expect(await response.text()).toContain('No function ID found');
  });

  it('accepts the fallback key while keys are rotated', async () => {
    vi.stubEnv('INNGEST_SIGNING_KEY', `signkey-prod-${'6b'.repeat(32)}`);
    vi.stubEnv('INNGEST_SIGNING_KEY_FALLBACK', `signkey-prod-${KEY}`);
    const { GET } = await importRoute();
    expect((await GET(createRequest('GET', null, KEY), {})).status).toBe(200);
  });

  it('accepts unsigned requests of a development server outside production', async () => {
    vi.stubEnv('NODE_ENV', 'development');
    vi.stubEnv('INNGEST_SIGNING_KEY', '');
    vi.stubEnv('INNGEST_DEV', '1');
    const { GET, POST } = await importRoute();
    expect((await GET(createRequest('GET', null, null), {})).status).toBe(200);
    expect((await POST(createUpload({}, 400).request, {})).status).toBe(413);
    const response = await POST(createRequest('POST', call, null), {});
    expect(await response.text()).toContain('No function ID found');
  });

  it('registers all jobs with Inngest', async () => {
    const response = await current.GET(createRequest('GET', null, KEY), {});
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ mode: 'cloud', function_count: 18 });
  });
});
