import { EmbedderError, EMBEDDING_MODEL, type Embedder } from '@touchstone/search';
import type { Db } from '@touchstone/store';
import type { PipelineContext } from '../context.ts';

/** External dependencies of the search and of the alternatives. */
export interface SearchContext {
  readonly db: Db;
  /** Null if this service has no embedder. Then only stored vectors can be compared. */
  readonly embedder: Embedder | null;
  /** Base URL of the service, for the links to endpoint pages. */
  readonly baseUrl: string;
}

/** External dependencies of the job `search`. */
export type SearchJobContext = Pick<PipelineContext, 'db' | 'embedder' | 'now' | 'onChanged'>;

/** Reason why there is no result. The request must not be charged. */
export interface SearchProblem {
  readonly kind: 'problem';
  readonly code: 'search-unavailable' | 'invalid-request';
  readonly detail: string;
  /** Parts of the request that the client has to change; present only with `invalid-request`. */
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

/** Returns the id of the vector space whose stored vectors are compared. */
export function getModel({ embedder }: Pick<SearchJobContext, 'embedder'>): string {
  return embedder?.model ?? EMBEDDING_MODEL;
}

interface Embedded {
  readonly kind: 'embedded';
  readonly vector: readonly number[];
}

/** Embeds one text of a request. An embedder that does not work is a problem, so the request is not charged. */
export async function embedText(
  { embedder }: Pick<SearchContext, 'embedder'>,
  text: string,
): Promise<Embedded | SearchProblem> {
  if (embedder === null) return WITHOUT_EMBEDDER;
  try {
    const [vector] = await embedder.embed([text]);
    if (vector !== undefined) return { kind: 'embedded', vector };
  } catch (error) {
    if (!(error instanceof EmbedderError)) throw error;
  }
  return createUnavailable(
    'The text could not be embedded, because the embedder does not work now. Retry later.',
  );
}

function createUnavailable(detail: string): SearchProblem {
  return { kind: 'problem', code: 'search-unavailable', detail };
}

const WITHOUT_EMBEDDER = createUnavailable(
  'This service runs without an embedder, so it cannot compare texts.',
);

/**
 * Returns the problem of a catalog in which many texts have no vector yet. A result could lack the best endpoints, so it
 * is not sold.
 */
export function createIncomplete({ embedder }: Pick<SearchContext, 'embedder'>): SearchProblem {
  // Without an embedder the rest is never indexed, so the request should not be repeated.
  if (embedder === null) return WITHOUT_EMBEDDER;
  return createUnavailable('The catalog is being indexed, so a result would be incomplete. Retry later.');
}

/** Returns the URL of the free page of an endpoint. */
export function formatEndpointPage(slug: string, baseUrl: string): string {
  return new URL(`/endpoint/${slug}`, baseUrl).href;
}
