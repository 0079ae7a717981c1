import { createPublicStore, type PublicStore } from '@touchstone/store';
import { getConfig } from '../config/config.ts';
import { fetchWithTimeout } from './fetch-with-timeout.ts';

let store: PublicStore | undefined;

/** Returns the store of public data. The store is created at its first use, because the build has no database. */
export function getPublicStore(): PublicStore {
  const { supabaseUrl, supabasePublishableKey } = getConfig();
  store ??= createPublicStore({ url: supabaseUrl, key: supabasePublishableKey, fetch: fetchWithTimeout });
  return store;
}
