import { EmbedderError, type Embedder } from '../embedder.ts';
import { createEmbedder } from './create-embedder.ts';

/** Timeout of one request, in milliseconds. 16 texts of 512 tokens take about 5 s on a slow core. */
const REQUEST_TIMEOUT_MS = 30_000;

export interface HttpEmbedderOptions {
  /** URL of the embedder process. */
  readonly url: string;
  /** Bearer token of the embedder process. */
  readonly token: string;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Creates an embedder that calls the embedder process over HTTP. */
export function createHttpEmbedder({ url, token, fetch = globalThis.fetch }: HttpEmbedderOptions): Embedder {
  return createEmbedder(async (body) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new EmbedderError(`The embedder responded with status ${response.status}; expected 200.`);
    }
    const parsed: unknown = await response.json();
    return parsed;
  });
}
