import type { Embedder } from '@touchstone/search';
import { createSeededRandom } from '../random-inputs.ts';
import { LARGE_HOST, type GeneratedEndpoint } from './catalog.ts';
import { createVectorGenerator, embedTexts, type Vector } from './vectors.ts';

export interface SearchData {
  /** Vector of each text, by hash of the text. */
  readonly vectors: ReadonlyMap<string, Vector>;
  /** Hashes of the texts whose vectors the model computed. The other vectors are derived from these. */
  readonly embedded: ReadonlySet<string>;
}

/** Returns `count` values in random order. The same values give the same result on every machine. */
export function sampleValues<T>(values: readonly T[], count: number): readonly T[] {
  const random = createSeededRandom(17);
  return values
    .map((value) => ({ value, position: random() }))
    .sort((one, other) => one.position - other.position)
    .slice(0, count)
    .map(({ value }) => value);
}

/** Texts of a group have similar vectors. */
const toGroup = ({ purpose, host, search }: GeneratedEndpoint): string =>
  `${purpose} ${search.described} ${host === LARGE_HOST}`;

/**
 * Embeds a sample of the texts, and derives the vectors of the other texts from vectors of the same group. All texts
 * are embedded when there are at most `maxEmbedded`.
 */
export async function createSearchData(
  embedder: Embedder,
  endpoints: readonly GeneratedEndpoint[],
  maxEmbedded: number,
): Promise<SearchData> {
  const byHash = new Map(endpoints.map((endpoint) => [endpoint.search.textHash, endpoint]));
  const texts = [...byHash.values()];
  const share = Math.min(1, maxEmbedded / texts.length);
  const chosen = [true, false].flatMap((isDescribed) => {
    const found = texts.filter(({ search }) => search.described === isDescribed);
    return sampleValues(found, Math.ceil(found.length * share));
  });
  // Each group needs an embedded text, because the other vectors of the group are derived from it.
  const represented = new Set(chosen.map(toGroup));
  const firsts = new Map(texts.toReversed().map((endpoint) => [toGroup(endpoint), endpoint]));
  const sample = [
    ...chosen,
    ...[...firsts].flatMap(([group, first]) => (represented.has(group) ? [] : [first])),
  ];
  const { vectors } = await embedTexts(
    embedder,
    sample.map(({ search }) => search.text),
  );
  const groups = new Map<string, Vector[]>();
  const all = new Map<string, Vector>();
  for (const [index, endpoint] of sample.entries()) {
    const vector = vectors[index];
    if (vector === undefined) throw new Error('a text was not embedded');
    all.set(endpoint.search.textHash, vector);
    groups.set(toGroup(endpoint), [...(groups.get(toGroup(endpoint)) ?? []), vector]);
  }
  const embedded = new Set(all.keys());
  const generate = createVectorGenerator(19);
  for (const endpoint of texts) {
    if (!embedded.has(endpoint.search.textHash))
      all.set(endpoint.search.textHash, generate(groups.get(toGroup(endpoint)) ?? []));
  }
  return { vectors: all, embedded };
}
