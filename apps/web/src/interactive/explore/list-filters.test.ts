import { describe, expect, it } from 'vitest';
import { parseExploreParams } from './explore-params.ts';
import { getExploreTitle } from './list-filters.ts';

describe('getExploreTitle', () => {
  it.each([
    ['', 'Explore x402 endpoints'],
    ['q=fx', 'Search for “fx”'],
    ['grade=A,F&network=eip155:8453', 'x402 endpoints: Grade A, Grade F, Base'],
    ['q=fx&min_price=0.01', 'Search for “fx”: From $0.01'],
    [
      'grade=A,B&recommendation=avoid&tag=fx&status=listed',
      'x402 endpoints: Grade A, Grade B, Avoid, 2 more',
    ],
    ['grade=A&sort=price', 'x402 endpoints: Grade A, lowest price first'],
    ['q=fx&sort=relevance', 'Search for “fx”'],
  ])('names the text, the first filters and the order of ?%s', (query, title) => {
    expect(getExploreTitle(parseExploreParams(new URLSearchParams(query)).params)).toBe(title);
  });
});
