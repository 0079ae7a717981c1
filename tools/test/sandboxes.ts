import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox, type RunningSandbox } from '../../apps/sandbox/src/start-sandbox.ts';

interface SharedSandbox {
  readonly sandbox: RunningSandbox;
  readonly dataDir: string;
}

/** Starts a sandbox whose clock follows the real time, with a chain of each sales network. */
async function open(): Promise<SharedSandbox> {
  const dataDir = await mkdtemp(join(tmpdir(), 'touchstone-shared-sandbox-'));
  return { sandbox: await startSandbox({ dataDir, historyDays: 0, salesNetwork: 'eip155:84532' }), dataDir };
}

async function close({ sandbox, dataDir }: SharedSandbox): Promise<void> {
  await sandbox.stop();
  await rm(dataDir, { recursive: true, force: true });
}

/**
 * Starts a server that starts a sandbox for each Vitest worker, at the first request of this worker. The test files of
 * a worker run one after another and share its sandbox, also across packages. `TEST_SANDBOXES` contains the URL of the
 * server, and `openSharedSandbox` of `@touchstone/common/testing` calls it. Vitest calls this function once for each
 * project; only the first call starts a server.
 *
 * @returns Function that stops the server and all sandboxes.
 */
export default async function startSandboxes(): Promise<() => Promise<void>> {
  if (process.env['TEST_SANDBOXES'] !== undefined) return () => Promise.resolve();
  const sandboxes = new Map<string, Promise<SharedSandbox>>();
  const server = createServer(({ url: worker = '' }, response) => {
    const shared = sandboxes.get(worker) ?? open();
    sandboxes.set(worker, shared);
    shared.then(
      ({ sandbox, dataDir }) => response.end(JSON.stringify({ ...sandbox, dataDir })),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  process.env['TEST_SANDBOXES'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return async () => {
    server.close();
    server.closeAllConnections();
    await Promise.allSettled([...sandboxes.values()].map(async (shared) => close(await shared)));
  };
}
