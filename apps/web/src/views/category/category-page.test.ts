import { expect, it, vi } from 'vitest';
import { createTestCategory } from '../../testing/test-category.ts';
import { loadCategoryPage } from './category-page.ts';

const tagsByKey = vi.hoisted(() => new Map<string, readonly string[]>());

vi.mock('next/cache', () => ({
  unstable_cache: (read: unknown, [name = '']: readonly string[], { tags }: { tags: readonly string[] }) => {
    tagsByKey.set(name, tags);
    return read;
  },
}));
vi.mock('../../platform/database/databases.ts', () => ({
  getPublicStore: () => ({
    readCategories: () => Promise.resolve([createTestCategory()]),
    explore: () => Promise.resolve({ snapshots: [] }),
  }),
}));

it('expires with the figures of the category, and with the endpoints that it lists', async () => {
  expect(await loadCategoryPage('weather')).toMatchObject({ tag: 'weather', snapshots: [] });
  expect(tagsByKey.get('category')?.toSorted()).toEqual(['ecosystem', 'leaderboard']);
});
