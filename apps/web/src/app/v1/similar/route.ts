import { similarInputSchema, similarOperation } from '@touchstone/contract/operations/similar/operation';
import { findAlternatives } from '@touchstone/pipeline/search/find-alternatives';
import { createPaidRoute, toPaymentResource } from '../../../operations/paid-route.ts';
import { runPaidSearch } from '../../../operations/search-queue.ts';
import { getSearchContext, toSearchResult } from '../../../operations/search.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createPaidRoute({
  operation: similarOperation,
  input: similarInputSchema,
  toResource: toPaymentResource,
  isRecordedLater: true,
  onlyReads: true,
  work: async (request, _buyer, { client }) =>
    toSearchResult(await runPaidSearch(client, () => findAlternatives(getSearchContext(), request))),
});
