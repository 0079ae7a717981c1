import { MINUTE_MS } from '@touchstone/common';
import { createProblem } from '@touchstone/contract';
import type { SitemapProvider } from '@touchstone/store';
import { LRUCache } from 'lru-cache';
import {
  SITEMAP_MAX_AGE_SECONDS,
  createFixedDocumentResponse,
  createProblemResponse,
} from '../../api/responses.ts';
import { freeLimiter } from '../../api/rate-limit/limiters.ts';
import { getRequestPath } from '../../api/read-request.ts';
import { type RouteExports, route } from '../../api/route.ts';
import { getSiteOrigin } from '../../platform/config/config.ts';
import { getPublicStore } from '../../platform/database/databases.ts';
import { loadCategories, toCategoryPath } from '../../serving/known-pages/known-categories.ts';
import { toProviderPath } from '../../serving/known-pages/page-paths.ts';

/**
 * Pattern of the path of a sitemap. A sitemap of endpoints lists the endpoints whose ids begin with the character in
 * its path.
 */
const SITEMAP_PATH = /^\/sitemap\/(?:(pages|providers|categories)|endpoints-([a-z2-7]))\.xml$/;

/** Maximum age of the list of providers in the memory of this process, in milliseconds. */
const PROVIDERS_LIFETIME_MS = 10 * MINUTE_MS;

const UNKNOWN = 'There is no sitemap at this path, or it has no entries. /sitemap.xml lists all sitemaps.';

/**
 * Cache of the providers. A read of all providers needs all snapshots, and takes about 0.2 s of processor time with
 * 100,000 endpoints. Concurrent requests share one read.
 */
const providerCache = new LRUCache<'all', readonly SitemapProvider[]>({
  max: 1,
  ttl: PROVIDERS_LIFETIME_MS,
  fetchMethod: () => getPublicStore().readSitemapProviders(),
});

async function respondWithIndex(request: Request): Promise<Response> {
  const origin = getSiteOrigin(process.env);
  const [shards, providers = [], categories] = await Promise.all([
    getPublicStore().readSitemapShards(),
    providerCache.fetch('all'),
    loadCategories(),
  ]);
  const newest = findNewest(providers);
  const newestOfCategories = findNewest(categories);
  return respondWithXml(
    request,
    createSitemapIndex([
      { url: `${origin}/sitemap/pages.xml`, lastModified: null },
      ...(newest === undefined ? [] : [{ url: `${origin}/sitemap/providers.xml`, lastModified: newest }]),
      ...(newestOfCategories === undefined
        ? []
        : [{ url: `${origin}/sitemap/categories.xml`, lastModified: newestOfCategories }]),
      ...shards.map(({ shard, lastModified }) => ({
        url: `${origin}/sitemap/endpoints-${shard}.xml`,
        lastModified,
      })),
    ]),
  );
}

/** Returns the time of the latest change of several pages; undefined without a page. */
function findNewest(pages: readonly Pick<SitemapProvider, 'lastModified'>[]): string | undefined {
  return pages
    .map(({ lastModified }) => lastModified)
    .toSorted()
    .at(-1);
}

async function respondWithSitemap(request: Request): Promise<Response> {
  const [, name, shard] = SITEMAP_PATH.exec(getRequestPath(request.url)) ?? [];
  const entries = await readEntries(name, shard);
  if (entries.length === 0) return createProblemResponse(createProblem('unknown-resource', UNKNOWN));
  return respondWithXml(request, createSitemap(entries));
}

