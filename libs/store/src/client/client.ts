import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { Database, Json } from '../database.generated.ts';
import { toColumnName } from './rows.ts';

/** Supabase client of the database, opened with the secret key or the publishable key. */
export type Db = SupabaseClient<Database>;

export interface ConnectOptions {
  /** Base URL of a Supabase project or of the embedded database. */
  readonly url: string;
  /** API key of the database: the secret key for background jobs, the publishable key for web pages. */
  readonly key: string;
  /** Replacement for the global fetch, for example a function that adds cache tags to requests. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Creates a database client without sending a request. */
export function connect({ url, key, fetch }: ConnectOptions): Db {
  return createClient<Database>(url, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    // Retries are disabled, because pages show an error immediately and jobs run again on schedule.
    db: { retry: false, timeout: 30_000 },
    ...(fetch ? { global: { fetch } } : {}),
  });
}

/**
 * Error of a database call: the database refused the call or could not be reached. `code` is the error code of
 * PostgreSQL or PostgREST; undefined without such a code.
 */
export class StoreError extends Error {
  readonly code: string | undefined;

  /** @param attempted - Operation for the error message, such as `read a snapshot`. */
  constructor(attempted: string, cause: { readonly message: string; readonly code?: string }) {
    super(`Could not ${attempted}: ${cause.message}`);
    this.name = 'StoreError';
    this.code = cause.code;
  }
}

interface DatabaseResponse<T> {
  readonly data: T | null;
  readonly error: { readonly message: string; readonly code?: string } | null;
}

/**
 * Returns the rows of a response of the database.
 * @param attempted - Operation for the error message, such as `read a snapshot`.
 * @throws StoreError when the database refused the call or could not be reached.
 */
export function unwrap<Row>(
  attempted: string,
  { data, error }: DatabaseResponse<readonly Row[]>,
): readonly Row[] {
  if (error) throw new StoreError(attempted, error);
  return data ?? [];
}

type Functions = Database['public']['Functions'];
type FunctionName = keyof Functions;

type CamelCase<Name> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name;
/** Name of an argument of {@link call}: `leaseSeconds` for the SQL parameter `p_lease_seconds`. */
type ArgumentName<Name> = Name extends `p_${infer Rest}` ? CamelCase<Rest> : never;
/** Argument of an SQL function. An object is sent as JSON. */
type Argument<Type> = Json extends Type ? object : Type extends (infer Item)[] ? readonly Item[] : Type;
/** Arguments of an SQL function by name. Null is the same as an argument that is left out. */
type Arguments<Args> = {
  readonly [Name in keyof Args as ArgumentName<Name>]: undefined extends Args[Name]
    ? Argument<NonNullable<Args[Name]>> | null | undefined
    : Argument<Args[Name]>;
};

/**
 * Calls an SQL function and returns its result. The result is null if the function returns nothing. The argument
 * `leaseSeconds` becomes the parameter `p_lease_seconds`; the database refuses an argument without a matching
 * parameter.
 * @throws StoreError when the database refused the call or could not be reached.
 */
export async function call<Name extends FunctionName>(
  db: Db,
  name: Name,
  args: Arguments<Functions[Name]['Args']>,
): Promise<Functions[Name]['Returns']> {
  const given = Object.entries(args)
    .filter(([, value]) => value !== null)
    .map(([argument, value]) => [`p_${toColumnName(argument)}`, value]);
  // The casts are safe: `Arguments` checks the arguments, and the generated type of the function names its result.
  const { data, error } = await db.rpc(name, Object.fromEntries(given) as never);
  if (error) throw new StoreError(`call ${name}`, error);
  return data;
}

type RowOf<Name extends FunctionName> = Functions[Name]['Returns'] extends readonly (infer Row)[]
  ? Row
  : never;

/**
 * Calls an SQL function that returns one row, and returns this row.
 * @throws StoreError when the database refused the call or could not be reached.
 */
export async function callForRow<Name extends FunctionName>(
  db: Db,
  name: Name,
  args: Arguments<Functions[Name]['Args']>,
): Promise<RowOf<Name>> {
  const rows: unknown = await call(db, name, args);
  // The cast is safe: the type of the row is `never` for a function that returns no rows.
  const [row] = rows as readonly RowOf<Name>[];
  if (row === undefined) throw new StoreError(`call ${name}`, { message: 'the function returned no row' });
  return row;
}
