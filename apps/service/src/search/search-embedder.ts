import { createFunctionEmbedder, type Embedder } from '@touchstone/search';
import { connect, invokeEmbedFunction } from '@touchstone/store';
import type { ServiceConfig } from '../config/config.ts';
import type { SiteVariables } from '../site/payment-variables.ts';
import { startEmbedder, type EmbedderOptions } from './start-embedder.ts';

/** Embedder of the jobs and of the site. */
export interface SearchEmbedder {
  /** Embedder of the jobs; null when search by meaning is off. */
  readonly embedder: Embedder | null;
  /** Environment variables of the site, which embeds queries. */
  readonly variables: SiteVariables;
}

/** Opens the configured embedder. The service runs without it when it cannot start. */
export async function openSearchEmbedder(
  { embedder, supabase }: Pick<ServiceConfig, 'embedder' | 'supabase'>,
  options: EmbedderOptions,
): Promise<SearchEmbedder> {
  if (embedder === 'local') {
    try {
      return await startEmbedder(options);
    } catch (error) {
      options.print('search', `off: ${error instanceof Error ? error.message : String(error)}`);
      return createFixed('none', null);
    }
  }
  if (embedder === 'none' || supabase === null) {
    options.print('search', 'off: EMBEDDER is none');
    return createFixed('none', null);
  }
  options.print('search', `edge function embed of ${supabase.url}`);
  const db = connect({ url: supabase.url, key: supabase.secret });
  return createFixed(
    'supabase',
    createFunctionEmbedder((body, signal) => invokeEmbedFunction(db, body, signal)),
  );
}

function createFixed(EMBEDDER: 'supabase' | 'none', embedder: Embedder | null): SearchEmbedder {
  return { embedder, variables: { EMBEDDER, EMBEDDER_TOKEN: '' } };
}
