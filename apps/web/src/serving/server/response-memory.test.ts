import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toMemoryKey } from './response-memory.ts';

const toKey = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  toMemoryKey({ method, url, headers })?.text ?? null;

describe('toMemoryKey', () => {
  it.each([
    '/',
    '/docs',
    '/endpoint/api-example-com-abcdefghij',
    '/provider/api.example.com:8443',
    '/explore',
  ])('stores the page %s for GET and HEAD', (path) => {
    expect(toKey(path)).toBe(`http page ${path}`);
    expect(toKey(path, {}, 'HEAD')).toBe(`http page ${path}`);
    expect(toKey(path, {}, 'POST')).toBeNull();
  });

  it.each(['/a?b=1', '/a/', '//a', '/a//b', '/./a', '/a/..', '/a/../b', '/%61', '/a#b', '/a b', '*', ''])(
    'leaves %j to Next',
    (url) => {
      expect(toKey(url)).toBeNull();
    },
  );

  it('distinguishes the formats of a path', () => {
    const html = { accept: 'text/html' };
    for (const path of ['/trust/leaderboard', '/trust/stats']) {
      expect(toKey(path, html)).toBe(`http page ${path}`);
      expect(toKey(path)).toBe(`http json ${path}`);
      expect(toKey(path, { accept: 'application/json, text/html;q=0.5' })).toBe(`http json ${path}`);
    }
    expect(toKey('/v1/x402-trust-preview', html)).toBe('http json /v1/x402-trust-preview');
    expect(toKey('/mcp', html)).toBe('http page /mcp');
    expect(toKey('/mcp', { accept: 'text/event-stream, application/json' })).toBeNull();
  });

  it('distinguishes the protocols of the client', () => {
    expect(toKey('/', { 'x-forwarded-proto': 'https' })).toBe('https page /');
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
