import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { App } from '@supabase/lite';
import { createPostgresConnection } from '@supabase/lite/postgres';
import type { EmbeddedKeys } from '../start.ts';

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
  const server = createServer((request, response) => void listener(request, response));
  await listen(server, port);
  const { port: listeningPort } = server.address() as AddressInfo;
  const api = `http://127.0.0.1:${listeningPort}`;
  await grantRights(api, keys);
  return {
    url: api,
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

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((ready, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', ready);
  });
}

/**
 * Sends one request of each kind, one after the other. @supabase/lite grants rights at its first requests, and two
 * concurrent grants fail with "tuple concurrently updated".
 */
async function grantRights(api: string, { publishable, secret }: EmbeddedKeys): Promise<void> {
  for (const key of [secret, publishable]) {
    const headers = { apikey: key, authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    await (await fetch(`${api}/rest/v1/snapshots?limit=1`, { headers })).text();
    await (await fetch(`${api}/rest/v1/rpc/ecosystem`, { method: 'POST', headers, body: '{}' })).text();
  }
}
