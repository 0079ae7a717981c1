import { createTRPCClient, httpLink } from '@trpc/client';
import type { AppRouter } from '../../trpc/app-router.ts';

/** Creates the client of the explore page and of the search field. Calls are GET requests, which caches may answer. */
export function createExploreClient() {
  return createTRPCClient<AppRouter>({ links: [httpLink({ url: '/api/trpc' })] }).explore;
}
