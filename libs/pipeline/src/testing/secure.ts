import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createProber, type ProberOptions } from '@touchstone/probe';
import { createAuthority } from '@touchstone/probe/testing';
import type { World } from './world.ts';

/** The same answers as a world gives, over TLS for some names; whoever asks with its prober finds them. */
export async function serveSecurely(
  world: World,
  names: readonly string[],
  options: Pick<Partial<ProberOptions>, 'resolver'> = {},
) {
  const authority = createAuthority();
  const server = createServer(authority.issue(names), (request, response) => {
    const url = `https://${request.headers.host ?? ''}${request.url ?? ''}`;
    world.asked.push(url);
    const answer = world.answers.get(request.url ?? '');
    if (answer) answer(response, url);
    else response.writeHead(404).end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    prober: createProber({
      resolver: () => Promise.resolve([{ address: '127.0.0.1', family: 4, port, vouched: true }]),
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
