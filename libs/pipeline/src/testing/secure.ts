import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createProber, type ProberOptions } from '@touchstone/probe';
import { createAuthority } from '@touchstone/probe/testing';
import { respondAsEndpoint, type World } from './world.ts';

/**
 * Serves the responses of a test world over TLS for the given host names. Returns a prober that connects to this
 * server.
 */
export async function serveOverTls(
  world: World,
  names: readonly string[] = ['*.example.com'],
  options: Pick<Partial<ProberOptions>, 'resolver' | 'limits'> = {},
) {
  const authority = createAuthority();
  const server = createServer(authority.issue(names), (request, response) => {
    const path = request.url ?? '';
    respondAsEndpoint(world, response, { url: `https://${request.headers.host ?? ''}${path}`, path });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    prober: createProber({
      resolver: () => Promise.resolve([{ address: '127.0.0.1', family: 4, port, isTrusted: true }]),
      userAgent: 'test',
      ca: [authority.cert],
      ...options,
    }),
    close: (): Promise<void> =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
