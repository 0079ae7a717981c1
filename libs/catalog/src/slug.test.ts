import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endpointSlug, idFromSlug } from './slug.ts';

const id = 'abcdefgh27';

describe('endpointSlug', () => {
  it.each([
    ['api.example.com', '/v1/price', 'api-example-com-v1-price-abcdefgh27'],
    ['api.example.com', '/', 'api-example-com-abcdefgh27'],
    ['xn--bcher-kva.example', '/A_b//C.json', 'xn-bcher-kva-example-a-b-c-json-abcdefgh27'],
    ['api.example.com', '/a%20b/%C3%A4', 'api-example-com-a-b-abcdefgh27'],
    ['api.example.com', '/users/{id}', 'api-example-com-users-id-abcdefgh27'],
    ['[2606:2800::1]', '/', '2606-2800-1-abcdefgh27'],
  ])('of %s%s is %s', (host, path, slug) => {
    expect(endpointSlug({ host, path, id })).toBe(slug);
  });

  it('ends its words within 60 characters, not within a word where it can', () => {
    const cut = endpointSlug({ host: 'api.example.com', path: `/${'price/'.repeat(20)}`, id });
    expect(cut).toBe('api-example-com-price-price-price-price-price-price-price-abcdefgh27');
    const long = endpointSlug({ host: `${'a'.repeat(63)}.example.com`, path: '/', id });
    expect(long).toBe(`${'a'.repeat(60)}-${id}`);
  });
});

describe('idFromSlug', () => {
  it('finds the id of every slug', () => {
    fc.assert(
      fc.property(fc.domain(), fc.webPath(), fc.stringMatching(/^[a-z2-7]{10}$/), (host, path, own) => {
        expect(idFromSlug(endpointSlug({ host, path, id: own }))).toBe(own);
      }),
    );
  });

  it('needs only the id', () => {
    expect(idFromSlug(id)).toBe(id);
    expect(idFromSlug(`an-old-name-${id}`)).toBe(id);
  });

  it.each([
    '',
    'short',
    'api-example-com',
    'api-ABCDEFGH27',
    'api-abcdefgh01',
    `../${id}`,
    `${id}/`,
    `${id}\n`,
    `a b-${id}`,
  ])('finds none in %j', (slug) => {
    expect(idFromSlug(slug)).toBeNull();
  });
});
