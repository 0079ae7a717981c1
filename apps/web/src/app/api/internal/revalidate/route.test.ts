import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const revalidateTag = vi.hoisted(() => vi.fn());
vi.mock('next/cache', () => ({ revalidateTag }));
// Test files share their modules, so another file may have loaded the route with the real function.
vi.resetModules();
const { POST } = await import('./route.ts');

const TOKEN = '0123456789abcdef';

const post = (body: string, authorization: string | null = `Bearer ${TOKEN}`) =>
  POST(
    new Request('http://localhost/api/internal/revalidate', {
      method: 'POST',
      body,
      headers: authorization === null ? {} : { authorization },
    }),
  );

beforeEach(() => {
  revalidateTag.mockClear();
  vi.stubEnv('SUPABASE_URL', 'http://localhost:1');
  vi.stubEnv('SUPABASE_PUBLISHABLE_KEY', 'publishable');
  vi.stubEnv('SUPABASE_SECRET_KEY', 'secret');
  vi.stubEnv('BASE_URL', '');
  vi.stubEnv('INTERNAL_TOKEN', TOKEN);
});

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('POST /api/internal/revalidate', () => {
  it('expires every tag at once', async () => {
    const response = await post('{"tags":["endpoint:abcdefgh27","leaderboard"]}');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ revalidated: 2 });
    expect(revalidateTag.mock.calls).toEqual([
      ['endpoint:abcdefgh27', { expire: 0 }],
      ['leaderboard', { expire: 0 }],
    ]);
  });

  it.each([null, 'Bearer wrong', `Basic ${TOKEN}`])(
    'refuses the Authorization header %j',
    async (authorization) => {
      const response = await post('{"tags":["leaderboard"]}', authorization);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      expect(await response.json()).toMatchObject({ status: 401, code: 'unauthorized' });
      expect(revalidateTag).not.toHaveBeenCalled();
    },
  );

  it('does not exist while no token is set', async () => {
    vi.stubEnv('INTERNAL_TOKEN', '');
    expect((await post('{"tags":["leaderboard"]}', 'Bearer ')).status).toBe(404);
    expect(revalidateTag).not.toHaveBeenCalled();
  });

  it('accepts at most 128 tags', async () => {
    const tags = (count: number) =>
      JSON.stringify({ tags: Array.from({ length: count }, (_, index) => `tag:${index}`) });
    expect((await post(tags(128))).status).toBe(200);
    expect(revalidateTag).toHaveBeenCalledTimes(128);
    expect((await post(tags(129))).status).toBe(400);
    expect(revalidateTag).toHaveBeenCalledTimes(128);
  });

  it.each([
    ...['', 'tags', 'null', '{}', '{"tags":"leaderboard"}', '{"tags":[""]}'],
    JSON.stringify({ tags: ['x'.repeat(301)] }),
    JSON.stringify({ tags: ['a'], padding: 'x'.repeat(70_000) }),
  ])('refuses the body %.40s', async (body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'invalid-request' });
    expect(revalidateTag).not.toHaveBeenCalled();
  });
});
