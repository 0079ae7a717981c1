import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Graph } from 'schema-dts';
import { describe, expect, it } from 'vitest';
import { removeFrameworkScripts } from './document-html.ts';
import { JsonLd } from '../../page-parts/json-ld.tsx';

/** Creates JSON-LD that contains a text. */
const createGraph = (name: string): Graph => ({
  '@context': 'https://schema.org',
  '@graph': [{ '@type': 'Thing', name }],
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
      '<script src="/age.js" defer=""></script><script type="application/ld+json">{"a":1}</script>';
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
