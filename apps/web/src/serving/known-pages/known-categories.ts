import type { Category } from '@touchstone/store';
import { LRUCache } from 'lru-cache';
import { getPublicStore } from '../../platform/database/databases.ts';
import { getProcessValue } from '../../platform/process-value.ts';
import type { PageRoute } from './route-known-page.ts';

/**
 * Age at which the categories in the memory of this process are read again, in milliseconds. A page links a new category
 * at once, so the age is short. The query reads one row.
 */
const LIFETIME_MS = 10_000;

/** Pattern of the last part of the path of a category page. */
const NAME_PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Returns all categories, the largest first. Concurrent calls share one read of the database. */
export async function loadCategories(): Promise<readonly Category[]> {
  const cache = getProcessValue(
    'categories',
    () =>
      new LRUCache<'all', readonly Category[]>({
        max: 1,
        ttl: LIFETIME_MS,
        fetchMethod: () => getPublicStore().readCategories(),
      }),
  );
  return (await cache.fetch('all')) ?? [];
}

/** Returns the path of the page of a category. */
export function toCategoryPath(tag: string): string {
  return `/category/${tag.replaceAll(' ', '-')}`;
}

/**
 * Finds the category of a page; null for an unknown page.
 *
 * @param load Reads all categories; by default from the memory of this process.
 */
export async function findCategory(
  name: string,
  load: () => Promise<readonly Category[]> = loadCategories,
): Promise<Category | null> {
  const path = toCategoryPath(name);
  return (await load()).find(({ tag }) => toCategoryPath(tag) === path) ?? null;
}

/**
 * Decides how to respond to a request for the page of a category. Only a known name in lower case is served, so that no
 * page is rendered or cached for other names.
 *
 * @param part Untrusted last part of the path.
 * @param find Finds the category of a name in lower case.
 */
export async function routeCategoryPage(
  part: string,
  find: (name: string) => Promise<Category | null>,
): Promise<PageRoute> {
  const name = part.toLowerCase();
  if (!NAME_PATTERN.test(name)) return { kind: 'unknown' };
  // After a failed lookup, the page is served, because it may be in the cache.
  const isKnown = await find(name).then(
    (category) => category !== null,
    () => true,
  );
  if (!isKnown) return { kind: 'unknown' };
  return name === part ? { kind: 'serve' } : { kind: 'redirect', path: toCategoryPath(name) };
}
