import { createHash } from 'node:crypto';
import {
  createProblem,
  semanticSearchInputSchema,
  similarInputSchema,
  type SemanticSearchRequest,
  type SimilarRequest,
} from '@touchstone/contract';
import type { PaidOperation, WorkResult } from '@touchstone/payment';
import { findAlternatives, searchEndpoints } from '@touchstone/pipeline';
import { getEmbedder } from './embedder.ts';
import { requireOperation } from './require-operation.ts';
import { getSearchContext } from './search-context.ts';
import { toPaymentResource } from './to-payment-resource.ts';

/** Paid operation that returns the endpoints which match a description. */
export const searchOperation: PaidOperation<SemanticSearchRequest> = {
  operation: requireOperation('/v1/semantic-search'),
  input: semanticSearchInputSchema,
  // A search concerns no endpoint. If the resource were the query, a query that is the URL of an endpoint would count as
  // a payment for that endpoint, and would keep it in the catalog. The hash keeps the text of the query private.
  toResource: ({ query }) => `query:${createHash('sha256').update(query).digest('hex')}`,
  isRecordedLater: true,
  onlyReads: true,
  work: async (request) => toWorkResult(await searchEndpoints(getSearchContext(), request)),
};

/** Paid operation that returns endpoints with the same purpose as one endpoint and a better score. */
export const alternativesOperation: PaidOperation<SimilarRequest> = {
  operation: requireOperation('/v1/similar'),
  input: similarInputSchema,
  toResource: toPaymentResource,
  isRecordedLater: true,
  onlyReads: true,
  work: async (request) => toWorkResult(await findAlternatives(getSearchContext(), request)),
};

/** Time after which a client can repeat a request that found the embedder unavailable, in seconds. */
const EMBEDDER_RETRY_SECONDS = 30;

type Found = Awaited<ReturnType<typeof searchEndpoints | typeof findAlternatives>>;

/** Converts the outcome of a search. Without a configured embedder, a repeated request would fail again. */
function toWorkResult(found: Found): WorkResult {
  if (found.kind === 'result') return { body: found.body };
  const problem = createProblem(
    found.code,
    found.detail,
    found.errors === undefined ? {} : { errors: [...found.errors] },
  );
  const canRetry = found.code === 'search-unavailable' && getEmbedder() !== null;
  return canRetry ? { problem, retryAfterSeconds: EMBEDDER_RETRY_SECONDS } : { problem };
}
