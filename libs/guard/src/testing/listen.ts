import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';

export interface Listening {
  /** Origin of the server. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

const running = new Set<Listening>();

/** Closes all servers after each test of the file that calls this function. */
export function closeServersAfterEach(): void {
  afterEach(async () => {
    await Promise.all([...running].map(({ close }) => close()));
  });
}

/** Starts a server on a free port of this machine. */
export async function listen(server: Server): Promise<Listening> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  const listening = {
    url: `http://127.0.0.1:${String(port)}`,
    close: async () => {
      running.delete(listening);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  running.add(listening);
  return listening;
}