/** Reads the entries of one sitemap. An unknown sitemap has no entries. */
async function readEntries(
  name: string | undefined,
  shard: string | undefined,
): Promise<readonly SitemapEntry[]> {
  const origin = getSiteOrigin(process.env);
  if (name === 'pages') {
    const newest = findNewest((await providerCache.fetch('all')) ?? []) ?? null;
    // next.config.ts sets the variable during the build. The texts of the other pages change with a release.
    const builtAt = process.env['BUILT_AT'] ?? null;
    return STATIC_PAGES.map((path) => ({
      url: `${origin}${path}`,
      lastModified: DATA_PAGES.has(path) ? newest : builtAt,
    }));
  }
  if (name === 'providers') {
    const providers = (await providerCache.fetch('all')) ?? [];
    return providers.map(({ host, lastModified }) => ({
      url: `${origin}${toProviderPath(host)}`,
      lastModified,
    }));
  }
  if (name === 'categories') {
    const categories = await loadCategories();
    return categories.map(({ tag, lastModified }) => ({
      url: `${origin}${toCategoryPath(tag)}`,
      lastModified,
    }));
  }
  if (shard === undefined) return [];
  const endpoints = await getPublicStore().readSitemapEndpoints(shard);
  return endpoints.map(({ slug, lastModified }) => ({ url: `${origin}/endpoint/${slug}`, lastModified }));
}

const respondWithXml = (request: Request, text: string): Response =>
  createFixedDocumentResponse(request, {
    text,
    type: 'application/xml; charset=utf-8',
    maxAgeSeconds: SITEMAP_MAX_AGE_SECONDS,
  });

/** Handlers of `/sitemap.xml`, the index of all sitemaps. */
export const sitemapIndexRoute: RouteExports = route({ GET: respondWithIndex }, { limiter: freeLimiter });

/** Handlers of `/sitemap/{file}`. */
export const sitemapRoute: RouteExports = route({ GET: respondWithSitemap }, { limiter: freeLimiter });

/** Handlers of `/robots.txt`. */
export const robotsRoute: RouteExports = route({
  GET: (request) =>
    createFixedDocumentResponse(request, {
      text: createRobotsText(getSiteOrigin(process.env)),
      type: 'text/plain; charset=utf-8',
      maxAgeSeconds: SITEMAP_MAX_AGE_SECONDS,
    }),
});

/**
 * Paths that crawlers must not request: the API, internal routes, filled forms, and the pages of checks, which exist for a
 * day. Pages with a filter, an order or a cursor are allowed, because a crawler finds their `noindex` only if it may
 * request them.
 */
const DISALLOWED = ['/api/', '/v1/', '/on-demand/', '/check?', '/dispute?'] as const;

/**
 * Creates the content of `/robots.txt` (RFC 9309).
 *
 * @param origin Public origin of the site, without a path.
 */
export function createRobotsText(origin: string): string {
  return [
    'User-agent: *',
    ...DISALLOWED.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n');
}

/**
 * Canonical paths of the pages that search engines may list and that exist without endpoints.
 */
export const STATIC_PAGES = [
  '/',
  '/explore',
  '/trust/leaderboard',
  '/trust/stats',
  '/events',
  '/methodology',
  '/mcp',
  '/check',
  '/claim',
  '/watch',
  '/docs',
  '/about',
  '/corrections',
  '/delivery',
] as const;

/** Pages that change with the data of the endpoints. */
const DATA_PAGES: ReadonlySet<string> = new Set([
  '/',
  '/explore',
  '/trust/leaderboard',
  '/trust/stats',
  '/events',
]);

/** Page in a sitemap, or sitemap in a sitemap index. */
export interface SitemapEntry {
  /** Absolute URL. */
  readonly url: string;
  /** Time of the latest change of the content in ISO 8601; null if it is not known. */
  readonly lastModified: string | null;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

const escapeXml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** Creates a sitemap (sitemaps.org, protocol 0.9). A sitemap has at most 50,000 entries. */
export function createSitemap(entries: readonly SitemapEntry[]): string {
  return formatList('urlset', 'url', entries);
}

/** Creates a sitemap index (sitemaps.org, protocol 0.9). */
export function createSitemapIndex(entries: readonly SitemapEntry[]): string {
  return formatList('sitemapindex', 'sitemap', entries);
}

function formatList(list: string, item: string, entries: readonly SitemapEntry[]): string {
  const lines = entries.map(({ url, lastModified }) => {
    const time = lastModified === null ? '' : `<lastmod>${escapeXml(lastModified)}</lastmod>`;
    return `<${item}><loc>${escapeXml(url)}</loc>${time}</${item}>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<${list} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`,
    ...lines,
    `</${list}>`,
    '',
  ].join('\n');
}
