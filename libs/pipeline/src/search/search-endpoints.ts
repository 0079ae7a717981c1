import { TEXT_LIMITS, type SemanticSearch } from '@touchstone/contract';
import { expandQuery } from '@touchstone/search';
import { searchByEmbedding, type StoredMatch } from '@touchstone/store';
import { toDisplayResource } from '@touchstone/trust';
import { cleanText } from '@touchstone/x402';
import { formatEndpointPage } from '../pages.ts';
import {
  createIncomplete,
  getModel,
  runEmbedder,
  type SearchContext,
  type SearchProblem,
} from './search-context.ts';

export interface SearchRequest {
  /** Description of the capability, 1 to 500 characters. */
  readonly query: string;
  /** Maximum number of matches, 1 to 25. */
  readonly limit: number;
}

/**
 * Finds the listed endpoints whose text is similar to a query. A short query that names a job, such as "TTS", is also
 * compared in full words, and the better of the two similarities counts. The order is the order of the database: similarity in
 * whole percent, score, presence of a description, endpoint id. Makes one call of the embedder and one call of the
 * database.
 *
 * @throws StoreError when the database fails, and the errors of `runQuery`. The request must not be charged then.
 */
export async function searchEndpoints(
  context: SearchContext,
  { query, limit }: SearchRequest,
): Promise<{ readonly kind: 'result'; readonly body: SemanticSearch } | SearchProblem> {
  const expanded = expandQuery(query);
  const texts = expanded === null ? [query] : [query, expanded];
  const embedded = await runEmbedder(context, (embedder) => embedder.embed(texts));
  if ('kind' in embedded) return embedded;
  const [embedding = [], expansion = null] = embedded;
  const search = { model: getModel(context), embedding, expansion, limit };
  const { isComplete, matches: stored } = await context.runQuery(() => searchByEmbedding(context.db, search));
  if (!isComplete) return createIncomplete(context);
  const matches = stored.map((match) => toMatch(match, context.baseUrl));
  return { kind: 'result', body: { query, count: matches.length, matches } };
}

function toMatch(stored: StoredMatch, baseUrl: string): SemanticSearch['matches'][number] {
  const { endpointId, slug, resource, score, grade, confidence, similarity } = stored;
  const description = cleanText(stored.description, TEXT_LIMITS.matchDescription);
  return {
    id: endpointId,
    resource: toDisplayResource(resource),
    score,
    grade,
    confidence,
    similarity,
    ...(description === null ? {} : { description }),
    endpointPage: formatEndpointPage(slug, baseUrl),
  };
}
