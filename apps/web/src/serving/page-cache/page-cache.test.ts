import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createDefaultCacheHandler } from 'next/dist/server/lib/cache-handlers/default.js';
import { tagsManifest } from 'next/dist/server/lib/incremental-cache/tags-manifest.external.js';
import { SharedCacheControls } from 'next/dist/server/lib/incremental-cache/shared-cache-controls.external.js';
import { z } from 'zod';
import nextConfig from '../../../next.config.ts';
import PageCache, { removeFrameworkScripts } from './page-cache.ts';
import { UNSTORED_TAG } from './page-lifetime.ts';
import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Graph } from 'schema-dts';
import { JsonLd } from '../../page-parts/json-ld.tsx';

type Value = Parameters<PageCache['set']>[1];
type Page = Extract<Value, { segmentData: unknown }>;

/**
 * Kind of a cache entry that contains a page. Next declares the kinds as a const enum without values at run time, so
 * Zod gives the string the type of the enum.
 */
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

const cache = () => new PageCache({ maxBytes: 100_000 });

/** Returns text that gzip compresses to about the given number of bytes. */
const createText = (bytes: number): string => randomBytes(bytes).toString('base64');
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const lifetime = { cacheControl: { revalidate: 3600, expire: 86_400 } };

describe('PageCache', () => {
  it('stores a page with its lifetime for every handler of the process', async () => {
    const before = Date.now();
    await cache().set('/kept', page('<p>kept</p>'), lifetime);
    const entry = await cache().get('/kept');
    expect(entry).toMatchObject({ value: { html: '<p>kept</p>' }, ...lifetime });
    expect(entry?.lastModified).toBeGreaterThanOrEqual(before);
  });

  it('removes the scripts of Next from the page object that it receives', async () => {
    const received = page('<p>page</p><script>self.__next_f.push([0])</script>');
    await cache().set('/scripts', received, lifetime);
    expect(received.html).toBe('<p>page</p>');
  });

  it.each(['leaderboard', 'stats', 'mcp'])('adds Vary to %s, whose URL has another format', async (name) => {
    const received = page('<p>page</p>');
    await cache().set(`/route-cache/APP_PAGE/0123abcd/$/on-demand/page/${name}`, received, lifetime);
    expect(received.headers).toMatchObject({ vary: 'Accept, User-Agent' });
  });

  it('does not store data with the unstored tag, nor pages with such data', async () => {
    const received = page('<p>found</p><script>self.__next_f.push([0])</script>', {
      tags: `_N_T_/found,${UNSTORED_TAG}`,
    });
    await cache().set('/found', received, lifetime);
    await cache().set('found', null, { fetchCache: true, tags: [UNSTORED_TAG] });
    expect(received.html).toBe('<p>found</p>');
    expect(await cache().get('/found')).toBeNull();
    expect(await cache().get('found')).toBeNull();
  });

  it('deletes the entries with a revalidated tag and no others', async () => {
    await cache().set('/one', page('1', { tags: '_N_T_/one,endpoint:one,leaderboard' }), lifetime);
    await cache().set('/two', page('2', { tags: '_N_T_/two,endpoint:two' }), lifetime);
    await cache().set('data', null, { fetchCache: true, tags: ['endpoint:one'] });
    await cache().revalidateTag(['endpoint:one', 'endpoint:none']);
    expect(await cache().get('/one')).toBeNull();
    expect(await cache().get('data')).toBeNull();
    expect(await cache().get('/two')).not.toBeNull();
  });

  it('stores no 404 page except the shared not-found page', async () => {
    await cache().set('/$/endpoint/made-up', page('404', { status: 404 }), lifetime);
    await cache().set('/$/_not-found', page('404', { status: 404 }), lifetime);
    expect(await cache().get('/$/endpoint/made-up')).toBeNull();
    expect(await cache().get('/$/_not-found')).not.toBeNull();
  });

  it('stores no page larger than the cache, and deletes the older version of that page', async () => {
    await cache().set('/large', page('small'), lifetime);
    await cache().set('/large', page(createText(100_001)), lifetime);
    expect(await cache().get('/large')).toBeNull();
  });

  it('evicts the least recently used pages beyond its maximum size', async () => {
    const store = async (toText: () => string): Promise<number> => {
      for (let index = 0; index < 60; index += 1) await cache().set(`/${index}`, page(toText()), lifetime);
      const kept = await Promise.all(Array.from({ length: 60 }, (_, index) => cache().get(`/${index}`)));
      return kept.filter((entry) => entry !== null).length;
    };
    expect(await store(() => createText(30_000))).toBe(3);
    // An entry without text has a size, too. Otherwise small entries would fill the memory.
    expect(await store(() => '')).toBe(48);
  });

  it('lets Next keep no lifetimes of paths, because clients can request any number of paths', async () => {
    const lifetimes = new SharedCacheControls({ routes: {}, dynamicRoutes: {} });
    lifetimes.set('/explore/made-up', lifetime.cacheControl);
    await cache().set('/explore/made-up', page('found', { tags: UNSTORED_TAG }), lifetime);
    expect(Reflect.get(SharedCacheControls, 'cacheControls')).toEqual(new Map());
  });

  it('lets Next keep no expired tags, because each endpoint has a tag', async () => {
    await createDefaultCacheHandler(nextConfig.cacheMaxMemorySize).updateTags(['endpoint:one']);
    expect(tagsManifest.size).toBe(0);
  });

  it.each([
    ['a stored page', '/endpoint/shared', {}, '', 'public, max-age=0, must-revalidate'],
    ['a page that is not stored', '/found', { tags: UNSTORED_TAG }, '', undefined],
    ['a page with status 404', '/$/endpoint/made-up', { status: 404 }, '', undefined],
    ['the shared not-found page, whose entry has no status', '/$/_not-found', { status: 0 }, '', undefined],
    ['the page about removed endpoints', '/$/on-demand/page/gone', {}, '', undefined],
    ['the page about too many searches', '/$/on-demand/page/busy', {}, '', undefined],
    // Vercel reads the lifetime from the header of Next.
    ['a page on Vercel', '/endpoint/vercel', {}, '1', undefined],
  ])('sets the right Cache-Control for %s, and no Vary', async (...[, key, options, vercel, expected]) => {
    vi.stubEnv('VERCEL', vercel);
    const received = page('<p>page</p>', options);
    await cache().set(key, received, lifetime);
    expect(received.headers?.['cache-control']).toBe(expected);
    expect(received.headers).not.toHaveProperty('vary');
  });

  it('does not store a page whose tag expired while it was rendered', async () => {
    const render = async (key: string, during: () => Promise<void>) => {
      await cache().get(key);
      await during();
      await cache().set(key, page('old', { tags: 'endpoint:slow' }), lifetime);
      return (await cache().get(key)) !== null;
    };
    expect(await render('/slow', () => cache().revalidateTag('endpoint:slow'))).toBe(false);
    expect(await render('/slow', () => cache().revalidateTag('endpoint:other'))).toBe(true);
  });

  it('does not store a page whose tag expired while it was compressed', async () => {
    await cache().get('/compressed');
    const stored = cache().set('/compressed', page('old', { tags: 'endpoint:compressed' }), lifetime);
    await cache().revalidateTag('endpoint:compressed');
    await stored;
    expect(await cache().get('/compressed')).toBeNull();
  });

  it('returns no entry after its lifetime, at most one hour', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await cache().set('/minute', page('1'), { cacheControl: { revalidate: 60, expire: 3600 } });
    await cache().set('/hour', page('2'), { cacheControl: { revalidate: 86_400, expire: 86_400 } });
    vi.setSystemTime(Date.now() + 60_000);
    expect(await cache().get('/minute')).toBeNull();
    vi.setSystemTime(Date.now() + 3_539_999);
    expect(await cache().get('/hour')).not.toBeNull();
    vi.setSystemTime(Date.now() + 1);
    expect(await cache().get('/hour')).toBeNull();
  });
});

