import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toEndpointSlug, parseSlugId } from './slug.ts';

const id = 'abcdefgh27';

describe('toEndpointSlug', () => {
  it.each([
    ['api.example.com', '/v1/price', 'api-example-com-v1-price-abcdefgh27'],
    ['api.example.com', '/', 'api-example-com-abcdefgh27'],
    ['xn--bcher-kva.example', '/A_b//C.json', 'xn-bcher-kva-example-a-b-c-json-abcdefgh27'],
    ['api.example.com', '/a%20b/%C3%A4', 'api-example-com-a-b-abcdefgh27'],
    ['api.example.com', '/users/{id}', 'api-example-com-users-id-abcdefgh27'],
    ['[2606:2800::1]', '/', '2606-2800-1-abcdefgh27'],
  ])('of %s%s is %s', (host, path, slug) => {
    expect(toEndpointSlug({ host, path, id })).toBe(slug);
  });

  it('cuts its words at 60 characters, at a word boundary if possible', () => {
    const cut = toEndpointSlug({ host: 'api.example.com', path: `/${'price/'.repeat(20)}`, id });
    expect(cut).toBe('api-example-com-price-price-price-price-price-price-price-abcdefgh27');
    const long = toEndpointSlug({ host: `${'a'.repeat(63)}.example.com`, path: '/', id });
    expect(long).toBe(`${'a'.repeat(60)}-${id}`);
  });
});

describe('parseSlugId', () => {
  it('extracts the id of every slug', () => {
    fc.assert(
      fc.property(fc.domain(), fc.webPath(), fc.stringMatching(/^[a-z2-7]{10}$/), (host, path, own) => {
        expect(parseSlugId(toEndpointSlug({ host, path, id: own }))).toBe(own);
      }),
    );
  });

  it('accepts the id alone', () => {
    expect(parseSlugId(id)).toBe(id);
    expect(parseSlugId(`an-old-name-${id}`)).toBe(id);
  });

  it.each(['', 'api-example-com', 'api-ABCDEFGH27', 'api-abcdefgh01', `../${id}`, `${id}/`, `${id}\n`])(
    'returns null for %j',
    (slug) => {
      expect(parseSlugId(slug)).toBeNull();
    },
  );
});
