import { describe, expect, it, vi } from 'vitest';
import { REMOVED_ID, useTestDatabase } from '../../testing/test-database.ts';

const { database, getModules } = useTestDatabase(() => import('./picture-route.ts'));

const PICTURE = 'api-example-com-weather-xvdduuxtfa.png';

const get = (name: string, headers: Record<string, string> = {}) =>
  Promise.resolve(
    getModules().pictureRoute.GET(new Request(`https://touchstone.example/picture/${name}`, { headers })),
  );

/** Reads width and height from the header of a PNG image (PNG specification, section 11.2.1). */
function readSize(png: Buffer): readonly [number, number] {
  expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

describe('/picture/{slug}.png', () => {
  it.each([PICTURE, 'site.png'])('responds with an image of 1200 by 630 pixels to %s', async (name) => {
    const response = await get(name);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    expect(response.headers.get('ratelimit')).not.toBeNull();
    expect(readSize(Buffer.from(await response.arrayBuffer()))).toEqual([1200, 630]);
    const etag = response.headers.get('etag') ?? '';
    expect((await get(name, { 'if-none-match': etag })).status).toBe(304);
  });

  it('counts only pictures that must be drawn for the rate limit of pictures', async () => {
    vi.resetModules();
    const { pictureRoute: fresh } = await import('./picture-route.ts');
    const request = async (name: string) => {
      const response = await fresh.GET(new Request(`https://touchstone.example/picture/${name}`));
      expect(response.status).toBe(200);
      return (response.headers.get('ratelimit-policy') ?? '').match(/[a-z]+(?=")/g);
    };
    expect(await request(PICTURE)).toEqual(['picture', 'free']);
    expect(await request(PICTURE)).toEqual(['free']);
    expect(await request('site.png')).toEqual(['free']);
  });

  it('responds with 503 if too many pictures wait', async () => {
    vi.resetModules();
    vi.doMock('./draw-picture.tsx', () => ({ findPicture: () => null, drawPicture: () => null }));
    const { pictureRoute: busy } = await import('./picture-route.ts');
    vi.doUnmock('./draw-picture.tsx');
    const response = await busy.GET(new Request(`https://touchstone.example/picture/${PICTURE}`));
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('60');
    expect(await response.json()).toMatchObject({ code: 'picture-unavailable' });
  });

  it.each([
    ['api-example-com-weather-aaaaaaaaaa.png', ['snapshots', 'page_target']],
    ['another-slug-xvdduuxtfa.png', ['snapshots']],
    ['api-example-com-weather-xvdduuxtfa.svg', []],
    ['unknown.png', []],
    ['..png', []],
  ])('responds with a problem to %s', async (name, calls) => {
    database.reset();
    const response = await get(name);
    expect(response.status).toBe(404);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({ code: 'unknown-resource', instance: `/picture/${name}` });
    expect(database.listCalls()).toEqual(calls);
  });

  it('responds with 410 for an endpoint that was removed', async () => {
    expect((await get(`api-example-com-${REMOVED_ID}.png`)).status).toBe(410);
  });
});
