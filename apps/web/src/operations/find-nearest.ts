import { type Embedder, EmbedderError, expandQuery } from '@touchstone/search';
import { searchByEmbedding, type Db } from '@touchstone/store';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { getSecretDatabase } from '../platform/database/databases.ts';
import { getProcessValue } from '../platform/process-value.ts';
import { createVisitorEmbedder } from './embedder.ts';

/** Maximum number of endpoints that are nearest in meaning. */
const MAX_NEAREST = 10;
/** Maximum number of texts whose vectors are in memory. The two vectors of a text have 6 kB. */
const MAX_VECTORS = 500;
/** Maximum number of texts of visitors that wait for the embedder. One text at a time is embedded. */
const MAX_WAITING = 8;

type Vectors = readonly (readonly number[])[];

/** External dependencies of the search by meaning. */
interface NearestContext {
  readonly db: Db;
  readonly embedder: Embedder | null;
}

/** Function that runs a query of the database when it is its turn. */
type RunQuery = <T>(query: () => Promise<T>) => Promise<T>;

/**
 * Creates the search by meaning for visitors. Buyers use the same embedder, so visitors have one embedding at a time, a
 * short queue, and a memory of the latest texts.
 */
export function createNearestSearch({ db, embedder }: NearestContext) {
  const limit = pLimit(1);
  const vectors = new LRUCache<string, Vectors>({ max: MAX_VECTORS });

  async function embed(text: string): Promise<Vectors | null> {
    const key = text.toLowerCase();
    const known = vectors.get(key);
    if (known !== undefined || embedder === null) return known ?? null;
    if (limit.pendingCount >= MAX_WAITING) return null;
    const expanded = expandQuery(text);
    try {
      const embedded = await limit(() => embedder.embed(expanded === null ? [text] : [text, expanded]));
      vectors.set(key, embedded);
      return embedded;
    } catch (error) {
      if (error instanceof EmbedderError) return null;
      throw error;
    }
  }

  /**
   * Returns the ids of the listed endpoints that are nearest to a text in meaning, best first, at most 10. Endpoints with
   * less similarity than the minimum of the semantic search are left out. Resolves to null if the embedder is missing,
   * overloaded or does not work, or if the catalog is not embedded yet.
   *
   * @throws StoreError if the database fails, and the errors of `runQuery`
   */
  return async (text: string, runQuery: RunQuery): Promise<readonly string[] | null> => {
    const [embedding, expansion = null] = (await embed(text)) ?? [];
    if (embedding === undefined || embedder === null) return null;
    const query = { model: embedder.model, embedding, expansion, limit: MAX_NEAREST };
    const { isComplete, matches } = await runQuery(() => searchByEmbedding(db, query));
    return isComplete ? matches.map(({ endpointId }) => endpointId) : null;
  };
}

/** Finds endpoints by meaning. All searches of this process share the queue and the memory. */
export function findNearest(text: string, runQuery: RunQuery): Promise<readonly string[] | null> {
  const search = getProcessValue('nearest-search', () =>
    createNearestSearch({ db: getSecretDatabase(), embedder: createVisitorEmbedder() }),
  );
  return search(text, runQuery);
}
