import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillTemplate } from './fill-template.ts';

const fill = (resource: string, examples: Record<string, string>) =>
  fillTemplate(resource, new Map(Object.entries(examples)));

describe('fillTemplate', () => {
  it('fills both forms of placeholder, in path and query', () => {
    expect(fill('https://a.example/u/{id}/posts', { id: '42' })).toBe('https://a.example/u/42/posts');
    expect(fill('https://a.example:8443/:symbol/quote', { symbol: 'SAP' })).toBe(
      'https://a.example:8443/SAP/quote',
    );
    expect(fill('https://a.example/:a/:b?q={c}', { a: '1', b: '2', c: '3' })).toBe(
      'https://a.example/1/2?q=3',
    );
  });

  it('encodes characters that would add a segment or a parameter', () => {
    expect(fill('https://a.example/{q}', { q: 'a/b?c=d#e' })).toBe('https://a.example/a%2Fb%3Fc%3Dd%23e');
  });

  it.each([{}, { id: '' }, { id: '.' }, { id: '..' }])(
    'returns null without a usable value: %o',
    (examples) => {
      expect(fill('https://a.example/u/{id}', examples as Record<string, string>)).toBeNull();
    },
  );

  it('never changes the host or the path depth of the template', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const filled = fill('https://a.example/one/{x}/three', { x: value });
        if (filled === null) return;
        const url = new URL(filled);
        expect(url.host).toBe('a.example');
        expect(url.pathname.split('/')).toHaveLength(4);
        expect(url.search + url.hash).toBe('');
      }),
    );
  });
});
