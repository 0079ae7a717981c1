import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { resourceDue, serveDirectory } from './directory.ts';
import { serveNames, type NameServer } from './name-server.ts';
import { freePort } from './service.ts';

/** Its name is public; the address that its owner gave it is not. */
const INSIDE = 'inside.touchstone-live.example';
/** Names that no name server knows. */
const LEGACY = 'legacy.touchstone-live.example';
const CURRENT = 'current.touchstone-live.example';
/** What is listed falls due within so many seconds. */
const DUE_SECONDS = 6;
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

interface Listed {
  readonly inside: string;
  /** Listed by version 1 of the protocol. */
  readonly legacy: string;
  readonly current: string;
}

/** What the live service gets to see instead of the internet. */
export interface LiveWorld {
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly names: NameServer;
  /** Has the directory come up where so far nobody listens. */
  openDirectory(): Promise<void>;
  closeDirectory(): Promise<void>;
  /** What it lists, once it was asked. */
  listed(): Listed;
  /** Resolves when all of it has fallen due to be probed. */
  due(): Promise<void>;
  /** Connections to the private server so far. */
  dialled(): number;
  close(): Promise<void>;
}

/** Name servers, a directory that is not there yet, and a private server that a listing points at, on this machine. */
export async function createLiveWorld(): Promise<LiveWorld> {
  const dataDir = mkdtempSync(join(tmpdir(), 'touchstone-live-'));
  const secret = await servePrivately();
  const names = await serveNames(new Map([[INSIDE, '127.0.0.1']]));
  const port = await freePort();
  let listed: Listed | null = null;
  let dueAt = Infinity;
  let stopServing: (() => Promise<void>) | null = null;
  const closeDirectory = async (): Promise<void> => {
    await stopServing?.();
    stopServing = null;
  };
  const items = (): readonly unknown[] => {
    // Chosen when they are first asked for, so that they are due soon after they are listed.
    if (listed === null) {
      const now = Date.now() / 1000;
      listed = chooseResources(secret.port, now);
      dueAt = (now + DUE_SECONDS) * 1000;
    }
    return [
      ...itemsOf(listed),
      { type: 'http', x402Version: 2, resource: `http://127.0.0.1:${secret.port}/` },
    ];
  };
  return {
    dataDir,
    names,
    env: { DATA_DIR: dataDir, DIRECTORIES: `mine=http://127.0.0.1:${port}`, NAME_SERVERS: names.server },
    openDirectory: async () => {
      const { close } = await serveDirectory(port, items);
      stopServing = close;
    },
    closeDirectory,
    due: async () => {
      await sleep(Math.max(0, dueAt - Date.now()));
    },
    listed: () => {
      if (listed === null) throw new Error('Nobody has asked the directory yet');
      return listed;
    },
    dialled: secret.connections,
    close: async () => {
      await closeDirectory();
      await names.close();
      secret.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A server that is nobody's business, and how often it was connected to. */
async function servePrivately() {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address with a port.
  const { port } = server.address() as AddressInfo;
  return { port, connections: () => connections, close: () => server.close() };
}

function chooseResources(insidePort: number, now: number): Listed {
  // The two seconds are for listing them.
  const soon = { from: now + 2, within: DUE_SECONDS - 2 };
  return {
    inside: resourceDue(`${INSIDE}:${insidePort}`, soon),
    legacy: resourceDue(LEGACY, soon),
    current: resourceDue(CURRENT, soon),
  };
}

function itemsOf({ inside, legacy, current }: Listed): readonly unknown[] {
  const shared = { type: 'http', lastUpdated: '2026-11-01T08:00:00.000Z' };
  const terms = {
    scheme: 'exact',
    payTo: '0x1111111111111111111111111111111111111111',
    maxTimeoutSeconds: 60,
    asset: USDC,
    extra: { name: 'USD Coin', version: '2' },
  };
  const v2 = { ...terms, network: 'eip155:8453', amount: '4000' };
  const words = { resource: legacy, description: 'Latest quote', mimeType: 'application/json' };
  const v1 = { ...terms, ...words, network: 'base', maxAmountRequired: '2500' };
  return [
    { ...shared, resource: inside, x402Version: 2, accepts: [v2] },
    { ...shared, resource: legacy, x402Version: 1, accepts: [v1] },
    { ...shared, resource: current, x402Version: 2, accepts: [v2] },
  ];
}
