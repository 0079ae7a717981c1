import { connect, type Db } from '@touchstone/store';
import { getConfig } from '../config/config.ts';
import { fetchWithTimeout } from './fetch-with-timeout.ts';

let db: Db | undefined;

/**
 * Returns the database client for paid operations, rate limits and the expirations of cached pages. The client is created
 * at its first use, because the build has no database. The data of pages is never read with this client.
 */
export function getSecretDatabase(): Db {
  const { supabaseUrl, supabaseSecretKey } = getConfig();
  db ??= connect({ url: supabaseUrl, key: supabaseSecretKey, fetch: fetchWithTimeout });
  return db;
}
