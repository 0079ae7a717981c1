import { EMBEDDING_MODEL } from '@touchstone/search';
import {
  generateEndpoints,
  LARGE_HOST,
  loadDays,
  loadEndpoints,
  type GeneratedEndpoint,
} from './endpoints.ts';
import { formatNumber, sum } from './figures.ts';
import { quoteSql, runWithPostgres, type Session } from './postgres.ts';
import { createSearchData, insertTexts, runWithEmbedder, type SearchData } from './search-vectors.ts';

/** Number of endpoints. `BENCH_ENDPOINTS` sets another number. */
const ENDPOINT_COUNT = Number(process.env['BENCH_ENDPOINTS'] ?? 100_000);
/** Number of texts that the model embeds. `BENCH_EMBEDDED` sets another number. */
const EMBEDDED_COUNT = Number(process.env['BENCH_EMBEDDED'] ?? 2_000);
const HNSW_INDEX = 'public.search_texts_embedding';
/** Number of texts whose vectors are stored after the index was built. */
const INSERTED_COUNT = 1_000;
/** Number of texts per call of `save_embeddings`, as the job sends them. */
const TEXTS_PER_SAVE = 16;

/** Maximum of the 95th percentile of the elapsed time of each group of questions, in milliseconds. */
export const MAX_P95_MS = 20;

export interface SearchCatalog {
  readonly endpoints: readonly GeneratedEndpoint[];
  readonly session: Session;
}

/**
 * Passes a database with generated endpoints and their texts to `work`. The folder `BENCH_DATA`, if set, keeps the
 * database for later runs. Delete the folder after a change of the migrations or of the generated endpoints.
 */
export async function runWithSearchCatalog(work: (catalog: SearchCatalog) => Promise<void>): Promise<void> {
  const endpoints = generateEndpoints(ENDPOINT_COUNT);
  await runWithPostgres(
    async (postgres) => {
      const session = postgres.session();
      console.log(`PostgreSQL ${postgres.version}: ${formatNumber(endpoints.length)} generated endpoints`);
      await work({ endpoints, session });
      await session.close();
    },
    {
      folder: process.env['BENCH_DATA'],
      load: (session) =>
        runWithEmbedder(async (embedder) =>
          loadCatalog(session, endpoints, await createSearchData(embedder, endpoints, EMBEDDED_COUNT)),
        ),
    },
  );
}

/** Loads the catalog without the HNSW index, and then builds the index. */
async function loadCatalog(
  session: Session,
  endpoints: readonly GeneratedEndpoint[],
  data: SearchData,
): Promise<void> {
  const run = (sql: string) => session.run(sql);
  const definition = await run(
    `select indexdef from pg_indexes where schemaname || '.' || indexname = '${HNSW_INDEX}'`,
  );
  const held = new Set([...data.vectors.keys()].slice(0, INSERTED_COUNT));
  const loaded = new Map([...data.vectors].filter(([hash]) => !held.has(hash)));
  console.log(
    `${formatNumber(data.vectors.size)} texts. The model embedded ${formatNumber(data.embedded)} of them. The other ` +
      'vectors are rotations of real vectors of the same purpose.',
  );
  await run(`drop index ${HNSW_INDEX}; set synchronous_commit = off`);
  await insertTexts(run, loaded, endpoints);
  await loadEndpoints(run, endpoints);
  await loadDays(
    run,
    endpoints.filter(({ host, isPublic }) => host === LARGE_HOST && isPublic),
  );
  await run('set synchronous_commit = on');
  await run(definition);
  await run('vacuum analyze');
  const bytes = Number(await run(`select pg_total_relation_size('${HNSW_INDEX}')`));
  console.log(
    `HNSW index of ${formatNumber(loaded.size)} vectors: ${formatNumber(bytes / loaded.size)} bytes for each`,
  );
  await insertEmbeddings(session, data, [...held]);
  await run('vacuum analyze public.search_texts');
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
