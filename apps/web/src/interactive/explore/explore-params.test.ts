import { GRADES, RECOMMENDATIONS } from '@touchstone/contract';
import { EXPLORE_LISTINGS, EXPLORE_PROPERTIES, EXPLORE_SORTS } from '@touchstone/store';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ExploreParams,
  NO_PARAMS,
  formatExploreParams,
  getDefaultSort,
  normalizePrice,
  parseExploreParams,
  toExploreUrl,
} from './explore-params.ts';
import { isTag, MAX_TAG_LENGTH, normalizeTag } from '@touchstone/x402/tags';
import { MAX_QUERY_LENGTH } from '@touchstone/ui';
import { normalizeQuery } from '../../page-parts/param-reader.ts';

const parse = (query: string) => parseExploreParams(new URLSearchParams(query));

const anyText = fc
  .string({ unit: 'binary', maxLength: MAX_QUERY_LENGTH })
  .map((text) => normalizeQuery(text))
  .filter((text) => text.length <= MAX_QUERY_LENGTH);
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const anyPrice = fc
  .tuple(fc.nat(999_999_999), fc.nat(999_999))
  .map(([whole, micros]) => normalizePrice(`${whole}.${String(micros).padStart(6, '0')}`))
  .filter((price) => price !== null);
const anyNetwork = fc.constantFrom('eip155:8453', 'eip155:137', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp');

const anyParams: fc.Arbitrary<ExploreParams> = fc
  .record({
    text: anyText,
    networks: fc.uniqueArray(anyNetwork).map((networks) => networks.sort()),
    grades: fc.subarray([...GRADES]),
    recommendations: fc.subarray([...RECOMMENDATIONS]),
    minPriceUsd: optional(anyPrice),
    maxPriceUsd: optional(anyPrice),
    host: optional(fc.domain().map((host) => host.toLowerCase())),
    tag: optional(anyText.map((text) => normalizeTag(text.slice(0, MAX_TAG_LENGTH))).filter(isTag)),
    properties: fc.subarray([...EXPLORE_PROPERTIES]),
    status: fc.constantFrom(null, ...EXPLORE_LISTINGS),
    sort: fc.constantFrom(...EXPLORE_SORTS),
    after: optional(fc.stringMatching(/^[A-Za-z0-9_-]{1,200}$/)),
  })
  .map((params) => ({
    ...params,
    // Without a text, the order by relevance is the order by score.
    sort: params.sort === 'relevance' ? getDefaultSort(params.text) : params.sort,
  }));

describe('parameters of the explore page', () => {
  it('have a URL from which they are parsed again', () => {
    fc.assert(
      fc.property(anyParams, (params) => {
        expect(parse(formatExploreParams(params))).toEqual({ params, ignored: [] });
      }),
    );
  });

  it('have one URL, in whichever order and form they are given', () => {
    const query =
      'grade=F&sort=price&q=fx%20line&grade=A&network=eip155:8453,eip155:137&max_price=$0.10&host=API.example';
    expect(toExploreUrl(parse(query).params)).toBe(
      '/explore?q=fx+line&network=eip155:137,eip155:8453&grade=A,F&max_price=0.1&host=api.example&sort=price',
    );
  });

  it('are empty for an empty form and for parameters of other sites', () => {
    for (const query of ['', 'q=', 'q=+%20', 'q=%00', 'utm_source=x', 'q=&min_price=&host=&tag=&sort=']) {
      expect(parse(query)).toEqual({ params: NO_PARAMS, ignored: [] });
      expect(toExploreUrl(parse(query).params)).toBe('/explore');
    }
  });

  it('are ordered by relevance with a text and by score without, unless the URL names an order', () => {
    expect(parse('q=fx').params.sort).toBe('relevance');
    expect(parse('sort=relevance').params.sort).toBe('score');
    expect(parse('q=fx&sort=score').params.sort).toBe('score');
    expect(toExploreUrl(parse('q=fx&sort=relevance').params)).toBe('/explore?q=fx');
  });

  it.each([
    ['grade=Z,A', 'grade=Z'],
    ['recommendation=PROCEED', 'recommendation=PROCEED'],
    ['network=base', 'network=base'],
    ['min_price=free', 'min_price=free'],
    ['max_price=-1', 'max_price=-1'],
    ['max_price=1e3', 'max_price=1e3'],
    ['min_price=.', 'min_price=.'],
    ['host=a/b', 'host=a/b'],
    [`tag=${'x'.repeat(33)}`, `tag=${'x'.repeat(33)}`],
    ['status=gone', 'status=gone'],
    ['sort=__proto__', 'sort=__proto__'],
    ['after=%27', "after='"],
    [`q=${'x'.repeat(501)}`, `q=${'x'.repeat(57)}…`],
  ])('ignore an invalid value and name it: %s', (query, ignored) => {
    const parsed = parse(query);
    expect(parsed.ignored).toEqual([ignored]);
    expect(parsed.params).toEqual({ ...NO_PARAMS, grades: query.startsWith('grade') ? ['A'] : [] });
  });

  it('name a limited number of ignored values as plain text', () => {
    expect(parse(`grade=${'Z,'.repeat(1_000)}`).ignored).toHaveLength(5);
    expect(parse('host=a%E2%80%AE%0Ab').ignored).toEqual(['host=a b']);
  });
});

it('a query is trimmed, its lines are joined, and control characters are removed', () => {
  expect(normalizeQuery('  stock\n\tpri\u0000ce\u202Es ')).toBe('stock prices');
  // The page reports the length of a long query.
  expect(normalizeQuery('x'.repeat(5_000))).toHaveLength(5_000);
});

describe('normalizePrice', () => {
  it.each([
    ['0.005000', '0.005'],
    ['$1.00', '1'],
    ['007', '7'],
    ['.5', '0.5'],
    ['0', '0'],
    ['1.', '1'],
  ])('converts %s to %s', (text, price) => {
    expect(normalizePrice(text)).toBe(price);
  });

  it.each(['', '$', '-1', '1,5', '0.0000001', '1234567890', 'NaN'])('refuses %s', (text) => {
    expect(normalizePrice(text)).toBeNull();
  });
});
