import { InvalidCursorError } from '@touchstone/store';
import { TRPCError } from '@trpc/server';
import { cache } from 'react';
import { getPublicStore } from '../../platform/database/databases.ts';
import { loadEcosystemDays, readThroughCache } from '../../serving/page-cache/page-data.ts';
import { UNSTORED_TAG } from '../../serving/page-cache/page-lifetime.ts';
import { createCaller } from '../trpc/app-router.ts';
import { queueSearches } from '../trpc/queued-store.ts';
import type { ExploreResult } from '../trpc/explore-router.ts';
import { type Choices, createChoices } from './choices.ts';
import { type ParsedParams, formatExploreParams } from './explore-params.ts';
import type { FirstPage } from './view/explore.tsx';

/** Maximum length of an ignored cursor on the page, in characters. */
const MAX_CURSOR_LENGTH = 60;

/**
 * Loads the data of the explore page for a client. Returns null if too many searches wait. See {@link loadExplorePage}.
 */
export async function searchExplorePage(
  search: ParsedParams & { readonly client: string },
): Promise<Awaited<ReturnType<typeof loadExplorePage>> | null> {
  try {
    return await loadExplorePage(search);
  } catch (error) {
    if (error instanceof TRPCError && error.code === 'TOO_MANY_REQUESTS') return null;
    throw error;
  }
}

/**
 * Loads the data of the explore page. The searches of a client wait in the queue of all searches. If the cursor is invalid, the first page is loaded, and the page reports the
 * cursor as ignored.
 */
export async function loadExplorePage({
  params,
  ignored,
  client = null,
}: ParsedParams & { readonly client?: string | null }): Promise<{
  readonly page: FirstPage;
  readonly choices: Choices;
}> {
  const [result, [newest]] = await Promise.all([
    loadExplore(formatExploreParams(params), client),
    loadEcosystemDays(1),
  ]);
  const choices = createChoices(newest);
  if (result !== null) return { page: { params, ignored, result }, choices };
  const first = { ...params, after: null };
  const firstResult = await loadExplore(formatExploreParams(first), client);
  if (firstResult === null) throw new Error('The store refused a query without a cursor');
  const cursor = `after=${(params.after ?? '').slice(0, MAX_CURSOR_LENGTH)}`;
  return { page: { params: first, ignored: [...ignored, cursor], result: firstResult }, choices };
}

/**
 * Returns the endpoints of a page; null if the cursor in the parameters is invalid. The data of a page with parameters
 * is never stored, because clients can send any number of different parameters. Without `readThroughCache`, Next would
 * store the database response in the page cache.
 *
 * @param query Parameters as formatted by `formatExploreParams`; empty for the page without parameters.
 */
const loadExplore = cache((query: string, client: string | null) =>
  readThroughCache(['explore', query], query === '' ? 'leaderboard' : UNSTORED_TAG, () =>
    readExplore(query, client),
  ),
);

async function readExplore(query: string, client: string | null): Promise<ExploreResult | null> {
  try {
    const store = client === null ? getPublicStore() : queueSearches(getPublicStore(), client);
    return await createCaller({ store }).explore.list({ params: query });
  } catch (error) {
    if (error instanceof TRPCError && error.cause instanceof InvalidCursorError) return null;
    throw error;
  }
}
