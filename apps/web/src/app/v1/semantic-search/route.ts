import {
  semanticSearchInputSchema,
  semanticSearchOperation,
} from '@touchstone/contract/operations/semantic-search/operation';
import { searchEndpoints } from '@touchstone/pipeline/search/search-endpoints';
import { createPaidRoute, hashResource } from '../../../operations/paid-route.ts';
import { sellSearch } from '../../../operations/search.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createPaidRoute({
  operation: semanticSearchOperation,
  input: semanticSearchInputSchema,
  toResource: ({ query }) => hashResource('query', query),
  isRecordedLater: true,
  onlyReads: true,
  work: (request, _buyer, { client }) => sellSearch(client, (context) => searchEndpoints(context, request)),
});
