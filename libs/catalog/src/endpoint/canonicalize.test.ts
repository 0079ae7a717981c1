import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalize } from './canonicalize.ts';
import { parseSlugId } from './endpoint-id.ts';

function getCanonicalUrl(resource: string): string {
  const result = canonicalize(resource);
  if (!result.ok) throw new Error(`${resource}: ${result.reason}`);
  return result.resource;
}

describe('the canonical URL', () => {
  it.each([
    ['https://API.Example.COM', 'https://api.example.com/'],
    ['https://api.example.com:443/a', 'https://api.example.com/a'],
    ['http://api.example.com:80/a', 'http://api.example.com/a'],
    ['http://api.example.com:443/a', 'http://api.example.com:443/a'],
    ['https://api.example.com./a', 'https://api.example.com/a'],
    ['https://api.example.com/a#part', 'https://api.example.com/a'],
    ['https://api.example.com/a?', 'https://api.example.com/a'],
    ['https://api.example.com/a?b=2&a=1', 'https://api.example.com/a?b=2&a=1'],
    ['https://api.example.com/a/', 'https://api.example.com/a/'],
    ['https://api.example.com/a/../b/./c', 'https://api.example.com/b/c'],
    ['https://api.example.com/a/%2e%2E/b', 'https://api.example.com/b'],
    ['https://api.example.com/%7euser/%41%2d', 'https://api.example.com/~user/A-'],
    ['https://api.example.com/a%2fb', 'https://api.example.com/a%2Fb'],
    ['https://api.example.com/a?q=%2f%41', 'https://api.example.com/a?q=%2FA'],
    ['https://api.example.com/ä', 'https://api.example.com/%C3%A4'],
    ['https://api.example.com/100%', 'https://api.example.com/100%25'],
    ['https://api.example.com/%%32e', 'https://api.example.com/%252e'],
    ['https://api.example.com\\a', 'https://api.example.com/a'],
    [' https://api.example.com/a\n', 'https://api.example.com/a'],
    ['https://bücher.example/a', 'https://xn--bcher-kva.example/a'],
    ['https://my_host.example.com/', 'https://my_host.example.com/'],
    ['https://93.184.216.34/a', 'https://93.184.216.34/a'],
    ['https://[2606:2800:220:1::1]/a', 'https://[2606:2800:220:1::1]/a'],
  ])('of %j is %s', (resource, canonical) => {
    expect(getCanonicalUrl(resource)).toBe(canonical);
  });

  it('does not change when canonicalized again', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(...['%7B', '{id}', ':id', '%2', '%2e', '%25', '{', '}', '/', '..', '?', '#', '&']),
      fc.stringMatching(/^%[0-9A-Fa-f]{2}$/),
    );
    const rest = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    const host = fc.oneof(fc.domain(), fc.ipV4(), fc.constant('API.Example.com.'), fc.string());
    const resource = fc
      .tuple(
        fc.constantFrom('https', 'http', 'HTTPS'),
        host,
        fc.constantFrom('', ':443', ':80', ':8402'),
        rest,
      )
      .map(([scheme, name, port, path]) => `${scheme}://${name}${port}/${path}`);
    let accepted = 0;
    fc.assert(
      fc.property(fc.oneof(resource, fc.webUrl({ withQueryParameters: true })), (given) => {
        const once = canonicalize(given);
        if (!once.ok) return;
        accepted += 1;
        expect(canonicalize(once.resource)).toEqual(once);
        expect(parseSlugId(once.slug)).toBe(once.id);
        expect(new URL(once.resource).hostname).toBe(once.host);
      }),
      { numRuns: 500 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});

describe('a template', () => {
  it.each([
    ['https://api.example.com/users/{id}', 'https://api.example.com/users/{id}'],
    ['https://api.example.com/users/%7Bid%7D', 'https://api.example.com/users/{id}'],
    ['https://api.example.com/users/%7bid}', 'https://api.example.com/users/{id}'],
    ['https://api.example.com/users/{{id}}/x', 'https://api.example.com/users/{id}/x'],
    ['https://api.example.com/users/{id:int}', 'https://api.example.com/users/{id:int}'],
    ['https://api.example.com/{a}-{b}.json', 'https://api.example.com/{a}-{b}.json'],
    ['https://api.example.com/a?q={query}', 'https://api.example.com/a?q={query}'],
    ['https://api.example.com/a?q=%7Bquery%7D', 'https://api.example.com/a?q={query}'],
    ['https://api.example.com/users/:id', 'https://api.example.com/users/:id'],
    ['https://api.example.com/:user_id/posts', 'https://api.example.com/:user_id/posts'],
  ])('is recognized in %s', (resource, canonical) => {
    expect(canonicalize(resource)).toMatchObject({ ok: true, resource: canonical, templated: true });
  });

  it.each([
    'https://api.example.com/a:b',
    'https://api.example.com/models/x:predict',
    'https://api.example.com/:8080/',
    'https://api.example.com/a?at=/:id',
    'https://api.example.com/a?filter={"x":1}',
    'https://api.example.com/a?filter=%7B%22x%22%3A1%7D',
    'https://api.example.com/{}',
    'https://api.example.com/{',
    'https://api.example.com/}a{',
  ])('is not recognized in %s', (resource) => {
    expect(canonicalize(resource)).toMatchObject({ ok: true, templated: false });
  });
});

describe('a URL that cannot be an endpoint', () => {
  it.each([
    ['', 'not an absolute URL'],
    ['/v1/price', 'not an absolute URL'],
    ['https://a b.example.com/', 'not an absolute URL'],
    ['ftp://api.example.com/', 'the scheme ftp is not https or http'],
    ['javascript:alert(1)', 'the scheme javascript is not https or http'],
    ['https://user:pass@api.example.com/', 'the URL contains credentials'],
    ['https://user@api.example.com/', 'the URL contains credentials'],
    ['https://api.example.com:0/', 'port 0 cannot be reached'],
    ['http://localhost:3000/', 'the host is localhost'],
    ['http://LOCALHOST./', 'the host is localhost'],
    ['https://intranet/', 'the host name has no dot, so it is not public'],
    ['https://a..example.com/', 'the host is not a domain name'],
    ['https://-a.example.com/', 'the host is not a domain name'],
    ['https://{tenant}.example.com/', 'the host is not a domain name'],
    [`https://${'a'.repeat(64)}.example.com/`, 'the host is not a domain name'],
    ['http://127.0.0.1/', 'the host is not a public address'],
    ['http://2130706433/', 'the host is not a public address'],
    ['http://0x7f.1/', 'the host is not a public address'],
    ['http://169.254.169.254/', 'the host is not a public address'],
    ['http://[::ffff:8.8.8.8]/', 'the host is not a public address'],
    ['http://[fd00::1]/', 'the host is not a public address'],
    [`https://api.example.com/${'a'.repeat(2_048)}`, 'the URL is longer than 2048 characters'],
    [`https://api.example.com/${'ä'.repeat(700)}`, 'the URL is longer than 2048 characters'],
  ])('%s: %s', (resource, reason) => {
    const about = reason.startsWith('the host') ? 'host' : 'url';
    expect(canonicalize(resource)).toEqual({ ok: false, reason, about });
  });

  it('is returned as a result, never thrown', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (text) => {
        const result = canonicalize(text);
        expect(result.ok || result.reason.length > 0).toBe(true);
      }),
    );
  });
});
