import { MAX_WITHIN_DELTA, MIN_ALTERNATIVE_SIMILARITY, MIN_SIMILARITY } from '@touchstone/contract';
import { EMBEDDING_MODEL } from '@touchstone/search';
import { createSeededRandom } from '../../libs/x402/src/testing/seeded-random.ts';
import { AVOIDED_PATH, LARGE_HOST, type GeneratedEndpoint } from './endpoints.ts';
import { formatNumber, formatQuantiles } from './figures.ts';
import type { Session, TimedResult } from './postgres.ts';
import { formatVector, type Vector } from './search-vectors.ts';

/** Number of results of each question. It is the maximum of the API. */
export const RESULT_LIMIT = 25;
/** Minimum score difference between an endpoint and its alternatives. It is the default of the API. */
const SCORE_DELTA = 5;
/** High minimum score for a search for alternatives to an endpoint. About one endpoint in 30 has this score. */
const HIGH_SCORE = 98;

/** One call of a search function, with SQL that computes the exact result for comparison. */
export interface Question {
  readonly sql: string;
  readonly exactSql: string;
}

export interface QuestionGroup {
  readonly name: string;
  readonly questions: readonly Question[];
}

/**
 * Returns SQL that computes a result by comparing the vector with all texts. It is written independently of the search
 * functions of the database, so it also checks their filters and order.
 */
function buildExactSql(vector: string, minSimilarity: number, filter: string): string {
  return `
    with near as materialized (
      select text_hash, round((1 - distance)::numeric, 4) as similarity from (
        select text_hash, embedding operator(extensions.<=>) ${vector} as distance
        from public.search_texts where model = '${EMBEDDING_MODEL}'
      ) compared
      -- The margin is greater than the rounding.
      where distance < 0.601
    )
    select string_agg(endpoint_id, ',' order by position) from (
      select endpoint_id, position from (
        select distinct on (x.host, x.text_hash) s.endpoint_id, row_number() over (
          order by floor(100 * n.similarity) desc, case when s.grade <> '?' then s.score end desc nulls last,
            s.described desc, s.endpoint_id collate "C"
        ) as position
        from near n join public.snapshots s using (text_hash)
        join public.explore_entries x on x.endpoint_id = s.endpoint_id
        where n.similarity >= ${minSimilarity} and s.listing_status = 'listed' and ${filter}
        order by x.host, x.text_hash, position
      ) copies
      order by position limit ${RESULT_LIMIT}
    ) ranked`;
}

export function createSearchQuestion(vector: Vector): Question {
  const literal = `'${formatVector(vector)}'::extensions.vector`;
  return {
    sql: `
      select string_agg(r ->> 'endpointId', ',' order by position)
      from jsonb_array_elements(
        public.search_by_embedding('${EMBEDDING_MODEL}', ${literal}, ${RESULT_LIMIT}) -> 'matches'
      ) with ordinality as results (r, position)`,
    exactSql: buildExactSql(literal, MIN_SIMILARITY, 'true'),
  };
}

function createAlternativesQuestion(subject: GeneratedEndpoint, minScoreDelta: number): Question {
  const { id, host, score, search } = subject;
  const vector = `(select embedding from public.search_texts where text_hash = '${search.textHash}')`;
  return {
    sql: `
      select string_agg(r ->> 'endpointId', ',' order by position)
      from jsonb_array_elements(
        public.alternatives_to(
          p_model => '${EMBEDDING_MODEL}', p_endpoint_id => '${id}',
          p_min_score_delta => ${minScoreDelta}, p_limit => ${RESULT_LIMIT}, p_max_within => ${MAX_WITHIN_DELTA}
        ) -> 'alternatives'
      ) with ordinality as results (r, position)`,
    exactSql: buildExactSql(
      vector,
      MIN_ALTERNATIVE_SIMILARITY,
      `left(s.text_hash, 1) = '${search.textHash[0] ?? ''}'
        and s.host <> '${host}' and s.recommendation <> 'avoid' and s.grade <> '?'
        and s.score::numeric >= ${score}::numeric + ${minScoreDelta}::numeric`,
    ),
  };
}

/**
 * Returns groups of searches for alternatives to an endpoint. In all groups except the first, the filters exclude most
 * of the nearest texts.
 */
export function createAlternativesQuestionGroups(
  endpoints: readonly GeneratedEndpoint[],
  count: number,
): readonly QuestionGroup[] {
  const random = createSeededRandom(18);
  const subjects = endpoints.filter(({ isPublic, score }) => isPublic && score <= 90);
  const choose = (
    name: string,
    matches: (endpoint: GeneratedEndpoint) => boolean,
    toDelta: (endpoint: GeneratedEndpoint) => number = () => SCORE_DELTA,
  ): QuestionGroup => {
    const found = subjects.filter(matches);
    const questions = Array.from({ length: count }, () => random.pick(found)).map((endpoint) =>
      createAlternativesQuestion(endpoint, toDelta(endpoint)),
    );
    return { name, questions };
  };
  return [
    choose('alternatives to any endpoint', () => true),
    choose('subject on a host of 5 %, same job', ({ host }) => host === LARGE_HOST),
    choose('97 % of this job to be avoided', ({ resource }) => resource.includes(AVOIDED_PATH)),
    choose(
      `minimum score ${HIGH_SCORE}`,
      () => true,
      ({ score }) => Math.round((HIGH_SCORE - score) * 10) / 10,
    ),
  ];
}

const toIds = (output: string): readonly string[] => output.trim().split(',').filter(Boolean);

/**
 * Calls the search functions one after the other, and compares each result with the exact result. Returns a table row.
 * The recall is the average share of the exact result that the search function found. Two results are equal only if
 * their order is the same.
 */
export async function askGroup(
  session: Session,
  { name, questions }: QuestionGroup,
): Promise<readonly string[]> {
  for (const { sql } of questions.slice(0, 10)) await session.run(sql);
  const timings: TimedResult[] = [];
  for (const { sql } of questions) timings.push(await session.time(sql));
  let [recall, equal] = [0, 0];
  for (const [index, { exactSql }] of questions.entries()) {
    const exact = toIds(await session.run(exactSql));
    const answer = new Set(toIds(timings[index]?.output ?? ''));
    recall += exact.length === 0 ? 1 : exact.filter((id) => answer.has(id)).length / exact.length;
    equal += exact.join() === [...answer].join() ? 1 : 0;
  }
  const figures = (['cpuMs', 'ms'] as const).flatMap((figure) =>
    formatQuantiles(
      timings.map((timing) => timing[figure]),
      [0.5, 0.95],
    ),
  );
  const share = `${formatNumber((100 * equal) / questions.length, 1)} %`;
  return [name, ...figures, formatNumber(recall / questions.length, 4), share];
}

/** Headings of the rows that `askGroup` returns. */
export const GROUP_HEADINGS = [
  '',
  'CPU p50 ms',
  'p95',
  'elapsed p50 ms',
  'p95',
  `recall@${RESULT_LIMIT}`,
  'equal results',
];
