import { setImmediate } from 'node:timers/promises';
import { createKeys, startEmbedded } from '@touchstone/embedded';
import { DEFAULT_SCORE_DELTA, MAX_COUNTED_ALTERNATIVES } from '@touchstone/contract';
import { EMBEDDING_MODEL, type Embedder } from '@touchstone/search';
import { connect, searchByEmbedding } from '@touchstone/store';
import {
  generateEndpoints,
  generateQueries,
  loadEndpoints,
  SCORED_AT,
  type GeneratedEndpoint,
} from './support/endpoints.ts';
import { formatNumber, formatQuantiles, printTable, sum, time } from './support/figures.ts';
import { quoteSql, runWithPostgres, type Postgres, type Session } from './support/postgres.ts';
import {
  askGroup,
  createAlternativesQuestionGroups,
  createSearchQuestion,
  GROUP_HEADINGS,
  RESULT_LIMIT,
} from './support/search-questions.ts';
import {
  createSearchData,
  embedTexts,
  insertTexts,
  runWithEmbedder,
  sampleValues,
  type SearchData,
  type Vector,
} from './support/search-vectors.ts';

/**
 * Measures the search for endpoints and the alternatives on PostgreSQL with pgvector: latency, and recall against a
 * comparison with all texts. Also measures the HNSW index, the embedder and the embedded database. Run it with `npm
 * run bench:search`. It takes about 20 minutes and needs PostgreSQL with pgvector 0.8 and pg_trgm.
 *
 * `BENCH_ENDPOINTS` sets another number of endpoints. `BENCH_EMBEDDED` sets another number of texts that are embedded.
 */
const ENDPOINT_COUNT = Number(process.env['BENCH_ENDPOINTS'] ?? 100_000);
const EMBEDDED_COUNT = Number(process.env['BENCH_EMBEDDED'] ?? 10_000);
const HNSW_INDEX = 'public.search_texts_embedding';
const QUERY_COUNT = 300;
/** Number of endpoints whose alternatives are searched in each measurement. */
const SUBJECT_COUNT = 100;
/** Number of texts whose vectors are stored after the index was built. */
const INSERTED_COUNT = 2_000;
/** Number of texts per call of `save_embeddings`, as the job sends them. */
const TEXTS_PER_SAVE = 16;
const COUNTED_PER_CALL = 100;
const COUNT_CALLS = 10;
const DAY_SECONDS = 86_400;

async function measureEmbedder(embedder: Embedder): Promise<readonly Vector[]> {
  const queries = generateQueries(QUERY_COUNT);
  const ms: number[] = [];
  for (const query of queries.slice(0, 100)) ms.push(await time(() => embedder.embed([query])));
  console.log(`\nEmbedding of one query: ${describeQuantiles(ms)}`);
  return embedTexts(embedder, queries);
}

function describeQuantiles(ms: readonly number[]): string {
  const [p50 = '', p95 = ''] = formatQuantiles(ms, [0.5, 0.95]);
  return `p50 ${p50} ms, p95 ${p95} ms`;
}

/** Loads the catalog without the HNSW index, and then builds the index. */
async function loadCatalog(
  session: Session,
  endpoints: readonly GeneratedEndpoint[],
  data: SearchData,
): Promise<void> {
  const definition = await session.run(
    `select indexdef from pg_indexes where schemaname || '.' || indexname = '${HNSW_INDEX}'`,
  );
  const held = new Set([...data.vectors.keys()].slice(0, INSERTED_COUNT));
  const loaded = new Map([...data.vectors].filter(([hash]) => !held.has(hash)));
  await session.run(`drop index ${HNSW_INDEX}; set synchronous_commit = off`);
  await insertTexts((sql) => session.run(sql), loaded, endpoints);
  await loadEndpoints((sql) => session.run(sql), endpoints);
  await session.run('set synchronous_commit = on');
  await session.run(definition);
  await session.run('vacuum analyze');
  const bytes = Number(await session.run(`select pg_total_relation_size('${HNSW_INDEX}')`));
  console.log(
    `\nHNSW index of ${formatNumber(loaded.size)} vectors: ${formatNumber(bytes / loaded.size)} bytes for each`,
  );
  await insertEmbeddings(session, data, [...held]);
  await session.run('vacuum analyze public.search_texts');
}