/** Creates JSON-LD that contains a text. */
const createGraph = (name: string): Graph => ({
  '@context': 'https://schema.org',
  '@graph': [{ '@type': 'Thing', name }],
});

describe('omitScriptData', () => {
  const segmentData = new Map([['/_tree', Buffer.alloc(80_000)]]);
  const store = async (module: typeof import('./page-cache.ts')) => {
    const pages = new module.default({ maxBytes: 100_000 });
    const received = { ...page('<p>page</p>'), segmentData };
    for (const key of ['/one', '/two']) await pages.set(key, received, lifetime);
    return { received, entries: [await pages.get('/one'), await pages.get('/two')] };
  };

  it('removes the data for the scripts of Next from stored pages, so that more pages fit', async () => {
    vi.resetModules();
    const module = await import('./page-cache.ts');
    const [first, second] = (await store(module)).entries;
    expect(first).toBeNull();
    expect(second).toMatchObject({ value: { rscData: Buffer.from('flight'), segmentData } });
    module.omitScriptData();
    const { received, entries } = await store(module);
    const data = { rscData: undefined, segmentData: undefined };
    for (const entry of entries) expect(entry).toMatchObject({ value: { html: '<p>page</p>', ...data } });
    // Next also sends the received object as the first response, so the cache must not change this object.
    expect(received).toMatchObject({ rscData: Buffer.from('flight'), segmentData });
  });
});

describe('removeFrameworkScripts', () => {
  it('removes the scripts of Next and their preload links', () => {
    const html =
      '<html><head><link rel="preload" as="script" fetchPriority="low" href="/_next/static/chunks/a.js"/>' +
      '<link rel="stylesheet" href="/_next/static/a.css"/>' +
      '<script src="/_next/static/chunks/b.js" async=""></script></head><body><p>text</p>' +
      '<script id="_R_">(globalThis["TURBOPACK"]||[]).push({})</script>' +
      '<script>self.__next_f.push([1,"x\\u003c/script>"])</script></body></html>';
    expect(removeFrameworkScripts(html)).toBe(
      '<html><head><link rel="stylesheet" href="/_next/static/a.css"/></head><body><p>text</p></body></html>',
    );
  });

  it('keeps our own scripts and data blocks', () => {
    const html =
      '<script type="module" src="/site.js"></script><script type="application/ld+json">{"a":1}</script>';
    expect(removeFrameworkScripts(html)).toBe(html);
  });

  it('does not change hostile text and data', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('<script>', '</script>', '<link rel="preload" as="script">', '<!--', 'src="/_next/'),
    );
    fc.assert(
      fc.property(hostile, hostile, (text, data) => {
        const page = renderToStaticMarkup(
          createElement('main', { title: text }, text, createElement(JsonLd, { data: createGraph(data) })),
        );
        expect(removeFrameworkScripts(`${page}<script>framework()</script>`)).toBe(page);
      }),
    );
  });
});
