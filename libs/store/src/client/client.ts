import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { Database } from '../database.generated.ts';
import { StoreError } from './store-error.ts';

/** Supabase client of the database, opened with the secret key or the publishable key. */
export type Db = SupabaseClient<Database>;

export interface ConnectOptions {
  /** Base URL of a Supabase project or of the embedded database. */
  readonly url: string;
  /** API key of the database: the secret key for background jobs, the publishable key for web pages. */
  readonly key: string;
  /** Replacement for the global fetch, for example one that adds cache tags to requests. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Creates a database client without sending a request. */
export function connect({ url, key, fetch }: ConnectOptions): Db {
  return createClient<Database>(url, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    // Retries are disabled, because pages show an error at once and jobs run again on schedule.
    db: { retry: false, timeout: 30_000 },
    ...(fetch ? { global: { fetch } } : {}),
  });
}

interface DatabaseResponse<T> {
  readonly data: T | null;
  readonly error: { readonly message: string; readonly code?: string } | null;
}

/**
 * Returns the data of a database response.
 * @param attempted - Operation for the error message, such as `read a snapshot`.
 * @throws StoreError when the database refused the call or could not be reached.
 */
export function unwrap<T>(attempted: string, { data, error }: DatabaseResponse<T>): T {
  if (error) throw new StoreError(attempted, error);
  if (data === null) throw new StoreError(attempted, { message: 'the database returned no data' });
  return data;
}
