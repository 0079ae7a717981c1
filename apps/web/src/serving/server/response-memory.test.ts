import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toMemoryKey } from './response-memory.ts';

const toKey = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  toMemoryKey({ method, url, headers });

describe('toMemoryKey', () => {
  it.each([
    '/',
    '/docs',
    '/endpoint/api-example-com-abcdefghij',
    '/provider/api.example.com:8443',
    '/explore',
  ])('stores the page %s for GET and HEAD', (path) => {
    expect(toKey(path)).toBe(`http ${path}`);
    expect(toKey(path, {}, 'HEAD')).toBe(`http ${path}`);
    expect(toKey(path, {}, 'POST')).toBeNull();
  });

  it.each(['/openapi.json', '/schemas/problem/1.0.0.json', '/.well-known/x402'])(
    'stores the document %s for all queries',
    (path) => {
      expect(toKey(`${path}?a=b`)).toBe(`http ${path}`);
    },
  );

  it.each(['/a?b=1', '/a/', '//a', '/a//b', '/./a', '/a/..', '/a/../b', '/%61', '/a#b', '/a b', '*', ''])(
    'leaves %j to Next',
    (url) => {
      expect(toKey(url)).toBeNull();
    },
  );

  it.each(['/trust/leaderboard', '/trust/stats', '/mcp'])('stores %s only for browsers', (path) => {
    expect(toKey(path, { accept: 'text/html' })).toBe(`http ${path}`);
    expect(toKey(path)).toBeNull();
    expect(toKey(path, { accept: '*/*', 'user-agent': 'Twitterbot/1.0' })).toBeNull();
    expect(toKey(path, { accept: 'application/json, text/html;q=0.5' })).toBeNull();
    expect(toKey(path, { accept: 'text/event-stream, application/json' })).toBeNull();
  });

  it('distinguishes the protocols of the client', () => {
    expect(toKey('/', { 'x-forwarded-proto': 'https' })).toBe('https /');
    expect(toKey('/', { 'x-forwarded-proto': 'https,http' })).toBeNull();
  });

  it('accepts only paths that URL parsers do not change', () => {
    const part = fc.oneof(fc.constantFrom('.', '..', '/', '\\', '%2e', '?', '#', 'a', ':'), fc.string());
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const path = `/${parts.join('')}`;
        if (toKey(path) !== null) expect(new URL(`http://site${path}`).href).toBe(`http://site${path}`);
      }),
    );
  });
});
