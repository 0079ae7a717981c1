import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { PgliteConnection } from '@supabase/lite/pglite';
import { createKeys } from '../keys.ts';
import { openDatabase } from '../open/open-database.ts';
import { createApi, listen } from '../requests/create-api.ts';
import { createLock, type Lock } from '../requests/lock.ts';
import { toRequestError } from '../requests/request-error.ts';
import { runRequests } from '../requests/run-requests.ts';
import { KEEP_ALIVE_MS } from '../requests/serve.ts';
import { removeUnusedParsers, type EmbeddedDatabase, type EmbeddedOptions } from '../start.ts';
import { migratedTemplate } from './migrated-template.ts';
import { dropPartitions, readDefinitions, readRows, removeRows, type Rows } from './reset-database.ts';

/** Maximum number of unused databases that a process keeps. Each one takes about 150 MB. */
const MAX_UNUSED = 2;

/** A database in memory that several tests use one after the other. */
interface ReusedDatabase {
  readonly connection: PgliteConnection;
  readonly lock: Lock;
  /** Definitions of all objects after the migrations, see `readDefinitions`. */
  readonly definitions: string;
  /** Rows that the migrations inserted. */
  readonly rows: Rows;
}

declare global {
  /** Databases that no test uses. */
  var touchstoneUnusedDatabases: ReusedDatabase[] | undefined;
}

// A module variable is not enough, because a test that calls `vi.resetModules` loads this module again.
const unused = (globalThis.touchstoneUnusedDatabases ??= []);

/**
 * Serves an embedded database in memory with all migrations applied and no other rows. `close` removes the rows, and keeps
 * the database for the next call in this process, because opening a database takes ten times as long. A database with
 * changed tables, functions, rights or settings is not used again.
 */
export async function startReused({
  keys,
  port = 0,
}: Pick<EmbeddedOptions, 'keys' | 'port'>): Promise<EmbeddedDatabase> {
  const database = unused.pop() ?? (await openReused());
  const { url, close } = await serveReused(database.connection, { keys, port }).catch((error: unknown) => {
    unused.push(database);
    throw error;
  });
  let closed: Promise<void> | undefined;
  const closeOnce = async (): Promise<void> => {
    await close();
    await database.lock(() => keep(database));
  };
  return {
    url,
    applied: [],
    connection: database.connection,
    close: () => (closed ??= closeOnce()),
  };
}

async function openReused(): Promise<ReusedDatabase> {
  const template = await migratedTemplate();
  const { connection } = await openDatabase({ template, onFatal: () => undefined });
  const { driver } = connection;
  await removeUnusedParsers(driver);
  const lock = createLock();
  const toError = (error: unknown): unknown => toRequestError(error, { isFull: false, folder: null });
  runRequests(connection, { lock, isReadOnly: () => false, toError });
  await grantRights(connection);
  return { connection, lock, definitions: await readDefinitions(driver), rows: await readRows(driver) };
}

/** Sends a request, because `@supabase/lite` creates roles and grants rights at the first request. */
async function grantRights(connection: PgliteConnection): Promise<void> {
  const keys = createKeys();
  const { url, close } = await serveReused(connection, { keys, port: 0 });
  const response = await fetch(`${url}/rest/v1/clocks?limit=1`, { headers: { apikey: keys.secret } });
  if (!response.ok) throw new Error(`The database did not start: ${await response.text()}`);
  await close();
}

/** Serves the API. `close` resolves when all requests have ended, also those of closed connections. */
async function serveReused(
  connection: PgliteConnection,
  { keys, port }: Required<Pick<EmbeddedOptions, 'keys' | 'port'>>,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const api = await createApi(connection, keys);
  const running = new Set<Promise<Response>>();
  const listener = getRequestListener((request, env) => {
    const response = api(request, env);
    running.add(response);
    const end = (): void => void running.delete(response);
    response.then(end, end);
    return response;
  });
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => void listener(request, response),
  );
  await listen(server, port);
  // The cast is safe, because the address of a listening TCP server is an object with a port.
  const { port: listeningPort } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    await Promise.allSettled(running);
  };
  return { url: `http://127.0.0.1:${listeningPort}`, close };
}

/** Keeps a database for the next test if it can be reset, and closes it otherwise. */
async function keep(database: ReusedDatabase): Promise<void> {
  const { connection } = database;
  const isReset = await reset(database).catch(async (error: unknown) => {
    await connection.close();
    throw error;
  });
  if (isReset) unused.push(database);
  else await connection.close();
}

/** Restores the state after the migrations. Returns false if this is impossible or the database is not needed. */
async function reset({ connection: { driver }, definitions, rows }: ReusedDatabase): Promise<boolean> {
  await driver.exec('reset role; select pg_advisory_unlock_all(); unlisten *');
  await dropPartitions(driver);
  if ((await readDefinitions(driver)) !== definitions || unused.length === MAX_UNUSED) return false;
  await removeRows(driver, rows);
  return true;
}
