import { describe, expect, it } from 'vitest';
import { REMOVED_ID, useTestDatabase } from '../../testing/test-database.ts';

const { database, getModules } = useTestDatabase(() => import('./badge-route.ts'));

const get = (name: string, headers: Record<string, string> = {}) =>
  Promise.resolve(
    getModules().badgeRoute.GET(new Request(`https://touchstone.example/badge/${name}`, { headers })),
  );

describe('/badge/{id}.svg', () => {
  it('responds with an image that caches may store for five minutes', async () => {
    const response = await get('xvdduuxtfa.svg');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/svg+xml');
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    expect(response.headers.get('ratelimit')).not.toBeNull();
    expect(await response.text()).toContain('Grade A');
    const etag = response.headers.get('etag') ?? '';
    expect((await get('xvdduuxtfa.svg', { 'if-none-match': etag })).status).toBe(304);
  });

  it('responds with 410 for an endpoint that was removed on request', async () => {
    const response = await get(`${REMOVED_ID}.svg`);
    expect(response.status).toBe(410);
    expect(await response.json()).toMatchObject({ code: 'resource-removed' });
  });

  it.each([
    ['aaaaaaaaaa.svg', ['snapshots', 'page_target']],
    ['xvdduuxtfa.png', []],
    ['api-example-com-weather-xvdduuxtfa.svg', []],
    ['..svg', []],
  ])('responds with a problem to %s', async (name, calls) => {
    database.reset();
    const response = await get(name);
    expect(response.status).toBe(404);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({ code: 'unknown-resource', instance: `/badge/${name}` });
    expect(database.listCalls()).toEqual(calls);
  });
});

describe('/badge/check.svg', () => {
  it('has a badge for a URL without a check, and needs a URL', async () => {
    database.reset();
    const response = await get('check.svg?url=https://api.example.com/v1&method=POST');
    expect(response.headers.get('content-type')).toBe('image/svg+xml');
    expect(await response.text()).toContain('No check today');
    expect(database.findCall('find_check')).toMatchObject({
      p_resource: 'https://api.example.com/v1',
      p_method: 'POST',
    });
    expect((await get('check.svg')).status).toBe(400);
  });
});