/** Stores vectors with the function that the job calls, while the index exists. */
async function insertEmbeddings(
  session: Session,
  data: SearchData,
  hashes: readonly string[],
): Promise<void> {
  const ms: number[] = [];
  for (let start = 0; start < hashes.length; start += TEXTS_PER_SAVE) {
    const rows = hashes.slice(start, start + TEXTS_PER_SAVE).map((textHash) => ({
      textHash,
      embedding: Array.from(data.vectors.get(textHash) ?? []),
      job: textHash.slice(0, 1),
    }));
    const sql = `select public.save_embeddings('${EMBEDDING_MODEL}', ${quoteSql(JSON.stringify(rows))}::jsonb)`;
    ms.push((await session.time(sql)).ms);
  }
  console.log(
    `Vectors stored while the index exists, ${TEXTS_PER_SAVE} per call: ` +
      `${formatNumber(hashes.length / (sum(ms) / 1_000))} per second`,
  );
}

async function measureQuestions(
  session: Session,
  endpoints: readonly GeneratedEndpoint[],
  queries: readonly Vector[],
): Promise<void> {
  const rows: (readonly string[])[] = [GROUP_HEADINGS];
  const search = { name: 'semantic search', questions: queries.map(createSearchQuestion) };
  for (const group of [search, ...createAlternativesQuestionGroups(endpoints, SUBJECT_COUNT)])
    rows.push(await askGroup(session, group));
  console.log(`\nAt most ${RESULT_LIMIT} results:`);
  printTable(rows);
}

async function measureCounts(session: Session): Promise<void> {
  let [cpuMs, count] = [0, 0];
  for (let call = 0; call < COUNT_CALLS; call += 1) {
    const timed = await session.time(
      `select counted from public.count_alternatives(
        '${SCORED_AT}', '${EMBEDDING_MODEL}', ${DAY_SECONDS}, ${DEFAULT_SCORE_DELTA}, ${MAX_COUNTED_ALTERNATIVES},
        ${COUNTED_PER_CALL}
      )`,
    );
    count += Number(timed.output);
    cpuMs += timed.cpuMs;
  }
  console.log(`\nAlternatives counted: ${formatNumber(cpuMs / count, 1)} ms of CPU for each endpoint`);
}

/** Measures the semantic search on the embedded database, through its HTTP API and the functions of the store. */
async function measureEmbeddedDatabase(
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
    await insertTexts((sql) => driver.exec(sql), used, endpoints);
    await loadEndpoints((sql) => driver.exec(sql), endpoints);
    await driver.exec('analyze');
    const db = connect({ url: database.url, key: keys.secret });
    const ms: number[] = [];
    for (const vector of [...queries.slice(0, 10), ...queries]) {
      const query = { model: EMBEDDING_MODEL, embedding: Array.from(vector), limit: RESULT_LIMIT };
      ms.push(await time(() => searchByEmbedding(db, query)));
    }
    console.log(
      `\nEmbedded database, ${formatNumber(endpoints.length)} endpoints with ${formatNumber(used.size)} texts, ` +
        `semantic search: ${describeQuantiles(ms.slice(10))}`,
    );
  } finally {
    await database.close();
  }
}

async function measureAll(postgres: Postgres, embedder: Embedder): Promise<void> {
  const endpoints = generateEndpoints(ENDPOINT_COUNT);
  const data = await createSearchData(embedder, endpoints, EMBEDDED_COUNT);
  console.log(
    `PostgreSQL ${postgres.version}: ${formatNumber(endpoints.length)} generated endpoints with ` +
      `${formatNumber(data.vectors.size)} texts. The model embedded ${formatNumber(data.embedded)} of them. The ` +
      'other vectors are rotations of real vectors of the same purpose.',
  );
  // The generation of the vectors blocks the event loop for longer than the embedder keeps an idle connection. In this
  // pause the client notices the closed connection.
  await setImmediate();
  const queries = await measureEmbedder(embedder);
  const session = postgres.session();
  await loadCatalog(session, endpoints, data);
  await measureQuestions(session, endpoints, queries);
  await measureCounts(session);
  await session.close();
  for (const count of [2_000, 10_000])
    await measureEmbeddedDatabase(sampleValues(endpoints, count), data, queries.slice(0, 100));
}

await runWithPostgres((postgres) => runWithEmbedder((embedder) => measureAll(postgres, embedder)));
