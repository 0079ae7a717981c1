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
