import fc from 'fast-check';
import { expect, it, describe } from 'vitest';
import { toEndpointId, toEndpointSlug, parseSlugId, computeProbeOffsetSeconds } from './endpoint-id.ts';

it.each([
  ['https://api.example.com/v1/price', 'd2ou4p6sf4'],
  ['https://api.example.com/', 'pk5sbjdsuj'],
])('of %s is %s', (url, id) => {
  // Computed with: printf URL | openssl dgst -sha256 -binary | base32 | tr A-Z a-z | cut -c1-10
  expect(toEndpointId(url)).toBe(id);
});

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

it('is the same every time and lies in the interval', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 1_000_000 }), (id, interval) => {
      const offset = computeProbeOffsetSeconds(id, interval);
      expect(offset).toBe(computeProbeOffsetSeconds(id, interval));
      expect(Number.isInteger(offset) && offset >= 0 && offset < interval).toBe(true);
    }),
  );
});

it('does not change from one release to the next', () => {
  expect([
    computeProbeOffsetSeconds('abcdefgh27', 1_800),
    computeProbeOffsetSeconds('abcdefgh27', 300),
  ]).toEqual([923, 23]);
});

it('spreads endpoints evenly', () => {
  const perMinute = Array.from({ length: 30 }, () => 0);
  for (let index = 0; index < 30_000; index += 1) {
    const minute = Math.floor(computeProbeOffsetSeconds(`endpoint-${index}`, 1_800) / 60);
    perMinute[minute] = (perMinute[minute] ?? 0) + 1;
  }
  // Each minute should have 1,000 of the offsets. A deviation of 155 is five standard deviations.
  for (const count of perMinute) expect(Math.abs(count - 1_000)).toBeLessThan(160);
});

it.each([0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])(
  'refuses an interval of %d seconds',
  (interval) => {
    expect(() => computeProbeOffsetSeconds('abcdefgh27', interval)).toThrow(RangeError);
  },
);
