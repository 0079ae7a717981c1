import { randomBytes } from 'node:crypto';
import { join, relative } from 'node:path';
import type { PipelineContext } from '@touchstone/pipeline';
import { createCipher, parseWatchKeys, type Cipher } from '@touchstone/watch';
import { pino, type Logger } from 'pino';
import type { ServiceConfig } from './config/config.ts';
import { createLiveContext, createSandboxContext } from './context.ts';
import { openDataFolder, type DataFolder } from './data-folder/data-folder.ts';
import { openSandboxPurchases, openWatchKeys } from './data-folder/keys.ts';
import { OWNER, releaseOldLeases, startDatabase, type Database } from './database.ts';
import { runLive } from './live/run-live.ts';
import { Supervisor, type Print } from './processes/supervisor.ts';
import { runSandbox } from './sandbox/run-sandbox.ts';
import { startSandboxProcess, type Sandbox } from './sandbox/start-sandbox.ts';
import { openEmbedderConnection, type EmbedderConnection } from './search/embedder-connection.ts';
import {
  createLiveVariables,
  createSandboxPaymentVariables,
  formatBackupCommand,
  formatPaymentStatus,
  type SiteVariables,
} from './site/site-variables.ts';
import {
  buildSite,
  checkPort,
  createRevalidator,
  getInternalUrl,
  getLocalUrl,
  startSite,
} from './site/start-site.ts';

const SANDBOX_NOTICE =
  'Sandbox: test endpoints, no real money. Never use a real wallet here. Endpoints under *.sandbox.test are simulated on this machine. Other endpoints are recorded listings and are not probed.';

export interface Service {
  /** Rejects when the jobs fail. */
  readonly failed: Promise<never>;
  /** Stops the jobs and all child processes. The site finishes the requests that it has already received. */
  stop(): Promise<void>;
  /** Ends the site immediately while the service is being stopped. Unfinished requests get no response. */
  skipWaiting(): void;
}

/**
 * Starts all child processes and the jobs. A child process that ends later is restarted. When a part fails to start,
 * the parts that were started before are stopped.
 */
export async function startService(
  config: ServiceConfig,
  print: Print,
  signal: AbortSignal,
): Promise<Service> {
  await checkPort(config);
  const folder = openDataFolder(config.dataDir, config.live === null ? 'sandbox' : 'live');
  const supervisor = new Supervisor({ logDir: join(folder.path, 'logs'), print });
  const log = pino({}, supervisor.openLog('service'));
  try {
    const watchKeys = config.watchEncryptionKeys ?? openWatchKeys(folder);
    const opening = openEmbedderConnection(config, { supervisor, print });
    const [database, sandbox] = await startBackends({ config, folder, print, supervisor, signal });
    const search = await opening;
    signal.throwIfAborted();
    const internalToken = randomBytes(24).toString('base64url');
    const notice = sandbox === null ? (process.env['SITE_NOTICE'] ?? '') : SANDBOX_NOTICE;
    const variables = { ...createSiteVariables(config, folder, sandbox), ...search.variables };
    const site = { folder, config, database, watchKeys, internalToken, notice, variables };
    await supervisor.start({ name: 'site', start: (spawn) => startSite(site, spawn) });
    print('site', getLocalUrl(config));
    print('payments', formatPaymentStatus({ ...process.env, ...variables }));
    if (config.live !== null && config.supabase === null && process.env['X402_PAY_TO'])
      print('payments', `recorded in ${folder.path}; back up with ${formatBackupCommand(folder)}`);
    // Tests and benchmarks parse this log entry with the schema in apps/web-e2e/support/service-log.ts.
    log.info(
      {
        site: config.port,
        database: database.url,
        chains: sandbox?.chains ?? null,
        receiver: sandbox?.receiverUrl ?? null,
      },
      'All parts have started',
    );
    const onChanged = createRevalidator(getInternalUrl(config), internalToken);
    const cipher = createCipher(parseWatchKeys(watchKeys));
    const options = { config, database, sandbox, search, folder, print, log, signal, onChanged, cipher };
    const jobs = startJobs(options);
    return {
      failed: jobs.failed,
      stop: async () => {
        await jobs.stop();
        await supervisor.stop();
        folder.release();
      },
      skipWaiting: () => supervisor.skipWaiting(),
    };
  } catch (error) {
    await supervisor.stop();
    folder.release();
    throw error;
  }
}

