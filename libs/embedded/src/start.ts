import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { App } from '@supabase/lite';
import { createPgliteConnection, type PgliteConnection } from '@supabase/lite/pglite';
import { EXTENSIONS } from './extensions.ts';
import { MIGRATIONS, migrate, readMigrations } from './migrate.ts';
import { combineRequestSettings } from './request-settings.ts';

/**
 * Time after which the server closes an idle connection, in milliseconds. The default of Node is five seconds. A busy
 * client then does not notice in time that the connection is closed, and its next request fails.
 */
const KEEP_ALIVE_MS = 60_000;

export interface EmbeddedOptions {
  /** Data folder of the database; in memory when omitted. Only one process at a time may use the folder. */
  readonly dataDir?: string;
  /** Port on loopback; any free port when omitted or 0. */
  readonly port?: number;
  readonly keys: EmbeddedKeys;
  /**
   * Archive of a data folder, created by PGlite's `dumpDataDir`. A new database starts with the content of this
   * archive; it starts empty when the archive is omitted.
   */
  readonly template?: Blob;
}

/**
 * API keys in the format of Supabase. A key `sb_publishable_…` can read public rows; a key `sb_secret_…` has all
 * rights.
 */
export interface EmbeddedKeys {
  readonly publishable: string;
  readonly secret: string;
}

export interface EmbeddedDatabase {
  /** Base URL for supabase-js. */
  readonly url: string;
  /** Versions of the migrations that were applied during this start. */
  readonly applied: readonly string[];
  readonly connection: PgliteConnection;
  close(): Promise<void>;
}

/**
 * Starts the embedded database on loopback: the Supabase API over PGlite with pgvector and pg_trgm. Applies all pending
 * migrations.
 * @throws Error when the port is in use, the folder is not writable or a migration fails.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  if (options.dataDir !== undefined) mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const connection = await createPgliteConnection({
    url: options.dataDir === undefined ? 'memory://' : `file://${resolve(options.dataDir)}`,
    pgliteOptions: {
      extensions: EXTENSIONS,
      ...(options.template === undefined ? {} : { loadDataDir: options.template }),
    },
  });
  await connection.driver.waitReady;
  try {
    const applied = await migrate(connection.driver, readMigrations(MIGRATIONS));
    await removeUnusedParsers(connection.driver);
    combineRequestSettings(connection);
    const server = await serve(connection, options);
    const { port } = server.address() as AddressInfo;
    return {
      url: `http://127.0.0.1:${port}`,
      applied,
      connection,
      close: async () => {
        server.closeAllConnections();
        await new Promise((done) => server.close(done));
        await connection.close();
      },
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/**
 * Removes PGlite's parsers of arrays of system table rows, which no query returns. PGlite copies its list of parsers for
 * each query. These parsers were two thirds of the list, and the copy took a third of the CPU time of a small query.
 */
async function removeUnusedParsers(driver: PgliteConnection['driver']): Promise<void> {
  const { rows } = await driver.query<{ oid: number }>(
    `select typarray::int as oid from pg_type
      where typtype = 'c' and typnamespace::regnamespace::text in ('pg_catalog', 'information_schema')`,
  );
  for (const { oid } of rows) Reflect.deleteProperty(driver.parsers, oid);
}

async function serve(connection: PgliteConnection, { keys, port = 0 }: EmbeddedOptions): Promise<Server> {
  const app = new App({
    connection,
    auth: { enabled: false, publishable_key: keys.publishable, secret_key: keys.secret },
    storage: { enabled: false },
    studio: { enabled: false },
  });
  await app.init();
  const listener = getRequestListener((request, env) =>
    app.fetch(request, {
      peerAddress: 'incoming' in env ? (env.incoming.socket.remoteAddress ?? null) : null,
    }),
  );
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    void listener(request, response);
  });
  await new Promise<void>((ready, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', ready);
  });
  return server;
}
