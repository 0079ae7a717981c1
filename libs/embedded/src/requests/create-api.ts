import type { Server } from 'node:http';
import type { getRequestListener } from '@hono/node-server';
import { App } from '@supabase/lite';
import type { EmbeddedKeys } from '../start.ts';

type AppOptions = ConstructorParameters<typeof App>[0];
type FetchCallback = Parameters<typeof getRequestListener>[0];

/** Creates the function that answers requests to the Supabase API of a database. Only its REST interface is enabled. */
export async function createApi(
  connection: NonNullable<AppOptions>['connection'],
  keys: EmbeddedKeys,
): Promise<(...parameters: Parameters<FetchCallback>) => Promise<Response>> {
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
