import { createFunctionEmbedder, createHttpEmbedder, type Embedder } from '@touchstone/search';
import { invokeEmbedFunction } from '@touchstone/store';
import { getConfig } from '../config/config.ts';
import { getSecretDatabase } from '../database/secret-database.ts';

let embedder: Embedder | null | undefined;

/**
 * Returns the configured embedder, which all requests and jobs of this process share; null if the operator set EMBEDDER
 * to `none`. The embedder compares its vector space with the expected one at its first use only.
 *
 * @throws Error if the configuration is invalid. The server checks its configuration at start.
 */
export function getEmbedder(): Embedder | null {
  embedder ??= createConfiguredEmbedder();
  return embedder;
}

function createConfiguredEmbedder(): Embedder | null {
  const { embedder: config } = getConfig();
  switch (config.kind) {
    case 'none':
      return null;
    case 'supabase':
      return createFunctionEmbedder((body) => invokeEmbedFunction(getSecretDatabase(), body));
    case 'process':
      return createHttpEmbedder({ url: config.url, token: config.token, fetch: fetchEmbedding });
  }
}

/**
 * Maximum time of one request to the embedder process, in milliseconds. A paid search may take two requests, and it
 * must end before the lease of its payment, which is 30 seconds.
 */
const EMBEDDER_TIMEOUT_MS = 10_000;

const fetchEmbedding: typeof fetch = (input, init) => {
  const timeout = AbortSignal.timeout(EMBEDDER_TIMEOUT_MS);
  return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout });
};
