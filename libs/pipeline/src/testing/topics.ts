import { EMBEDDING_DIMENSIONS, EmbedderError, type Embedder } from '@touchstone/search';

/** Embedder with constructed vectors, so that tests know every similarity. Its vectors depend only on the texts. */
export interface TopicEmbedder extends Embedder {
  /** Creates a topic and returns a function that creates words with a given similarity to the topic. */
  createTopic(): (similarity: number) => string;
  /** Texts of each call of `embed`, in the order of the calls. */
  readonly calls: (readonly string[])[];
  /** Words of texts that the embedder refuses. */
  readonly refusedWords: Set<string>;
  /** True while the embedder does not work at all. */
  isDown: boolean;
  /** True while each call of `embed` ends at its timeout. */
  isSlow: boolean;
  /** Number of calls of `check`. */
  checks: number;
}

/**
 * Creates an embedder. A text gets the vector of its first known word, and the topic of this word is its job. A text
 * without a known word is similar to no other text.
 *
 * @param model id of the vector space
 */
export function createTopicEmbedder(model = 'topics/1'): TopicEmbedder {
  const vectors = new Map<string, readonly number[]>();
  /** Job of each word: the axis of its topic. */
  const jobs = new Map<string, string>();
  let axes = 0;
  const addAxis = (): number => {
    axes += 1;
    if (axes === EMBEDDING_DIMENSIONS) throw new Error('the embedder has no axis left');
    return axes;
  };
  const embedder: TopicEmbedder = {
    model,
    calls: [],
    refusedWords: new Set(),
    isDown: false,
    isSlow: false,
    checks: 0,
    createTopic: () => {
      const topic = addAxis();
      return (similarity) => {
        const word = toWord(vectors.size);
        const rest = Math.sqrt(1 - similarity * similarity);
        const own = rest === 0 ? topic : addAxis();
        vectors.set(word, createVector({ [own]: rest, [topic]: similarity }));
        jobs.set(word, `job ${topic}`);
        return word;
      };
    },
    check: async () => {
      embedder.checks += 1;
      if (embedder.isDown) throw createDownError();
      return Promise.resolve();
    },
    embedEndpoints: async (texts) => {
      const embeddings = await embedder.embed(texts);
      return texts.map((text, index) => {
        const job = splitWords(text).map((word) => jobs.get(word) ?? null);
        return { embedding: embeddings[index] ?? [], job: job.find((id) => id !== null) ?? null };
      });
    },
    embed: async (texts) => {
      embedder.calls.push(texts);
      if (embedder.isDown) throw createDownError();
      if (embedder.isSlow)
        throw new EmbedderError('The embedder did not respond in time.', { isTimeout: true });
      const words = texts.map(splitWords);
      if (words.flat().some((word) => embedder.refusedWords.has(word)))
        throw new EmbedderError('The embedder responded with status 500; expected 200.');
      return Promise.resolve(words.map((some) => toVector(vectors, some)));
    },
  };
  return embedder;
}

function createDownError(): EmbedderError {
  return new EmbedderError('The embedder does not respond: it is down');
}

/** Axis of all texts without a known word. No topic uses it. */
const UNKNOWN_AXIS = 0;

function toVector(
  vectors: ReadonlyMap<string, readonly number[]>,
  words: readonly string[],
): readonly number[] {
  const known = words.find((word) => vectors.has(word));
  return (known === undefined ? undefined : vectors.get(known)) ?? createVector({ [UNKNOWN_AXIS]: 1 });
}

function createVector(parts: Readonly<Record<number, number>>): readonly number[] {
  return Array.from({ length: EMBEDDING_DIMENSIONS }, (_, axis) => parts[axis] ?? 0);
}

function splitWords(text: string): readonly string[] {
  return text.toLowerCase().split(/[^a-z]+/);
}

/** Returns a word of letters only, because the text of an endpoint without a description is split at digits. */
function toWord(index: number): string {
  const letters = [...index.toString(26)].map((digit) =>
    String.fromCharCode(97 + Number.parseInt(digit, 26)),
  );
  return `topicword${letters.join('')}`;
}
