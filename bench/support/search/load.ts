import { EMBEDDING_MODEL } from '@touchstone/search';
import { START_MS } from '../catalog.ts';
import { quoteSql } from '../psql.ts';
import type { GeneratedEndpoint } from './catalog.ts';
import { formatVector, type Vector } from './vectors.ts';

/** Runs SQL without parameters. */
export type RunSql = (sql: string) => Promise<unknown>;

const ROWS_PER_STATEMENT = 500;
export const HNSW_INDEX = 'public.search_texts_embedding';
/** Time of the stored snapshots. */
export const SCORED_AT = new Date(START_MS).toISOString();

/** Runs a statement for slices of rows. The statement contains the rows as a JSON array. */
async function runSlices(
  run: RunSql,
  rows: readonly object[],
  toSql: (json: string) => string,
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT)
    await run(toSql(quoteSql(JSON.stringify(rows.slice(start, start + ROWS_PER_STATEMENT)))));
}

/** Stores texts with their vectors directly, because `save_embeddings` stores vectors of known texts only. */
export async function loadTexts(
  run: RunSql,
  vectors: ReadonlyMap<string, Vector>,
  endpoints: readonly GeneratedEndpoint[],
): Promise<void> {
  const texts = new Map(endpoints.map(({ search }) => [search.textHash, search.text]));
  const rows = [...vectors].map(([hash, vector]) => ({
    text_hash: hash,
    text: texts.get(hash) ?? '',
    embedding: formatVector(vector),
  }));
  await runSlices(
    run,
    rows,
    (json) => `
      insert into public.search_texts (text_hash, text, model, embedding)
      select r.text_hash, r.text, '${EMBEDDING_MODEL}', r.embedding::extensions.vector
      from jsonb_to_recordset(${json}) as r (text_hash text, text text, embedding text)`,
  );
}

function toSnapshotRow(endpoint: GeneratedEndpoint, columns: object): object {
  const { id, host, resource, serviceName, description, score, grade, recommendation, search } = endpoint;
  return {
    revision: 0,
    detail: { scoringVersion: '1', inputs: {}, facts: {} },
    search: { text_hash: search.textHash, text: search.text, described: search.described },
    snapshot: {
      endpoint_id: id,
      public: endpoint.isPublic,
      slug: `e-${id}`,
      resource,
      host,
      method: 'GET',
      service_name: serviceName,
      description,
      templated: false,
      protocol_version: 2,
      score,
      grade,
      recommendation,
      confidence: 0.8,
      probes_30d: 1_400,
      amount_usd: '0.010000',
      network: 'eip155:8453',
      pay_on: [],
      first_seen: SCORED_AT,
      listing_status: endpoint.listed ? 'listed' : 'delisted',
      directories: [],
      content_hash: id,
      days_tracked: 30,
      error_flags: 0,
      warning_flags: 0,
      ...columns,
    },
  };
}

/**
 * Stores endpoints, and their snapshots with the function that the scoring job calls.
 * @param toColumns - Returns columns of the snapshot that replace the default values, and `tags` of the endpoint.
 */
export async function loadEndpoints(
  run: RunSql,
  endpoints: readonly GeneratedEndpoint[],
  toColumns: (endpoint: GeneratedEndpoint) => object = () => ({}),
): Promise<void> {
  const rows = endpoints.map((endpoint) => toSnapshotRow(endpoint, toColumns(endpoint)));
  await runSlices(
    run,
    rows,
    (json) => `
      with given as (
        insert into public.endpoints (id, resource, host, slug, templated, service_name, description, first_seen_at, tags)
        select s.endpoint_id, s.resource, s.host, s.slug, false, s.service_name, s.description, s.first_seen,
          coalesce(s.tags, '{}')
        from jsonb_array_elements(${json}) r cross join lateral jsonb_to_record(r -> 'snapshot') as s (
          endpoint_id text, resource text, host text, slug text, service_name text, description text,
          first_seen timestamptz, tags text[]
        )
        returning id
      )
      insert into public.endpoint_states (endpoint_id) select id from given`,
  );
  await runSlices(run, rows, (json) => `select count(*) from public.save_snapshots('${SCORED_AT}', ${json})`);
  await run('truncate public.scoring_queue');
}
