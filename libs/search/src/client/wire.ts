import { z } from 'zod';
import { EMBEDDING_DIMENSIONS } from '../embedder.ts';

/** Body of a request to the embedder process or to the edge function. */
export interface EmbedRequest {
  readonly texts: readonly string[];
}

/** Response body of the embedder process and of the edge function: one raw unit vector for each text. */
export const embedResponseSchema = z.object({
  model: z.literal('gte-small'),
  vectors: z.array(z.array(z.number()).length(EMBEDDING_DIMENSIONS)),
});
