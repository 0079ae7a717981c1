import { DEFAULT_SCORE_DELTA, MAX_COUNTED_ALTERNATIVES } from '@touchstone/contract';
import { EMBEDDING_MODEL, type Embedder } from '@touchstone/search';
import { generateQueries, SCORED_AT } from './support/endpoints.ts';
import { formatNumber, formatQuantiles, printTable, time } from './support/figures.ts';
import type { Session } from './support/postgres.ts';
import { MAX_P95_MS, runWithSearchCatalog, type SearchCatalog } from './support/search-catalog.ts';
import {
  askGroup,
  createAlternativesQuestionGroups,
  createSearchQuestion,
  GROUP_HEADINGS,
  RESULT_LIMIT,
} from './support/search-questions.ts';
import { embedTexts, runWithEmbedder, type Vector } from './support/search-vectors.ts';

/**
 * Measures the search for endpoints and the alternatives on PostgreSQL with pgvector: latency, and recall against a
 * comparison with all texts. Also measures the HNSW index and the embedder. Run it with `npm run bench:search`. It takes
 * about five minutes, and half of this time with a kept database (see `runWithSearchCatalog`). It needs PostgreSQL with
 * pgvector 0.8 and pg_trgm.
 */
const QUERY_COUNT = 40;
/** Number of endpoints whose alternatives are searched in each measurement. */
const SUBJECT_COUNT = 40;
const COUNTED_PER_CALL = 100;
const DAY_SECONDS = 86_400;

async function measureEmbedder(embedder: Embedder): Promise<readonly Vector[]> {
  const queries = generateQueries(QUERY_COUNT);
  const ms: number[] = [];
  for (const query of queries) ms.push(await time(() => embedder.embed([query])));
  const [p50 = '', p95 = ''] = formatQuantiles(ms, [0.5, 0.95]);
  console.log(`\nEmbedding of one query: p50 ${p50} ms, p95 ${p95} ms`);
  return embedTexts(embedder, queries);
}

async function measureCounts(session: Session): Promise<void> {
  const { output, cpuMs } = await session.time(
    `select counted from public.count_alternatives(
      '${SCORED_AT}', '${EMBEDDING_MODEL}', ${DAY_SECONDS}, ${DEFAULT_SCORE_DELTA}, ${MAX_COUNTED_ALTERNATIVES},
      ${COUNTED_PER_CALL}
    )`,
  );
  console.log(
    `\nAlternatives counted: ${formatNumber(cpuMs / Number(output), 1)} ms of CPU for each endpoint`,
  );
}

async function measureAll({ endpoints, session }: SearchCatalog, embedder: Embedder): Promise<void> {
  const queries = await measureEmbedder(embedder);
  const rows: (readonly string[])[] = [GROUP_HEADINGS];
  const search = { name: 'semantic search', questions: queries.map(createSearchQuestion) };
  for (const group of [search, ...createAlternativesQuestionGroups(endpoints, SUBJECT_COUNT)])
    rows.push(await askGroup(session, group));
  console.log(`\nAt most ${RESULT_LIMIT} results, p95 at most ${MAX_P95_MS} ms elapsed:`);
  printTable(rows);
  await measureCounts(session);
}

await runWithEmbedder((embedder) => runWithSearchCatalog((catalog) => measureAll(catalog, embedder)));
