import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { BACKUP_PATH, type Backups } from '../backup/backups.ts';
import type { OpenedDatabase } from '../open/open-database.ts';
import type { EmbeddedKeys } from '../start.ts';
import { createApi, listen } from './create-api.ts';

/**
 * Time after which the server closes an idle connection, in milliseconds. The default of Node is five seconds. A busy
 * client then does not notice in time that the connection is closed, and its next request fails.
 */
export const KEEP_ALIVE_MS = 60_000;

export interface ServeOptions {
  readonly keys: EmbeddedKeys;
  /** Port on loopback; any free port when omitted or 0. */
  readonly port?: number;
  /** Null for a database in memory, which has no backups. */
  readonly backups: Backups | null;
}

/**
 * Serves the Supabase API of an opened database on loopback. A response is sent when all commits before it are on the disk,
 * so it never shows data that a power failure could still remove. Requests have no time limit, because the request of a
 * backup stays open until all files are copied, and all clients are on this machine.
 */
export async function serve({ connection, files }: OpenedDatabase, options: ServeOptions): Promise<Server> {
  const { keys, port = 0, backups } = options;
  const api = await createApi(connection, keys);
  const listener = getRequestListener(async (request, env) => {
    const response = await api(request, env);
    await files?.flush();
    return response;
  });
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (backups !== null && request.url === BACKUP_PATH) void backups.handle(request, response, keys.secret);
    else void listener(request, response);
  };
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0 }, handle);
  await listen(server, port);
  return server;
}
