import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { Database } from './database.generated.ts';
import { StoreError } from './store-error.ts';

/** A connection to the database, opened with either key. */
export type Db = SupabaseClient<Database>;

export interface ConnectOptions {
  /** Base URL of a Supabase project or of the embedded database. */
  readonly url: string;
  /** The secret key for jobs, the publishable key for pages. */
  readonly key: string;
  /** Replaces the global fetch, for example to give it cache tags. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Opens the database. No request is made yet. */
export function connect({ url, key, fetch }: ConnectOptions): Db {
  return createClient<Database>(url, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    // Pages answer with an error at once, and jobs have a next time of their own.
    db: { retry: false, timeout: 30_000 },
    ...(fetch ? { global: { fetch } } : {}),
  });
}

interface Answer<T> {
  readonly data: T | null;
  readonly error: { readonly message: string; readonly code?: string } | null;
}

/**
 * The data of an answer.
 * @throws StoreError naming what was attempted when the database refused it or could not be reached.
 */
export function unwrap<T>(attempted: string, { data, error }: Answer<T>): T {
  if (error) throw new StoreError(attempted, error);
  if (data === null) throw new StoreError(attempted, { message: 'the database answered nothing' });
  return data;
}
