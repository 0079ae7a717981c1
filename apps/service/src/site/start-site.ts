import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ConfigError, type ServiceConfig } from '../config/config.ts';
import type { DataFolder } from '../data-folder/data-folder.ts';
import { openSigningKeys } from '../data-folder/keys.ts';
import type { Spawn } from '../processes/supervisor.ts';
import type { SiteVariables } from './site-variables.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const WEB = join(ROOT, 'apps/web');
/** Entry point of the web server. The service runs this file of the site in a child process and does not import it. */
const WEB_SERVER = join(WEB, 'src/serving/main.ts');
const START_TIMEOUT_MS = 120_000;
const POLL_MS = 100;
/** Maximum time for one request of the health route, in milliseconds. */
const HEALTH_TIMEOUT_MS = 2_000;
/** Time for which a stopped site finishes its requests, in milliseconds. A report with a live probe takes up to 30 s. */
const STOP_TIMEOUT_MS = 35_000;
/** Maximum number of cache tags per request of the site's internal route. */
const MAX_TAGS = 128;
/** Maximum time for one request that expires cache tags, in milliseconds. */
const REVALIDATE_TIMEOUT_MS = 10_000;
const require = createRequire(import.meta.url);

type Address = Pick<ServiceConfig, 'port' | 'listenAddress'>;

/** Returns the URL of the site for a browser on this machine. */
export function getLocalUrl({ port, listenAddress }: Address): string {
  const isOnLoopback =
    listenAddress === null || ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(listenAddress);
  if (isOnLoopback) return `http://localhost:${port}`;
  return `http://${listenAddress.includes(':') ? `[${listenAddress}]` : listenAddress}:${port}`;
}

/**
 * Returns the URL of the site for requests of the service. The URL contains an IP address instead of `localhost`,
 * because another program could listen on another address of `localhost`. That program would then receive the token of
 * the internal routes.
 */
export function getInternalUrl(address: Address): string {
  const host = address.listenAddress === '::1' ? '[::1]' : '127.0.0.1';
  return getLocalUrl(address).replace('//localhost:', `//${host}:`);
}

/** @throws ConfigError when the port is in use or cannot be opened */
export async function checkPort({ port, listenAddress }: Address): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, ...(listenAddress === null ? {} : { host: listenAddress }) }, resolve);
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new ConfigError(
        `Port ${port} is already in use. Stop the other program, or set PORT to another port.`,
      );
    }
    if (code === 'EADDRNOTAVAIL') {
      throw new ConfigError(
        `LISTEN_ADDRESS must be an address of this machine; received ${listenAddress ?? 'none'}`,
      );
    }
    throw new ConfigError(`PORT must be a port that can be opened; received ${port} (${message})`);
  } finally {
    await new Promise((closed) => server.close(closed));
  }
}

/** Builds the site with Nx, which restores the previous build from its cache when no input changed. */
export async function buildSite(signal: AbortSignal): Promise<void> {
  try {
    await promisify(execFile)(
      process.execPath,
      [require.resolve('nx/bin/nx.js'), 'build', '@touchstone/web'],
      {
        cwd: ROOT,
        signal,
        maxBuffer: 64 * 1024 * 1024,
        env: { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false', NEXT_TELEMETRY_DISABLED: '1' },
      },
    );
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`The build of the site failed:\n${stdout}${stderr}`, { cause: error });
  }
}

export interface SiteOptions {
  readonly folder: DataFolder;
  readonly config: ServiceConfig;
  readonly database: { readonly url: string; readonly publishable: string; readonly secret: string };
  /** Keys that encrypt the secrets of watches, in the format of `WATCH_ENCRYPTION_KEYS`. */
  readonly watchKeys: string;
  /** Bearer token of the site's internal routes. */
  readonly internalToken: string;
  /** Line at the top of every page; empty for no line. */
  readonly notice: string;
  /** Environment variables that override the variables of the operator. */
  readonly variables: SiteVariables;
}

/** Starts the built site and waits until its health route responds. */
export async function startSite(options: SiteOptions, spawn: Spawn): Promise<void> {
  const { folder, config, database, watchKeys, internalToken, notice, variables } = options;
  const child = spawn({
    name: 'web',
    args: [
      ...[`--max-old-space-size=${config.siteHeapMib}`, WEB_SERVER, '--port', String(config.port)],
      ...(config.listenAddress === null ? [] : ['--address', config.listenAddress]),
    ],
    env: {
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      BASE_URL: config.baseUrl,
      SUPABASE_URL: database.url,
      SUPABASE_PUBLISHABLE_KEY: database.publishable,
      SUPABASE_SECRET_KEY: database.secret,
      REPORT_SIGNING_KEYS: config.reportSigningKeys ?? openSigningKeys(folder),
      WATCH_ENCRYPTION_KEYS: watchKeys,
      INTERNAL_TOKEN: internalToken,
      SITE_NOTICE: notice,
      VANTAGE: config.vantage,
      // One proxy is added: the web server itself appends an address to X-Forwarded-For, as a proxy does.
      TRUSTED_PROXIES: String(config.trustedProxies + 1),
      ...variables,
    },
    cwd: WEB,
    stopTimeoutMs: STOP_TIMEOUT_MS,
  });
  const ended = new AbortController();
  const failed = child.ended.then((stderr) => {
    throw new Error(stderr || 'The site process exited without a message.');
  });
  failed.catch(() => ended.abort());
  await Promise.race([waitForHealth(`${getInternalUrl(config)}/api/health`, ended.signal), failed]);
}

/** Waits until the health route responds, or until `signal` is aborted. */
async function waitForHealth(url: string, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(HEALTH_TIMEOUT_MS)]);
    const response = await fetch(url, { signal: limit }).catch(() => null);
    signal.throwIfAborted();
    // Status 503 also shows that the site runs: only the database may be unavailable.
    if (response?.ok === true || response?.status === 503) return;
    await sleep(POLL_MS);
  }
  throw new Error(`The site did not respond within ${START_TIMEOUT_MS / 1000} seconds.`);
}

/**
 * Creates a function that makes the site render the pages with the given cache tags again. It sends at most 128 tags per
 * request. Tags of a failed request are sent again with the next call.
 *
 * @returns a function that throws when the site rejects a request, or does not respond within `timeoutMs`
 */
export function createRevalidator(origin: string, token: string, timeoutMs = REVALIDATE_TIMEOUT_MS) {
  const pending = new Set<string>();
  return async (changed: readonly string[]): Promise<void> => {
    for (const tag of changed) pending.add(tag);
    const tags = [...pending];
    for (let start = 0; start < tags.length; start += MAX_TAGS) {
      const part = tags.slice(start, start + MAX_TAGS);
      const response = await fetch(new URL('/api/internal/revalidate', origin), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ tags: part }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (!response.ok)
        throw new Error(`The site responded with ${response.status} to a request to revalidate pages.`);
      for (const tag of part) pending.delete(tag);
    }
  };
}
