import type { SearchContext } from '@touchstone/pipeline';
import { getSiteOrigin } from '../platform/config/config.ts';
import { getSecretDatabase } from '../platform/database/databases.ts';
import { getEmbedder } from './embedder.ts';

/** Returns the context in which endpoints are searched and alternatives are found. */
export function getSearchContext(): SearchContext {
  return { db: getSecretDatabase(), embedder: getEmbedder(), baseUrl: getSiteOrigin(process.env) };
}
