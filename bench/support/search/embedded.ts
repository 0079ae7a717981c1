import { createKeys, startEmbedded } from '@touchstone/embedded';
import { EMBEDDING_MODEL } from '@touchstone/search';
import { connect, searchByEmbedding } from '@touchstone/store';
import { formatNumber, quantile } from '../figures.ts';
import type { GeneratedEndpoint } from './catalog.ts';
import type { SearchData } from './data.ts';
import { loadEndpoints, loadTexts } from './load.ts';
import { RESULT_LIMIT } from './questions.ts';
import type { Vector } from './vectors.ts';

/** Measures the semantic search on the embedded database, through its HTTP API and the functions of the store. */
export async function measureEmbeddedDatabase(
  endpoints: readonly GeneratedEndpoint[],
  { vectors }: SearchData,
  queries: readonly Vector[],
): Promise<void> {
  const keys = createKeys();
  const database = await startEmbedded({ keys });
  try {
    const { driver } = database.connection;
    const hashes = new Set(endpoints.map(({ search }) => search.textHash));
    const used = new Map([...vectors].filter(([hash]) => hashes.has(hash)));
    await loadTexts((sql) => driver.exec(sql), used, endpoints);
    await loadEndpoints((sql) => driver.exec(sql), endpoints);
    await driver.exec('analyze');
    const db = connect({ url: database.url, key: keys.secret });
    const ms: number[] = [];
    for (const vector of [...queries.slice(0, 10), ...queries]) {
      const startedAt = performance.now();
      await searchByEmbedding(db, {
        model: EMBEDDING_MODEL,
        embedding: Array.from(vector),
        limit: RESULT_LIMIT,
      });
      ms.push(performance.now() - startedAt);
    }
    const format = (share: number): string => formatNumber(quantile(ms.slice(10), share), 1);
    console.log(
      `\nEmbedded database, ${formatNumber(endpoints.length)} endpoints with ${formatNumber(used.size)} texts, ` +
        `semantic search: p50 ${format(0.5)} ms, p95 ${format(0.95)} ms, p99 ${format(0.99)} ms`,
    );
  } finally {
    await database.close();
  }
}
