import { createPublicStore, type PublicStore } from '@touchstone/store';
import { config } from './config.ts';
import { fetchInTime } from './fetch-in-time.ts';

let store: PublicStore | undefined;

/** The public side of the database, opened at first use: the build has none. */
export function publicStore(): PublicStore {
  const { supabaseUrl, supabasePublishableKey } = config();
  store ??= createPublicStore({ url: supabaseUrl, key: supabasePublishableKey, fetch: fetchInTime });
  return store;
}
