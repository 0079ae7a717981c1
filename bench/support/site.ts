import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbeddedKeys } from '@touchstone/embedded';
import { findFreePort } from '../../libs/embedded/src/testing/postgres.ts';
import { createSiteProcess } from '../../tools/test/inngest/inngest-site.ts';
import { connectInspector, type Inspector } from '../../apps/web-e2e/support/inspector.ts';
import { stopProcess } from './processes.ts';

export interface Site {
  readonly url: string;
  readonly pid: number;
  /** Starts the inspector of the site, and connects to it. An inspector slows the site down. */
  inspect(): Promise<Inspector>;
  stop(): Promise<void>;
}

/** Starts the built site with the database at `databaseUrl`, and waits until it responds. */
export async function startSite(databaseUrl: string, keys: EmbeddedKeys): Promise<Site> {
  const inspectorPort = await findFreePort();
  const site = createSiteProcess(await findFreePort(), {
    NEXT_TELEMETRY_DISABLED: '1',
    // The default heap limit of a site that the service starts.
    NODE_OPTIONS: `--max-old-space-size=384 --inspect-port=${inspectorPort}`,
    SUPABASE_URL: databaseUrl,
    SUPABASE_PUBLISHABLE_KEY: keys.publishable,
    SUPABASE_SECRET_KEY: keys.secret,
    INTERNAL_TOKEN: 'token-of-the-benchmark-of-pages',
    EMBEDDER: 'none',
    // The benchmark names a client in `X-Forwarded-For`, and the server appends the address of the connection.
    TRUSTED_PROXIES: '2',
  });
  await site.start();
  const pid = site.pid();
  if (pid === undefined) throw new Error('The site has no process.');
  return { url: site.url, pid, inspect: () => startInspector(pid, inspectorPort), stop: () => site.kill() };
}

/** Starts the inspector of a Node process with SIGUSR1, and connects to it. */
async function startInspector(pid: number, port: number): Promise<Inspector> {
  process.kill(pid, 'SIGUSR1');
  for (;;) {
    // The list is the API of the inspector, so its only target has this property.
    const targets = await fetch(`http://127.0.0.1:${port}/json/list`).then(
      async (response) => (await response.json()) as readonly { readonly webSocketDebuggerUrl: string }[],
      () => [],
    );
    const [target] = targets;
    if (target !== undefined) return connectInspector(target.webSocketDebuggerUrl);
    await sleep(50);
  }
}

/** Starts the database in its own process. */
export async function forkDatabase(dataDir: string, keys: EmbeddedKeys) {
  const child: ChildProcess = fork(new URL('../../libs/embedded/src/main.ts', import.meta.url), {
    env: {
      ...process.env,
      EMBEDDED_DATA_DIR: dataDir,
      EMBEDDED_PUBLISHABLE_KEY: keys.publishable,
      EMBEDDED_SECRET_KEY: keys.secret,
    },
  });
  // The cast is safe, because the entry point of the database sends this message first.
  const [ready] = (await once(child, 'message')) as [{ url: string }];
  return { url: ready.url, stop: () => stopProcess(child) };
}

/** Sends GET requests over keep-alive connections. */
export interface Client {
  /** Requests a URL, reads the whole response and returns its status. */
  get(url: string, headers?: Readonly<Record<string, string>>): Promise<number>;
  close(): void;
}

export function createClient(connections: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    get: (url, headers = {}) =>
      new Promise((resolve, reject) => {
        request(url, { agent, headers }, (response) => {
          response.resume().once('end', () => resolve(response.statusCode ?? 0));
          response.once('error', reject);
        })
          .once('error', reject)
          .end();
      }),
    close: () => agent.destroy(),
  };
}

/** Runs `task` for every item with at most `atOnce` items at the same time. */
export async function forEachAtOnce<Item>(
  items: readonly Item[],
  atOnce: number,
  task: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await task(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Returns the number of successful requests per second for one URL, with `atOnce` requests at the same time. */
export async function measureRate(
  client: Client,
  url: string,
  { headers, atOnce, ms }: { headers: Readonly<Record<string, string>>; atOnce: number; ms: number },
): Promise<number> {
  const started = performance.now();
  let count = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() - started < ms) {
      const status = await client.get(url, headers);
      if (status !== 200) throw new Error(`${url} responded with ${status}.`);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return count / ((performance.now() - started) / 1_000);
}