/**
 * Creates the site's environment variables for payments and probes. They override variables that the operator has set.
 */
function createSiteVariables(
  { live }: ServiceConfig,
  folder: DataFolder,
  sandbox: Sandbox | null,
): SiteVariables {
  if (sandbox !== null) return createSandboxPaymentVariables(folder, sandbox);
  return live === null ? {} : createLiveVariables(live);
}

interface BackendOptions {
  readonly config: ServiceConfig;
  readonly folder: DataFolder;
  readonly print: Print;
  readonly supervisor: Supervisor;
  readonly signal: AbortSignal;
}

/** Starts the database and, in sandbox mode, the sandbox. Builds the site in parallel. */
async function startBackends({
  config,
  folder,
  print,
  supervisor,
  signal,
}: BackendOptions): Promise<[Database, Sandbox | null]> {
  const building = config.isSiteBuilt ? Promise.resolve() : buildSite(signal);
  building.catch(() => undefined);
  const database = config.supabase ?? (await startDatabase(folder, supervisor));
  await releaseOldLeases(config, database);
  print(
    'database',
    config.supabase ? config.supabase.url : `embedded, in ${relative('', join(folder.path, 'db'))}`,
  );
  signal.throwIfAborted();
  const sandbox = config.live === null ? await startSandboxProcess({ folder, config, supervisor }) : null;
  if (sandbox !== null) {
    const { endpoints, directoryUrl, receiverUrl, chains, chainMissing } = sandbox;
    print('sandbox', `${endpoints} endpoints under *.sandbox.test, with the directory ${directoryUrl}`);
    print('receiver', `${receiverUrl} shows the alerts of watches`);
    print('chain', chains === null ? (chainMissing ?? 'none') : formatChains(chains.rpcUrls));
  }
  await building;
  return [database, sandbox];
}

/**
 * Formats the addresses of the chains, with a warning against real wallets. Each chain has the chain id of its network,
 * so a wallet cannot distinguish a sandbox chain from the real chain.
 */
function formatChains(rpcUrls: Readonly<Record<string, string>>): string {
  const addresses = Object.entries(rpcUrls).map(([network, url]) => `${network} at ${url}`);
  return `local chains with made-up USDC: ${addresses.join(', ')}; they have the chain ids of the real networks, so never use a real wallet`;
}

interface JobOptions extends Omit<BackendOptions, 'supervisor'> {
  readonly database: Database;
  readonly sandbox: Sandbox | null;
  readonly search: EmbedderConnection;
  readonly log: Logger;
  readonly onChanged: PipelineContext['onChanged'];
  /** Cipher that encrypts the secrets of watches. */
  readonly cipher: Cipher;
}

/** Starts the jobs of the sandbox, or the jobs of live mode when there is no sandbox. */
function startJobs({ config, database, sandbox, search, onChanged, cipher, ...run }: JobOptions) {
  const { baseUrl, live } = config;
  const options = {
    ...{ baseUrl, database, owner: OWNER, embedder: search.embedder, onChanged, cipher },
    logError: (message: string) => run.log.error(message),
  };
  if (sandbox !== null) {
    const context = createSandboxContext(options, sandbox, openSandboxPurchases(run.folder));
    return runSandbox({ context, sandbox, config, ...run });
  }
  if (live === null) throw new Error('The service has neither a sandbox nor a live configuration.');
  return runLive({ context: createLiveContext(options, live), live, ...run });
}
