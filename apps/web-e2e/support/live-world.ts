import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findDueResource, serveDirectory } from './directory.ts';
import { serveNames, type NameServer } from './name-server.ts';
import { findFreePort } from './service.ts';

/** Public host name that resolves to a private address. */
const PRIVATE_HOST = 'inside.touchstone-live.example';
/** Host names that cannot be resolved. */
const LEGACY = 'legacy.touchstone-live.example';
const CURRENT = 'current.touchstone-live.example';
/** After the first request to the directory, all listed endpoints are due for a probe within this time, in seconds. */
const DUE_SECONDS = 6;
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

interface ListedResources {
  readonly inside: string;
  /** Endpoint that is listed with version 1 of the x402 protocol. */
  readonly legacy: string;
  readonly current: string;
}

/** Simulated network of a service in live mode: name server, directory, and a server on a private address. */
export interface LiveWorld {
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly nameServer: NameServer;
  /** Starts the directory. Before this call, its port refuses connections. */
  openDirectory(): Promise<void>;
  closeDirectory(): Promise<void>;
  /**
   * Returns the endpoints in the directory. They are chosen at the first request to the directory, so an earlier call
   * throws.
   */
  getListed(): ListedResources;
  /** Resolves when all listed endpoints are due for a probe. */
  waitUntilDue(): Promise<void>;
  /** Returns the number of connections to the server on the private address. */
  countPrivateConnections(): number;
  close(): Promise<void>;
}

/**
 * Creates a name server, a directory that is not started yet, and a server on a private address. The host name of one
 * listed endpoint resolves to the private address.
 */
export async function createLiveWorld(): Promise<LiveWorld> {
  const dataDir = mkdtempSync(join(tmpdir(), 'touchstone-live-'));
  const privateServer = await servePrivateAddress();
  const names = await serveNames(new Map([[PRIVATE_HOST, '127.0.0.1']]));
  const port = await findFreePort();
  let listed: ListedResources | null = null;
  let dueAt = Infinity;
  let stopServing: (() => Promise<void>) | null = null;
  const closeDirectory = async (): Promise<void> => {
    await stopServing?.();
    stopServing = null;
  };
  const items = (): readonly unknown[] => {
    // The endpoints are chosen at the first request, because they must be due for a probe soon after that request.
    if (listed === null) {
      const now = Date.now() / 1000;
      listed = chooseResources(privateServer.port, now);
      dueAt = (now + DUE_SECONDS) * 1000;
    }
    return [
      ...createItems(listed),
      { type: 'http', x402Version: 2, resource: `http://127.0.0.1:${privateServer.port}/` },
    ];
  };
  return {
    dataDir,
    nameServer: names,
    env: { DATA_DIR: dataDir, DIRECTORIES: `mine=http://127.0.0.1:${port}`, NAME_SERVERS: names.server },
    openDirectory: async () => {
      const { close } = await serveDirectory(port, items);
      stopServing = close;
    },
    closeDirectory,
    waitUntilDue: async () => {
      await sleep(Math.max(0, dueAt - Date.now()));
    },
    getListed: () => {
      if (listed === null) throw new Error('The directory has received no request yet');
      return listed;
    },
    countPrivateConnections: privateServer.countConnections,
    close: async () => {
      await closeDirectory();
      await names.close();
      privateServer.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts a server on a private IP address. The server counts its connections. */
async function servePrivateAddress() {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a TCP port has an address with a port, so the cast is safe.
  const { port } = server.address() as AddressInfo;
  return { port, countConnections: () => connections, close: () => server.close() };
}

function chooseResources(insidePort: number, now: number): ListedResources {
  // The service has two seconds to read the directory before the first endpoint is due.
  const dueWindow = { from: now + 2, within: DUE_SECONDS - 2 };
  return {
    inside: findDueResource(`${PRIVATE_HOST}:${insidePort}`, dueWindow),
    legacy: findDueResource(LEGACY, dueWindow),
    current: findDueResource(CURRENT, dueWindow),
  };
}

function createItems({ inside, legacy, current }: ListedResources): readonly unknown[] {
  const shared = { type: 'http', lastUpdated: '2026-11-01T08:00:00.000Z' };
  const terms = {
    scheme: 'exact',
    payTo: '0x1111111111111111111111111111111111111111',
    maxTimeoutSeconds: 60,
    asset: USDC,
    extra: { name: 'USD Coin', version: '2' },
  };
  const v2 = { ...terms, network: 'eip155:8453', amount: '4000' };
  const listing = { resource: legacy, description: 'Latest quote', mimeType: 'application/json' };
  const v1 = { ...terms, ...listing, network: 'base', maxAmountRequired: '2500' };
  return [
    { ...shared, resource: inside, x402Version: 2, accepts: [v2] },
    { ...shared, resource: legacy, x402Version: 1, accepts: [v1] },
    { ...shared, resource: current, x402Version: 2, accepts: [v2] },
  ];
}
