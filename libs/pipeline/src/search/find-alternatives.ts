import { canonicalize, type CanonicalResource } from '@touchstone/catalog';
import { TEXT_LIMITS, type Similar } from '@touchstone/contract';
import { createSearchText } from '@touchstone/search';
import { readAlternatives, type StoredAlternatives } from '@touchstone/store';
import { normalizeUsd, toDisplayResource } from '@touchstone/trust';
import { cleanText } from '@touchstone/x402';
import { createInvalidUrl, createOperationProblem } from '../problem.ts';
import { formatEndpointPage } from '../pages.ts';
import {
  createIncomplete,
  embedText,
  getModel,
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
 * Finds endpoints of other hosts that have the same purpose as the subject and a better score. An empty list is a valid
 * result. For a subject outside the catalog, the URL is the compared text, and the score counts as 0.
 *
 * Makes one call of the database if the vector of the subject is stored. Otherwise the function embeds the text of the
 * subject and makes a second call.
 *
 * @throws StoreError when the database fails, and the errors of `runQuery`. The request must not be charged then.
 */
export async function findAlternatives(
  context: SearchContext,
  request: AlternativesRequest,
): Promise<{ readonly kind: 'result'; readonly body: Similar } | SearchProblem> {
  const canonical = canonicalize(request.resource);
  if (!canonical.ok) return createInvalidUrl(canonical.reason);
  const { id, host, resource } = canonical;
  const stored = await read(context, request, { endpointId: id, host, embedding: null });
  // Two URLs can have the same id. Then the catalog contains only one of the two endpoints.
  const subject = stored.subject?.resource === resource ? stored.subject : null;
  const text = createSearchText(subject ?? { resource, serviceName: null, description: null })?.text;
  if (text === undefined) return WITHOUT_WORDS;
  if (!stored.isComplete) return createIncomplete(context);
  if (subject !== null && stored.isEmbedded) return toResult(context, request, { ...stored, canonical });
  const embedded = await embedText(context, text);
  if (embedded.kind === 'problem') return embedded;
  const { alternatives } = await read(context, request, {
    endpointId: subject === null ? NO_ENDPOINT : id,
    host,
    embedding: embedded.vector,
  });
  return toResult(context, request, { subject, alternatives, canonical });
}

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

/** Value in place of the id of a subject that is not in the catalog. No endpoint has this id. */
const NO_ENDPOINT = '';

function read(
  context: SearchContext,
  { limit, minScoreDelta }: AlternativesRequest,
  /** `embedding` is null if the stored vector of the subject is to be used. */
  subject: Pick<Parameters<typeof readAlternatives>[1], 'endpointId' | 'host' | 'embedding'>,
): Promise<StoredAlternatives> {
  const search = { ...subject, model: getModel(context), minScoreDelta, limit };
  return context.runQuery(() => readAlternatives(context.db, search));
}

function toResult(
  { baseUrl }: SearchContext,
  request: AlternativesRequest,
  found: Pick<StoredAlternatives, 'subject' | 'alternatives'> & { readonly canonical: CanonicalResource },
): { readonly kind: 'result'; readonly body: Similar } {
  const alternatives = found.alternatives.map((alternative) => toAlternative(alternative, baseUrl));
  return {
    kind: 'result',
    body: {
      resource: toDisplayResource(request.resource),
      subject: toSubject(found, baseUrl),
      count: alternatives.length,
      alternatives,
    },
  };
}

function toSubject(
  { subject, canonical }: Pick<StoredAlternatives, 'subject'> & { readonly canonical: CanonicalResource },
  baseUrl: string,
): Similar['subject'] {
  const resource = toDisplayResource(canonical.resource);
  if (subject === null)
    return { resource, score: null, grade: null, recommendation: null, endpointPage: null };
  const { score, grade, recommendation, slug } = subject;
  return { resource, score, grade, recommendation, endpointPage: formatEndpointPage(slug, baseUrl) };
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
    moreOnHost: stored.moreOnHost,
    endpointPage: formatEndpointPage(slug, baseUrl),
  };
}
