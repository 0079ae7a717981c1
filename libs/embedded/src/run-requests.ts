import type { PgliteConnection } from '@supabase/lite/pglite';
import { z } from 'zod';
import type { Lock } from './lock.ts';
import { formatRestore } from './open-database.ts';

type WithContext = PgliteConnection['withContext'];
/** Parts of a request's context that `@supabase/lite` passes to PostgreSQL as transaction settings. */
type Context = {
  readonly auth?: { readonly role?: string; readonly uid?: string | null; readonly jwt?: unknown };
  readonly storage?: { readonly operation?: string };
};
type Call = NonNullable<NonNullable<Parameters<WithContext>[2]>['rpc']>;

type RequestArguments<T> = [
  context: Context | undefined,
  work: (database: PgliteConnection['kysely']) => Promise<T>,
  options?: Parameters<WithContext>[2],
];

export interface RequestOptions {
  /** Lock of the only session of the database. */
  readonly lock: Lock;
  /** Returns true while nothing may be written. */
  readonly isReadOnly: () => boolean;
  /** Converts the error of a request to the error for the client. */
  readonly toError: (error: unknown) => unknown;
}

/**
 * Functions that a buyer waits for. A request for one of these functions is urgent, so that searches and jobs cannot
 * delay a purchase by more than one request.
 */
export const URGENT_FUNCTIONS: ReadonlySet<string> = new Set([
  'find_payment',
  'claim_payment',
  'extend_payment_lease',
  'store_payment_result',
  'settle_payment',
  'release_payment',
  'fail_payment',
  'report_subject',
  'report_sources',
  'record_live_probe',
  'adopt_endpoint',
  'bulk_scores',
  'endpoint_history',
  'search_by_embedding',
  'alternatives_to',
  'find_watch_target',
  'find_watch',
  'create_watch',
  'create_renewal',
  'find_applied_purchase',
]);

/** Roles of API keys. Requests with another role need more settings than this module sets. */
const ROLES = new Set(['anon', 'authenticated', 'service_role']);

/**
 * Makes a connection run each request in a transaction of its own. One query begins the transaction and applies the
 * settings of the request. Without this function, `@supabase/lite` would send up to eleven queries for the same
 * settings.
 *
 * The lock is necessary because all requests share one session, and `@supabase/lite` does not separate their
 * transactions.
 */
export function runRequestsInTransactions(
  connection: PgliteConnection,
  { lock, ...options }: RequestOptions,
): void {
  const original = connection.withContext.bind(connection);
  const withContext = async <T>(...[context, work, contextOptions = {}]: RequestArguments<T>): Promise<T> => {
    const { transaction, forceRollback, rpc } = contextOptions;
    if (context === undefined || transaction || forceRollback || !ROLES.has(getRole(context)))
      return lock(() => original(context, work, contextOptions));
    const runRequest = async (): Promise<T> => {
      // The disk can become full while a request waits for the lock.
      const isReadOnly = rpc?.readOnly === true || options.isReadOnly();
      const begin = `begin${isReadOnly ? ' read only' : ''}; ${formatSettings(context, rpc)}`;
      try {
        await connection.driver.exec(begin);
        const result = await work(connection.kysely);
        await connection.driver.exec('commit');
        return result;
      } catch (error) {
        // A failed rollback is ignored, because the first error is the cause.
        await connection.driver.exec('rollback').catch(() => undefined);
        throw options.toError(error);
      }
    };
    return lock(runRequest, { isUrgent: isUrgentCall(rpc) });
  };
  Object.assign(connection, { withContext });
}

function isUrgentCall(call: Call | undefined): boolean {
  return URGENT_FUNCTIONS.has(call?.path.split('/').at(-1) ?? '');
}

function getRole(context: Context): string {
  return context.auth?.role ?? 'anon';
}

/**
 * Formats the query that sets the settings of a request. The role is set last, because a role may lack the right to
 * change other settings.
 */
function formatSettings(context: Context, call: Call | undefined): string {
  const jwt: unknown = context.auth?.jwt;
  const role = getRole(context);
  const settings: Record<string, string> = {
    'request.jwt.claim.sub': context.auth?.uid ?? '',
    'request.jwt.claim.role': role,
    'storage.operation': context.storage?.operation ?? '',
    ...(typeof jwt === 'object' && jwt !== null ? { 'request.jwt.claims': JSON.stringify(jwt) } : {}),
    ...(call === undefined
      ? {}
      : {
          'response.status': '',
          'response.headers': '',
          'request.method': call.method,
          'request.path': call.path,
          'request.headers': JSON.stringify(call.requestHeaders ?? {}),
        }),
    role,
  };
  return Object.entries(settings)
    .map(([name, value]) => `set local ${name} = ${quote(value)}`)
    .join('; ');
}

/** Quotes a text for SQL. PostgreSQL runs with `standard_conforming_strings`, so a backslash has no meaning. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "''").replaceAll('\0', '')}'`;
}

/** SQLSTATE of a write in a read-only transaction. */
const READ_ONLY = '25006';
/** SQLSTATE `disk_full`. `@supabase/lite` responds to this class with HTTP 500. */
const DISK_FULL = '53100';
/** SQLSTATE of damaged or missing data files: `data_corrupted`, `index_corrupted`, `undefined_file`, `io_error`. */
const DAMAGED = new Set(['XX001', 'XX002', '58P01', '58030']);

const databaseErrorSchema = z.object({ code: z.string(), message: z.string() });

export interface RequestErrorOptions {
  /** True while the disk is full. */
  readonly isFull: boolean;
  /** Folder of the database; null for a database in memory. */
  readonly folder: string | null;
}

/**
 * Converts an error of a request: the error of a write to a full disk names the cause, and damaged files are reported
 * to the operator.
 */
export function toRequestError(error: unknown, { isFull, folder }: RequestErrorOptions): unknown {
  const { data } = databaseErrorSchema.safeParse(error);
  if (data === undefined) return error;
  if (data.code === DISK_FULL || (data.code === READ_ONLY && isFull)) {
    const message =
      'The disk of the database is full. Nothing was written. Free space and repeat the request.';
    return Object.assign(new Error(message, { cause: error }), { code: DISK_FULL });
  }
  if (DAMAGED.has(data.code) && folder !== null) {
    process.stderr.write(
      `embedded database: a file is damaged (${data.message}). ${formatRestore(folder)}\n`,
    );
  }
  return error;
}
