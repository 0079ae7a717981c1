import console from 'node:console';
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { App } from '@supabase/lite';
import type { PgliteConnection } from '@supabase/lite/pglite';
import { BACKUP_PATH, type Backups } from './backups.ts';

type AppOptions = ConstructorParameters<typeof App>[0];
type FetchCallback = Parameters<typeof getRequestListener>[0];

/**
 * API keys in the format of Supabase. A key `sb_publishable_…` can read public rows; a key `sb_secret_…` has all
 * rights.
 */
export interface EmbeddedKeys {
  readonly publishable: string;
  readonly secret: string;
}

/** Creates random API keys in the key format of Supabase. */
export function createKeys(): EmbeddedKeys {
  return {
    publishable: `sb_publishable_${randomBytes(24).toString('base64url')}`,
    secret: `sb_secret_${randomBytes(24).toString('base64url')}`,
  };
}

/**
 * Time after which the server closes an idle connection, in milliseconds. With Node's default of five seconds, a busy
 * client would notice too late that the connection is closed, and the next request of the client would fail.
 */
export const KEEP_ALIVE_MS = 60_000;

export interface ServeOptions {
  readonly keys: EmbeddedKeys;
  /** Port on loopback; any free port when omitted or 0. */
  readonly port?: number;
  /** Backups of the database. Null for a database in memory, because such a database has no backups. */
  readonly backups: Backups | null;
}

/**
 * Serves the Supabase API of an opened database on loopback. Requests have no time limit, because the request of a backup
 * stays open until all files are copied, and all clients are on this machine.
 */
export async function serve(connection: PgliteConnection, options: ServeOptions): Promise<Server> {
  const { keys, port = 0, backups } = options;
  const listener = getRequestListener(await createApi(connection, keys));
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (backups !== null && request.url === BACKUP_PATH) void backups.handle(request, response, keys.secret);
    else void listener(request, response);
  };
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0 }, handle);
  await listen(server, port);
  return server;
}

/**
 * Creates the function that responds to requests to the Supabase API of a database. Only its REST interface is enabled.
 *
 * At its first request, `@supabase/lite` would grant all rights on all tables and sequences to the roles of the API.
 * The migrations already created the roles and their rights, so this step is replaced.
 */
export async function createApi(
  connection: NonNullable<AppOptions>['connection'],
  keys: EmbeddedKeys,
): Promise<(...parameters: Parameters<FetchCallback>) => Promise<Response>> {
  Object.assign(await connection, { ensureRlsContext: () => Promise.resolve(true) });
  const app = new App({
    connection,
    auth: { enabled: false, publishable_key: keys.publishable, secret_key: keys.secret },
    storage: { enabled: false },
    studio: { enabled: false },
  });
  await app.init();
  return async (request, env) =>
    app.fetch(request, {
      peerAddress: 'incoming' in env ? (env.incoming.socket.remoteAddress ?? null) : null,
    });
}

/** Starts a server on a loopback port; any free port if `port` is 0. */
export async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((ready, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', ready);
  });
}

const toMessage = (value: unknown): string => (value instanceof Error ? value.message : String(value));

/**
 * Makes `console.error` write the messages of errors only. The HTTP server of the database logs unexpected errors with
 * all their members, and errors of PGlite contain the parameters of the statement, such as reports and payments.
 */
export function logMessagesOnly(): void {
  console.error = (...values: readonly unknown[]): void => {
    process.stderr.write(`embedded database: ${values.map(toMessage).join(' ')}\n`);
  };
}
