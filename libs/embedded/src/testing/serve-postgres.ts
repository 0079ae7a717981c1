import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { createPostgresConnection } from '@supabase/lite/postgres';
import { createApi, KEEP_ALIVE_MS, listen, type EmbeddedKeys } from '../serve.ts';

/** OIDs of PostgreSQL's JSON types. */
const JSON_TYPES = { json: 114, jsonb: 3802 } as const;
const MAX_CONNECTIONS = 6;

export interface PostgresApi {
  /** Base URL for supabase-js. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves the Supabase API of a PostgreSQL database on loopback.
 * @param url connection URL of a role that owns the tables and is a member of the roles of a Supabase project
 */
export async function servePostgres(
  url: string,
  { keys, port = 0 }: { readonly keys: EmbeddedKeys; readonly port?: number },
): Promise<PostgresApi> {
  const connection = createPostgresConnection({
    url,
    postgresOptions: {
      max: MAX_CONNECTIONS,
      onnotice: () => undefined,
      types: { json: passJson(JSON_TYPES.json), jsonb: passJson(JSON_TYPES.jsonb) },
    },
  });
  const listener = getRequestListener(await createApi(connection, keys));
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => void listener(request, response),
  );
  await listen(server, port);
  const { port: listeningPort } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${listeningPort}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await connection.close();
    },
  };
}

/** Returns a type that sends JSON texts unchanged. The default type would encode the texts of @supabase/lite again. */
function passJson(oid: number) {
  return {
    to: oid,
    from: [oid],
    serialize: (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)),
    parse: (text: string): unknown => JSON.parse(text),
  };
}
