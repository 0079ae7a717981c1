import { EmbedderError, EMBEDDING_MODEL, type Embedder } from '@touchstone/search';
import type { Db } from '@touchstone/store';
import type { PipelineContext } from '../context.ts';
import type { StepContext } from '../steps.ts';
import { createOperationProblem, type OperationProblem } from '../problem.ts';

/** External dependencies of the search and of the alternatives. */
export interface SearchContext {
  readonly db: Db;
  /** Embedder of queries; null for a service that can compare only stored vectors. */
  readonly embedder: Embedder | null;
  /** Base URL of the service, for the links to endpoint pages. */
  readonly baseUrl: string;
  /** Runs a query of the database, for example when it is its turn. The embedder is called outside of such queries. */
  readonly runQuery: <T>(query: () => Promise<T>) => Promise<T>;
}

/** External dependencies of the job `search`. */
export type SearchJobContext = Pick<PipelineContext, 'db' | 'embedder' | 'now' | 'onChanged'> & StepContext;

/** Reason why a search has no result. The request must not be charged. */
export type SearchProblem = OperationProblem<'search-unavailable' | 'invalid-request' | 'unknown-resource'>;

/** Returns the id of the vector space whose stored vectors are compared. */
export function getModel({ embedder }: Pick<SearchJobContext, 'embedder'>): string {
  return embedder?.model ?? EMBEDDING_MODEL;
}

/**
 * Returns the result of an embedder; a problem if the embedder is missing or does not work, so the request is not
 * charged.
 */
export async function runEmbedder<Result extends readonly unknown[]>(
  { embedder }: Pick<SearchContext, 'embedder'>,
  run: (embedder: Embedder) => Promise<Result>,
): Promise<Result | SearchProblem> {
  if (embedder === null) return WITHOUT_EMBEDDER;
  try {
    return await run(embedder);
  } catch (error) {
    if (!(error instanceof EmbedderError)) throw error;
    return createOperationProblem(
      'search-unavailable',
      'The text could not be embedded, because the embedder does not work now. Retry later.',
    );
  }
}

const WITHOUT_EMBEDDER = createOperationProblem(
  'search-unavailable',
  'This service runs without an embedder, so it cannot compare texts.',
);

/**
 * Returns the problem of a catalog in which many texts have no vector yet. A result could lack the best endpoints, so
 * no result is sold.
 */
export function createIncomplete({ embedder }: Pick<SearchContext, 'embedder'>): SearchProblem {
  // Without an embedder the remaining texts are never embedded, so the request should not be repeated.
  if (embedder === null) return WITHOUT_EMBEDDER;
  return createOperationProblem(
    'search-unavailable',
    'The catalog is being indexed, so a result would be incomplete. Retry later.',
  );
}
