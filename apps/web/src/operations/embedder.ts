import { createFunctionEmbedder, createHttpEmbedder, type Embedder } from '@touchstone/search';
import { invokeEmbedFunction } from '@touchstone/store';
import { getConfig } from '../platform/config/config.ts';
import { getSecretDatabase } from '../platform/database/databases.ts';

/**
 * Maximum time of one request to the embedder for a buyer, in milliseconds. A paid search may take two requests, and
 * the search must end before the payment lease of 30 seconds.
 */
const BUYER_TIMEOUT_MS = 10_000;

/** Maximum time of one request to the embedder for a visitor of a page, in milliseconds. The page waits for it. */
const VISITOR_TIMEOUT_MS = 3_000;

let embedder: Embedder | null | undefined;

/**
 * Returns the configured embedder for queries of buyers; null if the operator set EMBEDDER to `none`. All requests of
 * this process share the embedder. At its first use, the embedder compares its vector space with the expected vector
 * space.
 *
 * @throws Error if the configuration is invalid. The server checks its configuration at start.
 */
export function getEmbedder(): Embedder | null {
  embedder ??= createConfiguredEmbedder(BUYER_TIMEOUT_MS);
  return embedder;
}

/** Creates the configured embedder for the free search of the pages; null if the operator set EMBEDDER to `none`. */
export function createVisitorEmbedder(): Embedder | null {
  return createConfiguredEmbedder(VISITOR_TIMEOUT_MS);
}

/**
 * Creates the configured embedder for jobs; null if the operator set EMBEDDER to `none`. The requests of jobs have more
 * texts and a longer timeout.
 */
export function createJobEmbedder(): Embedder | null {
  return createConfiguredEmbedder();
}

function createConfiguredEmbedder(timeoutMs?: number): Embedder | null {
  const { embedder: config } = getConfig();
  switch (config.kind) {
    case 'none':
      return null;
    case 'supabase':
      return createFunctionEmbedder(
        (body, signal) => invokeEmbedFunction(getSecretDatabase(), body, signal),
        {
          timeoutMs,
        },
      );
    case 'process':
      return createHttpEmbedder({ url: config.url, token: config.token, timeoutMs });
  }
}
