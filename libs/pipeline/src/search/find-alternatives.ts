import { canonicalize } from '@touchstone/catalog';
import { TEXT_LIMITS, type Similar } from '@touchstone/contract';
import { createSearchText } from '@touchstone/search';
import { readAlternatives, saveEmbeddings, type StoredAlternatives } from '@touchstone/store';
import { normalizeUsd, toDisplayResource } from '@touchstone/trust';
import { cleanText } from '@touchstone/x402';
import { describeUnknown } from '../reports/find-related.ts';
import { createInvalidUrl, createOperationProblem } from '../problem.ts';
import { formatEndpointPage } from '../pages.ts';
import {
  createIncomplete,
  getModel,
  runEmbedder,
  type SearchContext,
  type SearchProblem,
} from './search-context.ts';

export interface AlternativesRequest {
  /**
   * URL of the endpoint to replace (the subject). The URL need not be canonical. The member `resource` of the response
   * repeats the URL as requested. A URL with invisible characters is percent-encoded.
   */
  readonly resource: string;
  /** Maximum number of alternatives, 1 to 25. */
  readonly limit: number;
  /** Minimum advantage of an alternative over the score of the subject, 0 to 100. */
  readonly minScoreDelta: number;
}

/**
 * Finds endpoints of other hosts that do the same job as the subject and have a better score. An empty list is a valid
 * result.
 *
 * Makes one call of the database if the vector of the subject is stored. Otherwise the function embeds the text of the
 * subject, stores its vector and job, and reads the alternatives again.
 *
 * @throws StoreError when the database fails, and the errors of `runQuery`. The request must not be charged then.
 */
export async function findAlternatives(
  context: SearchContext,
  request: AlternativesRequest,
): Promise<{ readonly kind: 'result'; readonly body: Similar } | SearchProblem> {
  const canonical = canonicalize(request.resource);
  if (!canonical.ok) return createInvalidUrl(canonical.reason);
  const { id, resource } = canonical;
  const stored = await read(context, request, id);
  // Two URLs can have the same id. Then the catalog contains only one of the two endpoints.
  const subject = stored.subject?.resource === resource ? stored.subject : null;
  if (subject === null) return createUnknown(context, resource);
  const text = createSearchText(subject);
  if (text === null) return WITHOUT_WORDS;
  if (!stored.isComplete) return createIncomplete(context);
  if (stored.isEmbedded) return toResult(context, request, { ...stored, subject });
  const embedded = await runEmbedder(context, (embedder) => embedder.embedEndpoints([text.text]));
  if ('kind' in embedded) return embedded;
  const embeddings = embedded.map((result) => ({ textHash: text.textHash, ...result }));
  await context.runQuery(() => saveEmbeddings(context.db, { model: getModel(context), embeddings }));
  return toResult(context, request, { ...(await read(context, request, id)), subject });
}

async function createUnknown(context: SearchContext, resource: string): Promise<SearchProblem> {
  const detail = await context.runQuery(() => describeUnknown(context, resource, ADVICE));
  return createOperationProblem('unknown-resource', detail);
}

const ADVICE =
  'Describe the capability with POST /v1/semantic-search, or buy a trust report to add the endpoint.';

/** Problem of a subject that has no text to compare. */
const WITHOUT_WORDS: SearchProblem = {
  ...createOperationProblem(
    'invalid-request',
    'Neither the description, the service name nor the URL of this endpoint has words that say what it does. Describe the capability with POST /v1/semantic-search.',
  ),
  errors: [
    {
      path: 'resource',
      message: 'Give the URL of an endpoint with a description, or with words in its URL.',
    },
  ],
};

function read(
  context: SearchContext,
  { limit, minScoreDelta }: AlternativesRequest,
  endpointId: string,
): Promise<StoredAlternatives> {
  const search = { endpointId, model: getModel(context), minScoreDelta, limit };
  return context.runQuery(() => readAlternatives(context.db, search));
}

function toResult(
  { baseUrl }: SearchContext,
  request: AlternativesRequest,
  found: StoredAlternatives & { readonly subject: NonNullable<StoredAlternatives['subject']> },
): { readonly kind: 'result'; readonly body: Similar } {
  const { resource, score, grade, recommendation, slug } = found.subject;
  const alternatives = found.alternatives.map((alternative) => toAlternative(alternative, baseUrl));
  const endpointPage = formatEndpointPage(slug, baseUrl);
  return {
    kind: 'result',
    body: {
      resource: toDisplayResource(request.resource),
      subject: { resource: toDisplayResource(resource), score, grade, recommendation, endpointPage },
      count: alternatives.length,
      withinDelta: found.withinDelta,
      alternatives,
    },
  };
}

function toAlternative(
  stored: StoredAlternatives['alternatives'][number],
  baseUrl: string,
): Similar['alternatives'][number] {
  const { slug, resource, score, grade, recommendation, confidence, similarity } = stored;
  return {
    resource: toDisplayResource(resource),
    score,
    grade,
    recommendation,
    confidence,
    similarity,
    amountUsd: normalizeUsd(stored.amountUsd),
    network: cleanText(stored.network, TEXT_LIMITS.address),
    endpointPage: formatEndpointPage(slug, baseUrl),
  };
}
