import { similarInputSchema, similarOperation } from '@touchstone/contract/operations/similar/operation';
import { findAlternatives } from '@touchstone/pipeline/search/find-alternatives';
import { createPaidRoute, toPaymentResource } from '../../../operations/paid-route.ts';
import { sellSearch } from '../../../operations/search.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createPaidRoute({
  operation: similarOperation,
  input: similarInputSchema,
  toResource: toPaymentResource,
  isRecordedLater: true,
  onlyReads: true,
  work: (request, _buyer, { client }) => sellSearch(client, (context) => findAlternatives(context, request)),
});
