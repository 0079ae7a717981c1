import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSandbox } from '../../../apps/sandbox/src/start-sandbox.ts';
import { createKeys, type EmbeddedDatabase } from '../../../libs/embedded/src/index.ts';
import { findFreePort } from '../../../libs/embedded/src/testing/postgres.ts';
import { startMigrated } from '../../../libs/embedded/src/testing/start-migrated.ts';
import {
  startInngestServer,
  type InngestServer,
} from '../../../libs/pipeline/src/testing/inngest/inngest-server.ts';
import { sign } from '../../../libs/pipeline/src/testing/inngest/inngest-signing.ts';

const WEB = join(import.meta.dirname, '../../../apps/web');
const SERVER = 'src/serving/main.ts';
const SIGNING_KEY = `signkey-prod-${'5a'.repeat(32)}`;
/** Maximum time until the site responds, in milliseconds. */
const START_MS = 60_000;

/** Process of the built site. */
export interface SiteProcess {
  readonly url: string;
  /** Returns the process id; undefined before the start. */
  pid(): number | undefined;
  /** Starts the site, and waits until it responds. */
  start(): Promise<void>;
  /** Kills the site. */
  kill(): Promise<void>;
  /** Returns the maximum memory of the process so far (its resident set), in bytes. Returns null except on Linux. */
  readPeakMemory(): number | null;
}

/** Built site whose jobs are run by a simulated Inngest server, on a sandbox and an empty database. */
export interface InngestSite extends SiteProcess {
  readonly database: EmbeddedDatabase;
  readonly inngest: InngestServer;
  /** Sends the signed request that registers the functions of the site. */
  register(): Promise<Response>;
  close(): Promise<void>;
}

/**
 * Starts a site in Inngest mode. Only the simulated Inngest server runs the jobs.
 * @param folder empty folder for the files of the sandbox
 */
export async function startInngestSite(folder: string): Promise<InngestSite> {
  const keys = createKeys();
  const database = await startMigrated({ keys });
  const sandbox = await startSandbox({ dataDir: join(folder, 'sandbox'), historyDays: 0, hasChain: false });
  const sandboxFile = join(folder, 'sandbox.json');
  writeFileSync(sandboxFile, JSON.stringify({ controlUrl: sandbox.controlUrl, caFile: sandbox.caFile }));
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}/api/inngest`;
  const inngest = await startInngestServer({ signingKey: SIGNING_KEY, application: () => url });
  const site = createSiteProcess(port, {
    SUPABASE_URL: database.url,
    SUPABASE_PUBLISHABLE_KEY: keys.publishable,
    SUPABASE_SECRET_KEY: keys.secret,
    SANDBOX_FILE: sandboxFile,
    DIRECTORY_URLS: sandbox.directoryUrl,
    INNGEST_BASE_URL: inngest.url,
    INNGEST_EVENT_KEY: 'events',
    INNGEST_SIGNING_KEY: SIGNING_KEY,
  });
  await site.start();
  return {
    ...site,
    database,
    inngest,
    register: () => {
      const signature = sign({ url }, SIGNING_KEY, Math.floor(Date.now() / 1000));
      const headers = { 'content-type': 'application/json', 'x-inngest-signature': signature };
      return fetch(url, { method: 'PUT', headers, body: JSON.stringify({ url }) });
    },
    close: async () => {
      await site.kill();
      await Promise.all([inngest.close(), sandbox.stop(), database.close()]);
    },
  };
}

/** @param variables environment variables of the site, which inherits only PATH */
export function createSiteProcess(port: number, variables: Readonly<Record<string, string>>): SiteProcess {
  const url = `http://127.0.0.1:${port}`;
  // Vitest sets variables that the site reads, so the site does not inherit the environment of Vitest.
  const env = { PATH: process.env['PATH'], NODE_ENV: 'production', BASE_URL: url, ...variables };
  let child: ChildProcess | null = null;
  return {
    url,
    pid: () => child?.pid,
    start: async () => {
      child = spawn(process.execPath, [SERVER, '--port', String(port), '--address', '127.0.0.1'], {
        cwd: WEB,
        env,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      await waitForSite(`${url}/api/health`, child);
    },
    kill: async () => {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
    readPeakMemory: () => {
      if (process.platform !== 'linux' || child === null) return null;
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return 1024 * Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]);
    },
  };
}

async function waitForSite(health: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    const response = await fetch(health).catch(() => null);
    if (response?.ok === true) return;
    await sleep(50);
  }
  throw new Error('The site did not start. Build it first: npm run build');
}
