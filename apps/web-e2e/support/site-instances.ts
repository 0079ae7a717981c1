import { fork, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { findFreePort } from './service.ts';

const WEB = fileURLToPath(new URL('../../web/', import.meta.url));
const DATABASE = fileURLToPath(new URL('../../../libs/embedded/src/main.ts', import.meta.url));
const NEXT = createRequire(`${WEB}package.json`).resolve('next/dist/bin/next');
const WEB_SERVER = `${WEB}src/serving/main.ts`;
const readySchema = z.object({ url: z.string() });

export interface SiteInstances {
  /** Base URL of each instance. */
  readonly urls: readonly string[];
  /** Sends a request to the database API with the secret key. */
  fetchData(path: string, init: { readonly method: string; readonly body: object }): Promise<void>;
  /** Expires the pages with a cache tag in one instance. */
  expire(url: string, tag: string): Promise<void>;
  /** Kills the database, so that requests fail. */
  stopDatabase(): Promise<void>;
  /** Returns what the instance has written to its log. */
  readLog(url: string): string;
  stop(): Promise<void>;
}

/**
 * Starts an empty database in a folder, and `count` processes of the built site that share the database. The first
 * process is `next start`. The other processes are the web server of the service. This web server also has a memory of
 * responses.
 */
export async function startSiteInstances(dataDir: string, count: number): Promise<SiteInstances> {
  const createKey = (kind: string) => `sb_${kind}_${randomBytes(24).toString('base64url')}`;
  const [publishable, secret, token] = [createKey('publishable'), createKey('secret'), createKey('internal')];
  const children: ChildProcess[] = [];
  const database = fork(DATABASE, {
    env: {
      ...process.env,
      ...{ EMBEDDED_DATA_DIR: dataDir, EMBEDDED_PUBLISHABLE_KEY: publishable, EMBEDDED_SECRET_KEY: secret },
    },
  });
  children.push(database);
  // A failed test does not stop its processes. When its test worker exits, the processes must exit too.
  const kill = (): void => children.forEach((child) => child.kill('SIGKILL'));
  process.once('exit', kill);
  const { url: databaseUrl } = readySchema.parse((await once(database, 'message'))[0]);
  /** Log of each instance by its base URL. */
  const logs = new Map<string, string>();
  for (let number = 0; number < count; number += 1) {
    const port = String(await findFreePort());
    const variables = {
      ...{ NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', BASE_URL: `http://localhost:${port}` },
      ...{ SUPABASE_URL: databaseUrl, SUPABASE_PUBLISHABLE_KEY: publishable, SUPABASE_SECRET_KEY: secret },
      ...{ INTERNAL_TOKEN: token, SITE_INSTANCES: String(count), EMBEDDER: 'none' },
    };
    const env = { ...process.env, ...variables };
    // By default, Next closes a connection that is idle for five seconds. The test may send a request at that moment.
    const command = number === 0 ? [NEXT, 'start', '--keepAliveTimeout', '65000'] : [WEB_SERVER];
    const stdio = ['ignore', 'inherit', 'pipe'] as const;
    const site = spawn(process.execPath, [...command, '--port', port], { cwd: WEB, env, stdio: [...stdio] });
    children.push(site);
    const url = variables.BASE_URL;
    logs.set(url, '');
    site.stderr.setEncoding('utf8').on('data', (text: string) => {
      process.stderr.write(text);
      logs.set(url, `${logs.get(url) ?? ''}${text}`);
    });
  }
  return {
    urls: [...logs.keys()],
    fetchData: async (path, { method, body }) => {
      const headers = {
        apikey: secret,
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
      };
      const init = { method, headers, body: JSON.stringify(body) };
      const response = await fetch(`${databaseUrl}/rest/v1/${path}`, init);
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    },
    expire: async (url, tag) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify({ tags: [tag] }) };
      const response = await fetch(`${url}/api/internal/revalidate`, init);
      if (!response.ok) throw new Error(`The site responded with ${response.status}.`);
    },
    stopDatabase: async () => {
      const ended = once(database, 'exit');
      database.kill('SIGKILL');
      await ended;
    },
    readLog: (url) => logs.get(url) ?? '',
    stop: async () => {
      process.off('exit', kill);
      const running = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
      const ended = running.map((child) => once(child, 'exit'));
      for (const child of running) child.kill('SIGTERM');
      await Promise.all(ended);
    },
  };
}
