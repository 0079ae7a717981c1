import { EmbedderError, type Embedder } from '../embedder.ts';
import { createEmbedder, type EmbedderSettings } from './create-embedder.ts';

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
