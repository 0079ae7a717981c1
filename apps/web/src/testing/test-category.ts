import type { Category } from '@touchstone/store';

/** Creates a category with 12 endpoints for tests. The overrides replace single properties. */
export function createTestCategory(overrides: Partial<Category> = {}): Category {
  return {
    ...{ tag: 'weather', endpoints: 12, hosts: 4, proceed: 9, lastModified: '2026-03-03T00:00:00.000Z' },
    ...{ lowestPriceUsd: '0.001', highestPriceUsd: '0.25' },
    ...overrides,
  };
}
