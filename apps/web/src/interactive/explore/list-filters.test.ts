import { describe, expect, it } from 'vitest';
import { parseExploreParams, NO_PARAMS, formatExploreParams } from './explore-params.ts';
import { getExploreTitle, findIgnored, groupIgnored } from './list-filters.ts';

describe('getExploreTitle', () => {
  it.each([
    ['', 'Explore x402 endpoints'],
    ['q=fx', 'Search for “fx”'],
    ['grade=A,F&network=eip155:8453', 'x402 endpoints: Grade A, Grade F, Base'],
    ['q=fx&min_price=0.01', 'Search for “fx”: From $0.01'],
    [
      'grade=A,B&recommendation=avoid&tag=fx&status=delisted',
      'x402 endpoints: Grade A, Grade B, Avoid, 2 more',
    ],
    ['grade=A&sort=price', 'x402 endpoints: Grade A, lowest price first'],
    ['status=all&property=reachable', 'x402 endpoints: Reachable, All endpoints'],
    ['status=listed', 'Explore x402 endpoints'],
    ['q=fx&sort=relevance', 'Search for “fx”'],
  ])('names the text, the first filters and the order of ?%s', (query, title) => {
    expect(getExploreTitle(parseExploreParams(new URLSearchParams(query)).params)).toBe(title);
  });
});

/** Query in which every parameter has an invalid value. */
const INVALID = {
  q: 'x'.repeat(501),
  network: 'base',
  grade: 'Z',
  recommendation: 'buy',
  property: 'fast',
  min_price: 'free',
  max_price: '1=2',
  host: 'a/b',
  tag: 'x'.repeat(33),
  status: 'gone',
  sort: 'cheap',
  after: "'",
};

describe('groupIgnored', () => {
  it.each(Object.entries(INVALID))('states the expected format of the parameter %s', (name, value) => {
    const { ignored } = parseExploreParams(new URLSearchParams({ [name]: value }));
    const groups = groupIgnored(ignored);
    expect(groups.map((group) => group.name)).toEqual([name]);
    expect(groups[0]?.expected).toMatch(/^Use .+\.$/);
  });

  it('knows every parameter of the page', () => {
    const all = formatExploreParams({
      ...NO_PARAMS,
      text: 'x',
      networks: ['eip155:1'],
      grades: ['A'],
      recommendations: ['free'],
      minPriceUsd: '1',
      maxPriceUsd: '1',
      host: 'a',
      tag: 'a',
      properties: ['reachable'],
      status: 'delisted',
      sort: 'price',
      after: 'a',
    });
    expect([...new URLSearchParams(all).keys()]).toEqual(Object.keys(INVALID));
  });

  it('names each parameter once, with all its values', () => {
    expect(groupIgnored(['grade=Z', 'status=a=b', 'grade=Y'])).toEqual([
      { name: 'grade', values: ['Z', 'Y'], expected: 'Use A, B, C, D, F or ?.' },
      { name: 'status', values: ['a=b'], expected: 'Use listed, delisted, adopted or all.' },
    ]);
  });
});

describe('findIgnored', () => {
  it('finds the value of a text field', () => {
    expect(findIgnored(['grade=Z', 'min_price=free'], 'min_price')).toEqual({
      value: 'free',
      expected: 'Use a number of US dollars such as 0.05.',
    });
    expect(findIgnored(['min_price=free'], 'max_price')).toBeNull();
  });
});
