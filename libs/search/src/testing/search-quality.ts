import { type EmbeddedText, type Embedder, MAX_TEXTS_PER_CALL } from '../embedder.ts';
import { computeCosine } from '../vector-space/vectors.ts';
import type { LabelledData, LabelledEndpoint } from './labelled-data.ts';

/** Minimum similarity of a match of a query, on the value rounded to 4 decimals. */
export const QUERY_FLOOR = 0.5;
/** Minimum similarity of an alternative, which must also have the same job. */
const ALTERNATIVE_FLOOR = 0.4;

/** Result of one query. An endpoint can also be the query. */
export interface QueryQuality {
  readonly query: string;
  /** Share of the right endpoints among the first 5 results. */
  readonly recallAt5: number;
  /** 1 when the first result is right, else 0. */
  readonly precisionAt1: number;
  /** 1 divided by the rank of the first right result; 0 without a right result. */
  readonly reciprocalRank: number;
  readonly ndcgAt10: number;
  /** Text of the first result; null without results. */
  readonly first: string | null;
}

/** Mean results over all queries, and the result of each query. */
export interface Quality {
  readonly recallAt5: number;
  readonly precisionAt1: number;
  readonly mrr: number;
  readonly ndcgAt10: number;
  /** Share of the pairs with the same purpose whose similarity is at least the minimum similarity. */
  readonly rightAboveFloor: number;
  /** Share of the pairs with different purposes whose similarity is at least the minimum similarity. */
  readonly wrongAboveFloor: number;
  readonly queries: readonly QueryQuality[];
}

interface Vector {
  readonly purpose: string;
  readonly text: string;
  readonly vector: readonly number[];
}

type Document = Vector & Pick<LabelledEndpoint, 'described' | 'textHash'> & Pick<EmbeddedText, 'job'>;

/** Vectors of the labelled data. */
export interface LabelledVectors {
  readonly queries: readonly Vector[];
  readonly documents: readonly Document[];
}

/** Embeds the labelled data. */
export async function embedLabelledData(embedder: Embedder, data: LabelledData): Promise<LabelledVectors> {
  const queryVectors = await runInCalls(
    data.queries.map(({ query }) => query),
    (some) => embedder.embed(some),
  );
  return {
    documents: await embedEndpoints(embedder, data.endpoints),
    queries: data.queries.map(({ purpose, query }, index) => ({
      purpose,
      text: query,
      vector: queryVectors[index] ?? [],
    })),
  };
}

/** Embeds the texts of endpoints, and selects their jobs. */
export async function embedEndpoints<Endpoint extends { readonly text: string }>(
  embedder: Embedder,
  endpoints: readonly Endpoint[],
): Promise<readonly (Endpoint & Pick<Vector, 'vector'> & Pick<EmbeddedText, 'job'>)[]> {
  const embedded = await runInCalls(
    endpoints.map(({ text }) => text),
    (some) => embedder.embedEndpoints(some),
  );
  return endpoints.map((endpoint, index) => ({
    ...endpoint,
    vector: embedded[index]?.embedding ?? [],
    job: embedded[index]?.job ?? null,
  }));
}

async function runInCalls<Result>(
  texts: readonly string[],
  run: (some: readonly string[]) => Promise<readonly Result[]>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let index = 0; index < texts.length; index += MAX_TEXTS_PER_CALL)
    results.push(...(await run(texts.slice(index, index + MAX_TEXTS_PER_CALL))));
  return results;
}

/** Quality of the rule that decides whether two endpoints can replace each other. */
export interface PairQuality {
  /** Number of pairs with the same purpose. */
  readonly right: number;
  /** Number of pairs that the rule accepts. */
  readonly accepted: number;
  /** Share of the accepted pairs that have the same purpose. */
  readonly precision: number;
  /** Share of the pairs with the same purpose that the rule accepts. */
  readonly recall: number;
}

/**
 * Measures the rule for alternatives on all pairs of endpoints of which at least one is selected.
 *
 * @param select selects endpoints; all endpoints by default
 */
