import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createHttpEmbedder, EMBEDDING_MODEL, MAX_TEXTS_PER_CALL, type Embedder } from '@touchstone/search';
import { createSeededRandom } from '../../libs/x402/src/testing/seeded-random.ts';
import { LARGE_HOST, runSlices, type GeneratedEndpoint, type RunSql } from './endpoints.ts';
import { stopProcess } from './processes.ts';

export type Vector = Float32Array;

export interface SearchData {
  /** Vector of each text, by hash of the text. */
  readonly vectors: ReadonlyMap<string, Vector>;
  /** Number of texts whose vectors the model computed. All other vectors are derived from these vectors. */
  readonly embedded: number;
}

/** Factor for the difference of two real vectors. The multiplied difference is added to a third real vector. */
const SHIFT = 0.4;

/** Message of the embedder process. */
interface Message {
  readonly type: 'listening' | 'ready' | 'disabled';
  readonly url?: string;
  readonly reason?: string;
}

function waitUntilReady(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('the embedder process ended before it was ready')));
    // The type is safe, because the embedder process of libs/search sends these messages.
    child.on('message', (message: Message) => {
      if (message.type === 'disabled') reject(new Error(`no embedder: ${message.reason ?? ''}`));
      if (message.type === 'ready' && message.url !== undefined) resolve(message.url);
    });
  });
}

/** Starts the embedder process that `npm start` also uses, and stops it after `work`. */
export async function runWithEmbedder(work: (embedder: Embedder) => Promise<void>): Promise<void> {
  const token = randomBytes(16).toString('hex');
  const child = fork(fileURLToPath(import.meta.resolve('@touchstone/search/embedder-process')), {
    env: { ...process.env, EMBEDDER_TOKEN: token },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  try {
    await work(createHttpEmbedder({ url: await waitUntilReady(child), token }));
  } finally {
    await stopProcess(child);
  }
}

/** Embeds texts. Returns the vectors in the order of the texts. */
export async function embedTexts(embedder: Embedder, texts: readonly string[]): Promise<readonly Vector[]> {
  const vectors: Vector[] = [];
  for (let start = 0; start < texts.length; start += MAX_TEXTS_PER_CALL) {
    const embedded = await embedder.embed(texts.slice(start, start + MAX_TEXTS_PER_CALL));
    vectors.push(...embedded.map((vector) => new Float32Array(vector)));
  }
  return vectors;
}

/**
 * Returns a generator of vectors that are distributed like the real vectors of a group. Each generated vector is a real
 * vector, rotated in the direction of the difference of two other real vectors. So a group of similar texts gets small
 * rotations, and a group of different texts gets large rotations.
 */
function createVectorGenerator(seed: number): (group: readonly Vector[]) => Vector {
  const random = createSeededRandom(seed);
  return (group) => {
    const [base, one, other] = [random.pick(group), random.pick(group), random.pick(group)];
    const shifted = base.map((value, index) => value + SHIFT * ((one[index] ?? 0) - (other[index] ?? 0)));
    const length = Math.hypot(...shifted);
    return shifted.map((value) => value / length);
  };
}

/** Returns `count` values in random order. The same values give the same result on every machine. */
function sampleValues<T>(values: readonly T[], count: number): readonly T[] {
  const random = createSeededRandom(17);
  return values
    .map((value) => ({ value, position: random.next() }))
    .sort((one, other) => one.position - other.position)
    .slice(0, count)
    .map(({ value }) => value);
}

/** Returns the group of an endpoint's text. Texts of one group have similar vectors. */
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
  const texts = [...new Map(endpoints.map((endpoint) => [endpoint.search.textHash, endpoint])).values()];
  const chosen = sampleValues(texts, maxEmbedded);
  // Each group needs an embedded text, because the other vectors of the group are derived from it.
  const represented = new Set(chosen.map(toGroup));
  const firsts = new Map(texts.toReversed().map((endpoint) => [toGroup(endpoint), endpoint]));
  const sample = [
    ...chosen,
    ...[...firsts].flatMap(([group, first]) => (represented.has(group) ? [] : [first])),
  ];
  const embedded = await embedTexts(
    embedder,
    sample.map(({ search }) => search.text),
  );
  const groups = new Map<string, Vector[]>();
  const vectors = new Map<string, Vector>();
  for (const [index, vector] of embedded.entries()) {
    const endpoint = sample[index];
    if (endpoint === undefined) throw new Error('the embedder returned too many vectors');
    vectors.set(endpoint.search.textHash, vector);
    groups.set(toGroup(endpoint), [...(groups.get(toGroup(endpoint)) ?? []), vector]);
  }
  const generate = createVectorGenerator(19);
  for (const endpoint of texts) {
    const { textHash } = endpoint.search;
    if (!vectors.has(textHash)) vectors.set(textHash, generate(groups.get(toGroup(endpoint)) ?? []));
  }
  return { vectors, embedded: embedded.length };
}

/** Formats a vector for pgvector, with seven significant digits. This is the precision of a 32-bit float. */
export function formatVector(vector: Vector): string {
  return `[${Array.from(vector, (value) => Number(value.toPrecision(7))).join(',')}]`;
}

/** Stores texts with their vectors directly, because `save_embeddings` stores vectors of known texts only. */
export async function insertTexts(
  run: RunSql,
  vectors: ReadonlyMap<string, Vector>,
  endpoints: readonly GeneratedEndpoint[],
): Promise<void> {
  const texts = new Map(endpoints.map(({ search }) => [search.textHash, search.text]));
  const rows = [...vectors].map(([hash, vector]) => ({
    text_hash: hash,
    text: texts.get(hash) ?? '',
    embedding: formatVector(vector),
    // The benchmark does not embed the phrases of the jobs: 64 jobs of equal size take their place.
    job: hash.slice(0, 1),
  }));
  await runSlices(
    run,
    rows,
    (json) => `
      insert into public.search_texts (text_hash, text, model, embedding, job)
      select r.text_hash, r.text, '${EMBEDDING_MODEL}', r.embedding::extensions.vector, r.job
      from jsonb_to_recordset(${json}) as r (text_hash text, text text, embedding text, job text)`,
  );
}
