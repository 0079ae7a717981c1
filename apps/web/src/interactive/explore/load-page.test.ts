import { expect, it, vi } from 'vitest';
import { runSearch, SearchBusyError } from '../../operations/search-queue.ts';
import { encodePageParams } from '../../serving/route-page.ts';
import { NO_PARAMS } from './explore-params.ts';
import { getExploreResults } from './explore-route.ts';
import type { ExploreSource, FirstPage } from './list-endpoints.ts';
import { loadExplorePage } from './load-page.ts';

const createPage = (total: number): FirstPage => ({
  ...{ params: NO_PARAMS, ignored: [] },
  result: { matches: [], next: null, total, isTotalMinimum: false, counts: null },
});

const QUERY = { ...NO_PARAMS, limit: 25 };

vi.mock('../../platform/database/databases.ts', () => ({
  getPublicStore: () => ({ explore: () => Promise.resolve({ total: 2 }) }),
}));
vi.mock('./list-endpoints.ts', () => ({
  listFirstPage: async (source: ExploreSource) => createPage((await source.explore(QUERY)).total ?? 0),
}));
vi.mock('../../serving/page-cache/page-data.ts', () => ({
  readThroughCache: (_key: unknown, _tag: unknown, read: () => unknown) => read(),
}));

it('takes the result of the proxy once, and runs any other search through the queue', async () => {
  const segment = encodePageParams({ query: 'q=fx', ignored: [] });
  const load = async () => (await loadExplorePage(segment)).result.total;
  getExploreResults().set(segment, Promise.resolve(createPage(1)));
  expect([await load(), await load()]).toEqual([1, 2]);

  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const searches = Array.from({ length: 22 }, (_, index) =>
    runSearch({ client: `client ${index}` }, () => released),
  );
  await expect(load()).rejects.toThrow(SearchBusyError);
  expect((await loadExplorePage('')).result.total).toBe(2);
  release();
  await Promise.all(searches);
});
