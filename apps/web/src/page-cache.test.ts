import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import PageCache from './page-cache.ts';

type Value = Parameters<PageCache['set']>[1];
type Page = Extract<Value, { segmentData: unknown }>;

/** Next declares its kinds as a const enum, which has no values here. */
const pageKind = z.custom<Page['kind']>((kind) => kind === 'APP_PAGE').parse('APP_PAGE');

const page = (html: string, { tags = '', status = 200 } = {}): Page => ({
  kind: pageKind,
  html,
  rscData: Buffer.from('flight'),
  headers: { 'x-next-cache-tags': tags },
  postponed: undefined,
  status,
  segmentData: undefined,
});

const cache = () => new PageCache({ maxMemoryCacheSize: 1000 });
const lifetime = { cacheControl: { revalidate: 3600, expire: 86_400 } };

describe('PageCache', () => {
  it('keeps a page with its lifetime, for every handler of the process', async () => {
    const before = Date.now();
    await cache().set('/kept', page('<p>kept</p>'), lifetime);
    const entry = await cache().get('/kept');
    expect(entry).toMatchObject({ value: { html: '<p>kept</p>' }, ...lifetime });
    expect(entry?.lastModified).toBeGreaterThanOrEqual(before);
  });

  it('takes the framework’s scripts out of the very page it is handed', async () => {
    const handed = page('<p>page</p><script>self.__next_f.push([0])</script>');
    await cache().set('/scripts', handed, lifetime);
    expect(handed.html).toBe('<p>page</p>');
  });

  it('tells shared caches where the address of a page answers programs with data', async () => {
    const leaderboard = page('<p>ranks</p>');
    await cache().set('/route-cache/APP_PAGE/0123abcd/$/on-demand/page/leaderboard', leaderboard, lifetime);
    expect(leaderboard.headers).toMatchObject({ vary: 'Accept' });
    const other = page('<p>page</p>');
    await cache().set('/on-demand/page/home', other, lifetime);
    expect(other.headers).not.toHaveProperty('vary');
  });

  it('forgets what was made from data that changed, and only that', async () => {
    await cache().set('/one', page('1', { tags: '_N_T_/one,endpoint:one,leaderboard' }), lifetime);
    await cache().set('/two', page('2', { tags: '_N_T_/two,endpoint:two' }), lifetime);
    await cache().set('data', null, { fetchCache: true, tags: ['endpoint:one'] });
    await cache().revalidateTag(['endpoint:one', 'endpoint:none']);
    expect(await cache().get('/one')).toBeNull();
    expect(await cache().get('data')).toBeNull();
    expect(await cache().get('/two')).not.toBeNull();
  });

  it('keeps no page that is not there, but the one that stands in for all of them', async () => {
    await cache().set('/$/endpoint/made-up', page('404', { status: 404 }), lifetime);
    await cache().set('/$/_not-found', page('404', { status: 404 }), lifetime);
    expect(await cache().get('/$/endpoint/made-up')).toBeNull();
    expect(await cache().get('/$/_not-found')).not.toBeNull();
  });

  it('stays within its memory', async () => {
    for (let index = 0; index < 20; index += 1)
      await cache().set(`/${index}`, page('x'.repeat(300)), lifetime);
    const kept = await Promise.all(Array.from({ length: 20 }, (_, index) => cache().get(`/${index}`)));
    expect(kept.map((entry) => entry !== null).indexOf(true)).toBe(17);
  });
});
