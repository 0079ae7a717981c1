import type { Embedder } from '../embedder.ts';
import { createEmbedder, type SendRequest } from './create-embedder.ts';

/**
 * Creates an embedder that calls the Supabase edge function `embed`.
 *
 * @param invoke calls the edge function with a body and returns its parsed JSON; throws when the function fails
 */
export function createFunctionEmbedder(invoke: SendRequest): Embedder {
  return createEmbedder(invoke);
}
