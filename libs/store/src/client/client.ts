import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { Database } from '../database.generated.ts';
import { StoreError } from './store-error.ts';

/** A database client, with the secret or the publishable key. */
export type Db = SupabaseClient<Database>;

export interface ConnectOptions {
  /** Base URL of a Supabase project or of the embedded database. */
  readonly url: string;
  /** The secret key for jobs, the publishable key for pages. */
  readonly key: string;
  /** Replaces the global fetch, for example to give it cache tags. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Creates a database client. It sends no request yet. */
export function connect({ url, key, fetch }: ConnectOptions): Db {
  return createClient<Database>(url, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    // No retries: pages show an error at once, and jobs run again on schedule.
    db: { retry: false, timeout: 30_000 },
    ...(fetch ? { global: { fetch } } : {}),
  });
}

interface DatabaseResponse<T> {
  readonly data: T | null;
  readonly error: { readonly message: string; readonly code?: string } | null;
}

/**
 * Returns the data of a response.
 * @param attempted - The operation, for the error message.
 * @throws StoreError when the database refused the call or could not be reached.
 */
export function unwrap<T>(attempted: string, { data, error }: DatabaseResponse<T>): T {
  if (error) throw new StoreError(attempted, error);
  if (data === null) throw new StoreError(attempted, { message: 'the database returned no data' });
  return data;
}
