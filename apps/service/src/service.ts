import { randomBytes } from 'node:crypto';
import { join, relative } from 'node:path';
import { releaseAbandoned, type PipelineContext } from '@touchstone/pipeline';
import { createProber } from '@touchstone/probe';
import { connect } from '@touchstone/store';
import { pino, type Logger } from 'pino';
import { ConfigError, type ServiceConfig } from './config.ts';
import { openDataFolder, type DataFolder } from './data-folder.ts';
import { liveContext } from './live-context.ts';
import { liveOnline } from './live-life.ts';
import { liveVariables } from './live-variables.ts';
import { Parts } from './parts.ts';
import { paymentLine, sandboxPayments, type Variables } from './payment-variables.ts';
import { createRevalidator } from './revalidate.ts';
import { sandboxChains } from './sandbox-chains.ts';
import { liveInSandbox } from './sandbox-life.ts';
import { startDatabase } from './start-database.ts';
import { startSandbox, type Sandbox } from './start-sandbox.ts';
import { buildWeb, checkPort, startWeb } from './start-web.ts';

const SANDBOX_NOTICE =
  'A sandbox: endpoints of *.sandbox.test are made up and live on this machine. Others are recorded listings and are not probed.';

/** The only worker of its database: leases under this name are free again when it starts. */
const OWNER = 'one-machine';

export interface Service {
  /** Rejects when a part ends by itself. */
  readonly failed: Promise<never>;
  stop(): Promise<void>;
}

type Say = (part: string, text: string) => void;

/** Starts every part of the service on this machine; what was started is stopped again when one cannot be. */
export async function startService(config: ServiceConfig, say: Say, signal: AbortSignal): Promise<Service> {
  await checkPort(config.port);
  const folder = openDataFolder(config.dataDir, config.live === null ? 'sandbox' : 'live');
  const log = pino(pino.destination(join(folder.path, 'logs', 'service.log')));
  const parts = new Parts();
  try {
    const [database, sandbox] = await startBacking({ config, folder, say, parts, signal });
    signal.throwIfAborted();
    const token = randomBytes(24).toString('base64url');
    const notice = sandbox === null ? (process.env['SITE_NOTICE'] ?? '') : SANDBOX_NOTICE;
    const variables = variablesOf(config, folder, sandbox);
    parts.add('site', await startWeb({ folder, config, database, internalToken: token, notice, variables }));
    say('site', `http://localhost:${config.port}`);
    say('payments', paymentLine({ ...process.env, ...variables }));
    log.info(
      { site: config.port, database: database.url, chain: sandbox?.chain ?? null },
      'All parts are up',
    );
    const onChanged = createRevalidator(`http://localhost:${config.port}`, token);
    const living = begin({ config, database, sandbox, folder, say, log, signal, onChanged });
    return {
      failed: Promise.race([parts.failed, living.failed]),
      stop: async () => {
        await living.stop();
        await parts.stop();
        folder.release();
      },
    };
  } catch (error) {
    await parts.stop();
    folder.release();
    throw error;
  }
}

/** What the site is told of how it is paid and how it probes. */
function variablesOf({ live }: ServiceConfig, folder: DataFolder, sandbox: Sandbox | null): Variables {
  if (sandbox !== null) return sandboxPayments(folder, sandbox);
  return live === null ? {} : liveVariables(live);
}

interface Backing {
  readonly config: ServiceConfig;
  readonly folder: DataFolder;
  readonly say: Say;
  readonly parts: Parts;
  readonly signal: AbortSignal;
}

interface Database {
  readonly url: string;
  readonly secret: string;
  readonly publishable: string;
}

/** Database and, unless it is the real world, the sandbox, while the site is built beside them. */
async function startBacking({
  config,
  folder,
  say,
  parts,
  signal,
}: Backing): Promise<[Database, Sandbox | null]> {
  const building = buildWeb(signal);
  building.catch(() => undefined);
  const database = config.supabase ?? (await embedded(folder, parts));
  await releaseFormer(config, database);
  say(
    'database',
    config.supabase ? config.supabase.url : `embedded, in ${relative('', join(folder.path, 'db'))}`,
  );
  signal.throwIfAborted();
  const sandbox = config.live === null ? await startSandbox(folder, config) : null;
  if (sandbox !== null) {
    parts.add('sandbox', sandbox.child);
    say('sandbox', `${sandbox.endpoints} endpoints under *.sandbox.test, listed at ${sandbox.directoryUrl}`);
    say('chain', sandbox.chain === null ? (sandbox.chainMissing ?? 'none') : chainLine(sandbox.chain.rpcUrl));
  }
  await building;
  return [database, sandbox];
}

/** A wallet tells chains apart by their ids, and this one has Base's. */
const chainLine = (rpcUrl: string): string =>
  `made-up dollars at ${rpcUrl}, with the chain id of Base (8453): never use a real wallet with it`;

/** The first thing that is asked of the database, so that a wrong address or key is found before anything else. */
async function releaseFormer(config: ServiceConfig, database: Database): Promise<void> {
  try {
    const db = connect({ url: database.url, key: database.secret });
    await releaseAbandoned({ db, owner: OWNER });
  } catch (error) {
    if (!config.supabase) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`SUPABASE_URL=${config.supabase.url} cannot be used: ${reason}`);
  }
}

async function embedded(folder: DataFolder, parts: Parts): Promise<Database> {
  const { child, url } = await startDatabase(folder);
  parts.add('database', child);
  return { url, ...folder.keys };
}

interface Beginning {
  readonly config: ServiceConfig;
  readonly database: Database;
  readonly sandbox: Sandbox | null;
  readonly folder: DataFolder;
  readonly say: Say;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly onChanged: PipelineContext['onChanged'];
}

/** The work itself: on the real world where there is no sandbox. */
function begin({ config, database, sandbox, onChanged, ...rest }: Beginning) {
  if (sandbox !== null) {
    const context = contextOf({ config, sandbox, database, onChanged });
    return liveInSandbox({ context, sandbox, config, ...rest });
  }
  const { live } = config;
  if (live === null) throw new Error('there is neither a sandbox nor a configuration of the real world');
  const context = liveContext({ live, database, owner: OWNER, onChanged });
  return liveOnline({ context, live, ...rest });
}

interface ContextParts {
  readonly config: ServiceConfig;
  readonly sandbox: Sandbox;
  readonly database: Database;
  readonly onChanged: PipelineContext['onChanged'];
}

function contextOf({ config, sandbox, database, onChanged }: ContextParts): PipelineContext {
  return {
    db: connect({ url: database.url, key: database.secret }),
    prober: createProber({
      resolver: sandbox.world.resolver,
      ca: [sandbox.ca],
      userAgent: `Touchstone/0.1 (+${config.baseUrl}/)`,
    }),
    // Its port is another one at every start; its name stays.
    directories: [{ name: 'sandbox', url: sandbox.directoryUrl }],
    chains: sandboxChains(sandbox),
    fetch: globalThis.fetch,
    now: Date.now,
    hostSuffix: sandbox.world.hostSuffix,
    owner: OWNER,
    onChanged,
  };
}
