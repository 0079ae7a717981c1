import type { Embedder } from '../embedder.ts';
import { createEmbedder, type EmbedderSettings, type SendRequest } from './create-embedder.ts';
import { embedResponseSchema } from './wire.ts';

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
