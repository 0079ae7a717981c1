import { connect, type Db, createPublicStore, type PublicStore } from '@touchstone/store';
import { getConfig } from '../config/config.ts';

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

let store: PublicStore | undefined;

/** Returns the store of public data. The store is created at its first use, because the build has no database. */
export function getPublicStore(): PublicStore {
  const { supabaseUrl, supabasePublishableKey } = getConfig();
  store ??= createPublicStore({ url: supabaseUrl, key: supabasePublishableKey, fetch: fetchWithTimeout });
  return store;
}

const DATABASE_TIMEOUT_MS = 5_000;

/** Fetches with a timeout of 5 seconds, so that an unresponsive database does not block a request for longer. */
export const fetchWithTimeout: typeof fetch = (input, init) => {
  const timeout = AbortSignal.timeout(DATABASE_TIMEOUT_MS);
  return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout });
};
