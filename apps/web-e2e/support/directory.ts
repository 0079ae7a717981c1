import { once } from 'node:events';
import { createServer } from 'node:http';
import { canonicalize, computeProbeOffsetSeconds } from '@touchstone/catalog';

/** Serves a directory of endpoints on a local port, in the format of a facilitator's list of resources. */
export async function serveDirectory(port: number, items: () => readonly unknown[]) {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://directory');
    if (pathname !== '/discovery/resources') {
      response.writeHead(404).end();
      return;
    }
    const [limit, offset] = [Number(searchParams.get('limit')), Number(searchParams.get('offset'))];
    const all = items();
    const page = all.slice(offset, offset + limit);
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ x402Version: 2, items: page, pagination: { limit, offset, total: all.length } }));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Interval between two scheduled probes of an endpoint, in seconds. */
const INTERVAL_SECONDS = 1800;

/**
 * Finds a URL of a host whose next scheduled probe is soon. The endpoint id, which is computed from the URL, determines
 * the time of the probe within the probe interval. The function therefore tries many URLs.
 *
 * @param options.from Seconds since the epoch.
 * @param options.within Maximum delay of the probe after `from`, in seconds.
 */
export function findDueResource(host: string, { from, within }: { from: number; within: number }): string {
  for (let number = 1; number < 100_000; number += 1) {
    const resource = `https://${host}/v1/quotes/${number}`;
    const canonical = canonicalize(resource);
    if (!canonical.ok) throw new Error(canonical.reason);
    const offset = computeProbeOffsetSeconds(canonical.id, INTERVAL_SECONDS);
    const wait = (((offset - from) % INTERVAL_SECONDS) + INTERVAL_SECONDS) % INTERVAL_SECONDS;
    if (wait < within) return resource;
  }
  throw new Error(`No resource of ${host} is due within ${within} seconds`);
}
