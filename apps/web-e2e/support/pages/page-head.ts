const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};

/** Replaces the character references that React and sitemaps contain. */
export const decode = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity);

/** Returns the attributes of all elements with the given tag name, in the order of the document. */
export function listElements(html: string, name: string): readonly Readonly<Record<string, string>>[] {
  return [...html.matchAll(new RegExp(`<${name}\\b([^>]*)>`, 'g'))].map(([, attributes = '']) =>
    Object.fromEntries(
      [...attributes.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [
        key,
        decode(value),
      ]),
    ),
  );
}

/** Metadata of a page, as a crawler reads it. */
export interface PageHead {
  readonly title: string;
  /** Content of the `meta` elements by their name or property. */
  readonly meta: Readonly<Record<string, string>>;
  readonly canonical: string | undefined;
  /** Content of the JSON-LD blocks. */
  readonly jsonLd: readonly unknown[];
}

/** Reads the metadata of a page. @throws SyntaxError for JSON-LD that is not JSON. */
export function readPageHead(html: string): PageHead {
  const meta = listElements(html, 'meta').map((tag): readonly [string, string] => [
    tag['name'] ?? tag['property'] ?? '',
    tag['content'] ?? '',
  ]);
  const blocks = html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs);
  return {
    title: decode(/<title>([^<]*)<\/title>/.exec(html)?.[1] ?? ''),
    meta: Object.fromEntries(meta),
    canonical: listElements(html, 'link').find(({ rel }) => rel === 'canonical')?.['href'],
    jsonLd: [...blocks].map(([, text = '']): unknown => JSON.parse(text)),
  };
}

/** Entry of a sitemap or of a sitemap index. */
export interface SitemapEntry {
  readonly url: string;
  readonly lastModified: string | undefined;
}

/** Reads the entries of a sitemap or of a sitemap index. */
export function readSitemap(xml: string): readonly SitemapEntry[] {
  return [...xml.matchAll(/<loc>([^<]*)<\/loc>(?:<lastmod>([^<]*)<\/lastmod>)?/g)].map(
    ([, url = '', lastModified]) => ({ url: decode(url), lastModified }),
  );
}
