import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { EmbeddedKeys } from '@touchstone/embedded';
import { stopProcess } from '../processes.ts';

const WEB = fileURLToPath(new URL('../../../apps/web', import.meta.url));
const WEB_SERVER = fileURLToPath(new URL('../../../apps/web/src/server/main.ts', import.meta.url));
const START_MS = 30_000;
const INTERNAL_TOKEN = 'token-of-the-benchmark-of-pages';

export interface Site {
  readonly url: string;
  readonly pid: number | undefined;
  /** Expires the cached pages with these tags, at most 128. */
  revalidate(tags: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the built site with the database at `databaseUrl`, and waits until it responds. */
export async function startSite(databaseUrl: string, keys: EmbeddedKeys, port: number): Promise<Site> {
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, [WEB_SERVER, '--port', String(port)], {
    cwd: WEB,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      BASE_URL: url,
      SUPABASE_URL: databaseUrl,
      SUPABASE_PUBLISHABLE_KEY: keys.publishable,
      SUPABASE_SECRET_KEY: keys.secret,
      INTERNAL_TOKEN,
      EMBEDDER: 'none',
      // The benchmark names a client in `X-Forwarded-For`, and the server appends the address of the connection.
      TRUSTED_PROXIES: '2',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const deadline = performance.now() + START_MS;
  while (!(await fetch(`${url}/api/health`).catch(() => null))?.ok) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stopProcess(child);
      throw new Error('The site did not start. Build it first: npm run build');
    }
    await sleep(100);
  }
  return {
    url,
    pid: child.pid,
    revalidate: async (tags) => {
      const response = await fetch(`${url}/api/internal/revalidate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${INTERNAL_TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify({ tags }),
      });
      if (!response.ok) throw new Error(`The revalidation failed with status ${response.status}.`);
    },
    stop: () => stopProcess(child),
  };
}
