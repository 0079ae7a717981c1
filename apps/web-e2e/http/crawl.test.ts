import { expect, it } from 'vitest';
import { listElements, readPageHead, readSitemap } from '../support/pages/page-head.ts';
import { getSiteUrl, request } from '../support/site-request.ts';

/**
 * Maximum number of badges, pictures, summaries and pages with parameters that the crawl requests, because they are
 * rate-limited.
 */
const MAX_LIMITED = 40;
const LIMITED = /^\/(?:badge|picture)\/|^\/(?:explore|events(?:\.\w+)?)\?|^\/endpoint\/.*\.json$/;
const AT_ONCE = 6;

interface Visited {
  readonly status: number;
  readonly type: string;
  /** Ids of the elements of a page, which links can name after `#`. */
  readonly ids: ReadonlySet<string>;
  readonly noindex: boolean;
}

interface Link {
  readonly from: string;
  readonly path: string;
  readonly fragment: string;
}

/** Returns the links of a page to this site: pages, pictures, scripts, style sheets and other formats. */
function listLinks(html: string, from: string, origin: string): readonly Link[] {
  const page = html.replace(/<script type="application\/ld\+json">.*?<\/script>/gs, '');
  const targets = [
    ...[...listElements(page, 'a'), ...listElements(page, 'link')].map(({ href }) => href),
    ...[...listElements(page, 'img'), ...listElements(page, 'script')].map(({ src }) => src),
    ...listElements(page, 'form').map(({ action, method = 'get' }) =>
      method === 'get' ? action : undefined,
    ),
    readPageHead(page).meta['og:image'],
  ];
  return targets.flatMap((target) => {
    const url = target === undefined ? null : URL.parse(target, `${origin}${from}`);
    if (url?.origin !== origin) return [];
    return [{ from, path: `${url.pathname}${url.search}`, fragment: decodeURIComponent(url.hash.slice(1)) }];
  });
}

/** Reads the path prefixes that `/robots.txt` disallows. */
async function readDisallowed(): Promise<readonly string[]> {
  const text = await (await request('/robots.txt')).text();
  return [...text.matchAll(/^Disallow: (\S+)$/gm)].map(([, prefix = '']) => prefix);
}

/** Reads the paths of all pages in the sitemaps. */
async function readListedPaths(): Promise<ReadonlySet<string>> {
  const index = readSitemap(await (await request('/sitemap.xml')).text());
  const texts = await Promise.all(index.map(async ({ url }) => (await request(url)).text()));
  return new Set(texts.flatMap((text) => readSitemap(text)).map(({ url }) => new URL(url).pathname));
}

/** Requests every path that the start paths lead to. Returns the responses by path, and all links. */
async function crawl(origin: string, start: Iterable<string>) {
  const disallowed = await readDisallowed();
  const visited = new Map<string, Visited>();
  const links: Link[] = [];
  const known = new Set(start);
  const queue = [...known];
  let limited = 0;
  const add = (link: Link): void => {
    links.push(link);
    if (known.has(link.path) || disallowed.some((prefix) => link.path.startsWith(prefix))) return;
    if (LIMITED.test(link.path) && (limited += 1) > MAX_LIMITED) return;
    known.add(link.path);
    queue.push(link.path);
  };
  const visit = async (path: string): Promise<void> => {
    const response = await request(path, { headers: { accept: 'text/html,*/*;q=0.8' } });
    const type = response.headers.get('content-type') ?? '';
    const html = type.startsWith('text/html') ? await response.text() : '';
    const ids = new Set([...html.matchAll(/\bid="([^"]*)"/g)].map(([, id = '']) => id));
    const noindex = (readPageHead(html).meta['robots'] ?? '').includes('noindex');
    visited.set(path, { status: response.status, type, ids, noindex });
    listLinks(html, path, origin).forEach(add);
  };
  while (queue.length > 0) await Promise.all(queue.splice(0, AT_ONCE).map(visit));
  return { visited, links };
}

it('a crawl of the site finds no error, no redirect and no dead anchor', async () => {
  const listed = await readListedPaths();
  const { visited, links } = await crawl(getSiteUrl(), ['/', ...listed]);
  const sources = (path: string) => [
    ...new Set(links.filter((link) => link.path === path).map(({ from }) => from)),
  ];
  const failures = [...visited].filter(([, { status }]) => status !== 200);
  expect(failures.map(([path, { status }]) => ({ path, status, from: sources(path).slice(0, 3) }))).toEqual(
    [],
  );
  const dead = links.filter(({ path, fragment }) => {
    const page = visited.get(path);
    return fragment !== '' && page?.type.startsWith('text/html') === true && !page.ids.has(fragment);
  });
  expect(dead.map(({ from, path, fragment }) => `${from} → ${path}#${fragment}`)).toEqual([]);

  // The sitemap contains exactly the pages that search engines may list.
  const pages = [...visited].filter(([path]) => /^\/(?:endpoint|provider|category)\/[^?]*$/.test(path));
  const html = pages.filter(([, { type }]) => type.startsWith('text/html'));
  expect(html.length).toBeGreaterThan(50);
  const wrong = html.filter(([path, { noindex }]) => noindex === listed.has(path)).map(([path]) => path);
  expect(wrong).toEqual([]);
});
