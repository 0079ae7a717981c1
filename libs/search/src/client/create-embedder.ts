import { z } from 'zod';
import { EmbedderError, EMBEDDING_MODEL, MAX_TEXTS_PER_CALL, type Embedder } from '../embedder.ts';
import { REFERENCE_TEXT, REFERENCE_VECTOR } from '../vector-space/reference-vector.ts';
import { centreVector, computeCosine } from '../vector-space/vectors.ts';
import { embedResponseSchema, type EmbedRequest } from './wire.ts';

/** Minimum cosine between the vector of the reference text and its recorded vector. */
const MIN_REFERENCE_COSINE = 0.999;

/** Sends a request to an embedder and returns the parsed JSON of its response. */
export type SendRequest = (body: EmbedRequest) => Promise<unknown>;

/**
 * Creates an embedder. Before its first texts it embeds a fixed text and compares the vector with the recorded one, so
 * vectors of another model are never stored. The check is repeated until it succeeds once.
 */
export function createEmbedder(send: SendRequest): Embedder {
  let checked: Promise<void> | null = null;
  const check = async (): Promise<void> => {
    checked ??= checkVectorSpace(send);
    try {
      await checked;
    } catch (error) {
      checked = null;
      throw error;
    }
  };
  return {
    model: EMBEDDING_MODEL,
    embed: async (texts) => {
      if (texts.length > MAX_TEXTS_PER_CALL)
        throw new RangeError(
          `An embedder accepts at most ${MAX_TEXTS_PER_CALL} texts per call; received ${texts.length}.`,
        );
      if (texts.length === 0) return [];
      await check();
      return (await requestVectors(send, texts)).map(centreVector);
    },
  };
}

async function checkVectorSpace(send: SendRequest): Promise<void> {
  const [vector = []] = await requestVectors(send, [REFERENCE_TEXT]);
  const cosine = computeCosine(vector, REFERENCE_VECTOR);
  // The comparison is negated so that NaN, the cosine of a zero vector, is an error too.
  if (!(cosine >= MIN_REFERENCE_COSINE))
    throw new EmbedderError(
      `The embedder is not gte-small: the cosine of its reference vector is ${cosine.toFixed(4)}, expected at least ${MIN_REFERENCE_COSINE}.`,
    );
}

async function requestVectors(send: SendRequest, texts: readonly string[]): Promise<number[][]> {
  const { vectors } = await sendAndParse(send, texts);
  if (vectors.length !== texts.length)
    throw new EmbedderError(
      `The embedder responded with ${vectors.length} vectors; expected ${texts.length}.`,
    );
  return vectors;
}

async function sendAndParse(send: SendRequest, texts: readonly string[]) {
  try {
    return embedResponseSchema.parse(await send({ texts }));
  } catch (error) {
    if (error instanceof EmbedderError) throw error;
    if (error instanceof z.ZodError)
      throw new EmbedderError('The embedder responded with an unexpected body.', { cause: error });
    const reason = error instanceof Error ? error.message : String(error);
    throw new EmbedderError(`The embedder does not respond: ${reason}`, { cause: error });
  }
}
