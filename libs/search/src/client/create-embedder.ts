import { z } from 'zod';
import {
  EmbedderError,
  EMBEDDING_MODEL,
  MAX_TEXTS_PER_CALL,
  type Embedder,
  EMBEDDING_DIMENSIONS,
} from '../embedder.ts';
import { JOBS, selectJob } from '../jobs/jobs.ts';
import { centreVector, computeCosine, REFERENCE_TEXT, REFERENCE_VECTOR } from '../vector-space/vectors.ts';

/** Body of a request to the embedder process or to the edge function. */
interface EmbedRequest {
  readonly texts: readonly string[];
}

/** Response body of the embedder process and of the edge function: one raw unit vector for each text. */
const embedResponseSchema = z.object({
  model: z.literal('gte-small'),
  vectors: z.array(z.array(z.number()).length(EMBEDDING_DIMENSIONS)),
});

/** Minimum cosine between the vector of the reference text and its recorded vector. */
const MIN_REFERENCE_COSINE = 0.999;

/** Default timeout of a request, in milliseconds. 16 texts of 512 tokens take about 5 s on a slow core. */
const DEFAULT_TIMEOUT_MS = 60_000;

/** Sends a request to an embedder and returns the parsed JSON of its response. The signal aborts at the timeout. */
type SendRequest = (body: EmbedRequest, signal: AbortSignal) => Promise<unknown>;

/** Settings of every embedder. */
interface EmbedderSettings {
  /** Timeout of one request, in milliseconds; 60 seconds by default. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Creates an embedder. Before its first texts, the embedder embeds a fixed text and compares the vector with the
 * recorded vector, so vectors of another model are never stored. The check is repeated until it succeeds once.
 */
function createEmbedder(
  send: SendRequest,
  { timeoutMs = DEFAULT_TIMEOUT_MS }: EmbedderSettings = {},
): Embedder {
  const request = (texts: readonly string[]) => requestVectors(send, timeoutMs, texts);
  let checked: Promise<void> | null = null;
  const checkOnce = async (): Promise<void> => {
    checked ??= checkVectorSpace(request);
    try {
      await checked;
    } catch (error) {
      checked = null;
      throw error;
    }
  };
  const embed = async (texts: readonly string[]): Promise<readonly number[][]> => {
    if (texts.length > MAX_TEXTS_PER_CALL)
      throw new RangeError(
        `An embedder accepts at most ${MAX_TEXTS_PER_CALL} texts per call; received ${texts.length}.`,
      );
    if (texts.length === 0) return [];
    await checkOnce();
    return (await request(texts)).map(centreVector);
  };
  const readPhrases = createPhraseReader(embed);
  return {
    model: EMBEDDING_MODEL,
    embed,
    embedEndpoints: async (texts) => {
      const embeddings = await embed(texts);
      const phrases = await readPhrases();
      return texts.map((text, index) => {
        const embedding = embeddings[index] ?? [];
        return {
          embedding,
          job: selectJob(
            text,
            phrases.map((phrase) => computeCosine(embedding, phrase)),
          ),
        };
      });
    },
    check: () => checkVectorSpace(request),
  };
}

/**
 * Returns a function that returns the vectors of the phrases of all jobs, and embeds each phrase once. After an error,
 * the next call continues with the remaining phrases.
 */
function createPhraseReader(embed: Embedder['embed']): () => Promise<readonly (readonly number[])[]> {
  const phrases = JOBS.flatMap((job) => job.phrases);
  const vectors: (readonly number[])[] = [];
  let reading: Promise<void> | null = null;
  const embedRemaining = async (): Promise<void> => {
    while (vectors.length < phrases.length)
      vectors.push(...(await embed(phrases.slice(vectors.length, vectors.length + MAX_TEXTS_PER_CALL))));
  };
  return async () => {
    reading ??= embedRemaining().finally(() => (reading = null));
    await reading;
    return vectors;
  };
}

async function checkVectorSpace(request: (texts: readonly string[]) => Promise<number[][]>): Promise<void> {
  const [vector = []] = await request([REFERENCE_TEXT]);
  const cosine = computeCosine(vector, REFERENCE_VECTOR);
  if (cosine < MIN_REFERENCE_COSINE)
    throw new EmbedderError(
      `The embedder is not gte-small: the cosine of its reference vector is ${cosine.toFixed(4)}, expected at least ${MIN_REFERENCE_COSINE}.`,
    );
}

async function requestVectors(
  send: SendRequest,
  timeoutMs: number,
  texts: readonly string[],
): Promise<number[][]> {
  const { vectors } = await sendAndParse(send, timeoutMs, texts);
  if (vectors.length !== texts.length)
    throw new EmbedderError(
      `The embedder responded with ${vectors.length} vectors; expected ${texts.length}.`,
    );
  if (!vectors.every(hasDirection))
    throw new EmbedderError(
      'The embedder responded with a vector without a direction, such as a zero vector.',
    );
  return vectors;
}

/** Returns false for a zero vector, and for a vector whose length is too large or too small for a number. */
function hasDirection(vector: readonly number[]): boolean {
  return Number.isFinite(computeCosine(vector, vector));
}

async function sendAndParse(send: SendRequest, timeoutMs: number, texts: readonly string[]) {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return embedResponseSchema.parse(await send({ texts }, signal));
  } catch (error) {
    if (signal.aborted)
      throw new EmbedderError(`The embedder did not respond within ${timeoutMs / 1000} s.`, {
        cause: error,
        isTimeout: true,
      });
    if (error instanceof EmbedderError) throw error;
    if (error instanceof z.ZodError)
      throw new EmbedderError('The embedder responded with an unexpected body.', { cause: error });
    const reason = error instanceof Error ? error.message : String(error);
    throw new EmbedderError(`The embedder does not respond: ${reason}`, { cause: error });
  }
}

/**
 * Maximum number of texts per invocation. An edge function may use 2 s of CPU time per request, and 16 long texts may
 * need more.
 */
const MAX_TEXTS_PER_INVOCATION = 4;

/**
 * Creates an embedder that calls the Supabase edge function `embed`. More than 4 texts are sent in several invocations,
 * one after the other.
 *
 * @param invoke calls the edge function with a body and returns its parsed JSON; throws when the function fails or the
 *   signal aborts
 * @param settings `timeoutMs` is the timeout of all invocations for one call of `embed`
 */
export function createFunctionEmbedder(invoke: SendRequest, settings?: EmbedderSettings): Embedder {
  return createEmbedder(async ({ texts }, signal) => {
    const vectors: number[][] = [];
    for (let index = 0; index < texts.length; index += MAX_TEXTS_PER_INVOCATION) {
      const some = texts.slice(index, index + MAX_TEXTS_PER_INVOCATION);
      const response = await invoke({ texts: some }, signal);
      vectors.push(...embedResponseSchema.parse(response).vectors);
    }
    return { model: 'gte-small', vectors };
  }, settings);
}

export interface HttpEmbedderOptions extends EmbedderSettings {
  /** URL of the embedder process. */
  readonly url: string;
  /** Bearer token of the embedder process. */
  readonly token: string;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Creates an embedder that calls the embedder process over HTTP. */
export function createHttpEmbedder({
  url,
  token,
  fetch = globalThis.fetch,
  ...settings
}: HttpEmbedderOptions): Embedder {
  return createEmbedder(async (body, signal) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new EmbedderError(`The embedder responded with status ${response.status}; expected 200.`);
    }
    const parsed: unknown = await response.json();
    return parsed;
  }, settings);
}
