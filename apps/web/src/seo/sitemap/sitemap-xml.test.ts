import { describe, expect, it } from 'vitest';
import { createSitemap, createSitemapIndex } from './sitemap-xml.ts';

describe('createSitemap', () => {
  it('lists each page, with the time of its latest change if it is known', () => {
    const entries = [
      { url: 'https://touchstone.example/', lastModified: null },
      { url: 'https://touchstone.example/endpoint/a', lastModified: '2026-03-03T00:00:00.000Z' },
    ];
    expect(createSitemap(entries)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://touchstone.example/</loc></url>
<url><loc>https://touchstone.example/endpoint/a</loc><lastmod>2026-03-03T00:00:00.000Z</lastmod></url>
</urlset>
`);
  });

  it('escapes the characters that have a meaning in XML', () => {
    const url = `https://touchstone.example/provider/<a>&"b"'c'`;
    expect(createSitemap([{ url, lastModified: null }])).toContain(
      '<loc>https://touchstone.example/provider/&lt;a&gt;&amp;&quot;b&quot;&apos;c&apos;</loc>',
    );
  });
});

describe('createSitemapIndex', () => {
  it('lists sitemaps', () => {
    const index = createSitemapIndex([
      { url: 'https://touchstone.example/sitemap/pages.xml', lastModified: null },
    ]);
    expect(index).toMatch(
      /<sitemapindex [^>]*>\n<sitemap><loc>.*pages\.xml<\/loc><\/sitemap>\n<\/sitemapindex>/,
    );
  });
});
