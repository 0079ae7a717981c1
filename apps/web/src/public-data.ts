import { createPublicStore, type PublicStore } from '@touchstone/store';
import { config } from './config.ts';

const DATABASE_TIMEOUT_MS = 5_000;

let store: PublicStore | undefined;

/** The public side of the database, opened at first use: the build has none. */
export function publicStore(): PublicStore {
  const { supabaseUrl, supabasePublishableKey } = config();
  store ??= createPublicStore({ url: supabaseUrl, key: supabasePublishableKey, fetch: fetchInTime });
  return store;
}

/** A database that does not answer must not hold a visitor for longer than this. */
const fetchInTime: typeof fetch = (input, init) => {
  const timeout = AbortSignal.timeout(DATABASE_TIMEOUT_MS);
  return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout });
};
