import {
  semanticSearchInputSchema,
  semanticSearchOperation,
} from '@touchstone/contract/operations/semantic-search/operation';
import { searchEndpoints } from '@touchstone/pipeline/search/search-endpoints';
import { createPaidRoute, hashResource } from '../../../operations/paid-route.ts';
import { runPaidSearch } from '../../../operations/search-queue.ts';
import { getSearchContext, toSearchResult } from '../../../operations/search.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createPaidRoute({
  operation: semanticSearchOperation,
  input: semanticSearchInputSchema,
  toResource: ({ query }) => hashResource('query', query),
  isRecordedLater: true,
  onlyReads: true,
  work: async (request, _buyer, { client }) =>
    toSearchResult(await runPaidSearch(client, () => searchEndpoints(getSearchContext(), request))),
});
