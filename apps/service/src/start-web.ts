import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startChild, type Child } from './child.ts';
import { ConfigError, type ServiceConfig } from './config.ts';
import type { DataFolder } from './data-folder.ts';
import type { Variables } from './payment-variables.ts';
import { openSigningKeys } from './signing-keys.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const WEB = join(ROOT, 'apps/web');
const PRELOADS = [
  new URL('./exit-with-parent.ts', import.meta.url),
  new URL('./prepare-requests.ts', import.meta.url),
];
const START_MS = 30_000;
const require = createRequire(import.meta.url);
/** Next is a dependency of the site, not of the service. */
const webRequire = createRequire(join(WEB, 'package.json'));

/** @throws ConfigError when another program listens on the port already. */
export async function checkPort(port: number): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((free, taken) => {
      server.once('error', taken);
      server.listen(port, free);
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new ConfigError(`Port ${port} is taken: stop what listens there, or set PORT to another one`);
    }
    throw new ConfigError(`PORT=${port} cannot be used: ${message}`);
  } finally {
    await new Promise((closed) => server.close(closed));
  }
}

/** Builds the site through Nx, which restores the last build when nothing it is made from changed. */
export async function buildWeb(signal: AbortSignal): Promise<void> {
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
    throw new Error(`The site could not be built:\n${stdout}${stderr}`, { cause: error });
  }
}

export interface WebOptions {
  readonly folder: DataFolder;
  readonly config: ServiceConfig;
  readonly database: { readonly url: string; readonly publishable: string; readonly secret: string };
  /** Bearer token of the site's internal routes. */
  readonly internalToken: string;
  /** One line at the top of every page, or none. */
  readonly notice: string;
  /** How it is paid and how it probes, where that is not as the operator set it. */
  readonly variables: Variables;
}

/** Starts the built site and waits until it answers. */
export async function startWeb(options: WebOptions): Promise<Child> {
  const { folder, config, database, internalToken, notice, variables } = options;
  const child = startChild({
    name: 'web',
    args: [
      ...PRELOADS.flatMap(({ href }) => ['--import', href]),
      webRequire.resolve('next/dist/bin/next'),
      'start',
      '--port',
      String(config.port),
    ],
    env: {
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      BASE_URL: config.baseUrl,
      SUPABASE_URL: database.url,
      SUPABASE_PUBLISHABLE_KEY: database.publishable,
      SUPABASE_SECRET_KEY: database.secret,
      REPORT_SIGNING_KEYS: config.reportSigningKeys ?? openSigningKeys(folder),
      INTERNAL_TOKEN: internalToken,
      SITE_NOTICE: notice,
      // The site's own process writes down who asks, as one more proxy would (see prepare-request.ts).
      TRUSTED_PROXIES: String(config.trustedProxies + 1),
      ...variables,
    },
    logDir: join(folder.path, 'logs'),
    cwd: WEB,
  });
  const failed = child.ended.then((said) => {
    throw new Error(said || 'the site ended without a word');
  });
  failed.catch(() => undefined);
  await Promise.race([answering(`http://localhost:${config.port}/api/health`), failed]);
  return child;
}

async function answering(url: string): Promise<void> {
  const deadline = performance.now() + START_MS;
  while (performance.now() < deadline) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error(`the site did not answer within ${START_MS / 1000} seconds`);
}