export function measurePairs<Endpoint extends Vector & Pick<EmbeddedText, 'job'>>(
  endpoints: readonly Endpoint[],
  select: (endpoint: Endpoint) => boolean = () => true,
): PairQuality {
  const pairs = endpoints
    .flatMap((one, index) => endpoints.slice(index + 1).map((other) => ({ one, other })))
    .filter(({ one, other }) => select(one) || select(other))
    .map(({ one, other }) => ({
      isRight: one.purpose === other.purpose,
      isAccepted: isAlternative(one, other),
    }));
  const right = pairs.filter(({ isRight }) => isRight).length;
  const accepted = pairs.filter(({ isAccepted }) => isAccepted);
  const found = accepted.filter(({ isRight }) => isRight).length;
  return { right, accepted: accepted.length, precision: found / accepted.length, recall: found / right };
}

/** Applies the rule of the database for alternatives. */
function isAlternative(
  one: Vector & Pick<EmbeddedText, 'job'>,
  other: Vector & Pick<EmbeddedText, 'job'>,
): boolean {
  return (
    one.job !== null && one.job === other.job && computeCosine(one.vector, other.vector) >= ALTERNATIVE_FLOOR
  );
}

/**
 * Ranks results as the product does, and measures their quality. Results are ordered by similarity in whole percents,
 * then by the presence of a description, then by id. All scores are equal here.
 *
 * @param queries queries, or documents as queries; a document is never a result of itself
 * @param options `floor` is the minimum similarity. With `omitsBelow`, results below this minimum are omitted, as in
 * the product.
 */
export function measureQuality(
  queries: readonly Vector[],
  documents: readonly Document[],
  { floor, omitsBelow }: { readonly floor: number; readonly omitsBelow: boolean },
): Quality {
  const pairs = { right: [] as boolean[], wrong: [] as boolean[] };
  const results = queries.map((query) => {
    const ranked = rank(query, documents);
    for (const { isRight, similarity } of ranked)
      pairs[isRight ? 'right' : 'wrong'].push(similarity >= floor);
    const shown = ranked.filter(({ similarity }) => !omitsBelow || similarity >= floor);
    return measureQuery(query.text, shown, ranked.filter(({ isRight }) => isRight).length);
  });
  return {
    recallAt5: mean(results.map(({ recallAt5 }) => recallAt5)),
    precisionAt1: mean(results.map(({ precisionAt1 }) => precisionAt1)),
    mrr: mean(results.map(({ reciprocalRank }) => reciprocalRank)),
    ndcgAt10: mean(results.map(({ ndcgAt10 }) => ndcgAt10)),
    rightAboveFloor: mean(pairs.right.map(Number)),
    wrongAboveFloor: mean(pairs.wrong.map(Number)),
    queries: results,
  };
}

interface Result {
  readonly text: string;
  readonly isRight: boolean;
  readonly similarity: number;
}

function rank(query: Vector, documents: readonly Document[]): readonly Result[] {
  return documents
    .filter((document) => document !== query)
    .map((document) => {
      const basisPoints = Math.round(computeCosine(query.vector, document.vector) * 10_000);
      const isRight = document.purpose === query.purpose;
      return {
        ...document,
        isRight,
        similarity: basisPoints / 10_000,
        bucket: Math.floor(basisPoints / 100),
      };
    })
    .sort(
      (one, other) =>
        other.bucket - one.bucket ||
        Number(other.described) - Number(one.described) ||
        (one.textHash < other.textHash ? -1 : 1),
    );
}

function measureQuery(query: string, results: readonly Result[], rightCount: number): QueryQuality {
  const gains = results.map(({ isRight }) => Number(isRight));
  const best = Array.from({ length: rightCount }, () => 1);
  const firstRight = gains.indexOf(1);
  return {
    query,
    recallAt5: sum(gains.slice(0, 5)) / rightCount,
    precisionAt1: gains[0] ?? 0,
    reciprocalRank: firstRight < 0 ? 0 : 1 / (firstRight + 1),
    ndcgAt10: computeDcg(gains) / computeDcg(best),
    first: results[0]?.text ?? null,
  };
}

function computeDcg(gains: readonly number[]): number {
  return sum(gains.slice(0, 10).map((gain, index) => gain / Math.log2(index + 2)));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}
