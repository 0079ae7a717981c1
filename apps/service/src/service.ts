import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import {
  DAY_MS,
  discover,
  JOBS,
  maintain,
  scoreChanged,
  sweep,
  type Job,
  type PipelineContext,
} from '@touchstone/pipeline';
import { createProber } from '@touchstone/probe';
import { connect, releaseLeases } from '@touchstone/store';
import { pino, type Logger } from 'pino';
import type { Child } from './child.ts';
import { ConfigError, type ServiceConfig } from './config.ts';
import { openDataFolder, type DataFolder } from './data-folder.ts';
import { discoveryReport } from './discovery-report.ts';
import { createProgressWriter, progressLine } from './progress.ts';
import { createRevalidator } from './revalidate.ts';
import { startScheduler, type Scheduler } from './scheduler.ts';
import { startDatabase } from './start-database.ts';
import { startSandbox, type Sandbox } from './start-sandbox.ts';
import { buildWeb, checkPort, startWeb } from './start-web.ts';
import { runTimeLapse } from './time-lapse.ts';

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
  const folder = openDataFolder(config.dataDir);
  const log = pino(pino.destination(join(folder.path, 'logs', 'service.log')));
  const parts = new Parts();
  try {
    const [database, sandbox] = await startBacking({ config, folder, say, parts, signal });
    signal.throwIfAborted();
    const token = randomBytes(24).toString('base64url');
    parts.add('site', await startWeb({ folder, config, database, internalToken: token }));
    say('site', `http://localhost:${config.port}`);
    const context = contextOf({ config, sandbox, database, token });
    const living = live({ context, sandbox, folder, config, say, log, signal });
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

/** Database and sandbox, while the site is built beside them. */
async function startBacking({ config, folder, say, parts, signal }: Backing): Promise<[Database, Sandbox]> {
  const building = buildWeb(signal);
  building.catch(() => undefined);
  const database = config.supabase ?? (await embedded(folder, parts));
  await releaseAbandoned(config, database);
  say(
    'database',
    config.supabase ? config.supabase.url : `embedded, in ${relative('', join(folder.path, 'db'))}`,
  );
  signal.throwIfAborted();
  const sandbox = await startSandbox(folder, config.sandbox);
  parts.add('sandbox', sandbox.child);
  say('sandbox', `${sandbox.endpoints} endpoints under *.sandbox.test, listed at ${sandbox.directoryUrl}`);
  await building;
  return [database, sandbox];
}

/** The first thing that is asked of the database, so that a wrong address or key is found before anything else. */
async function releaseAbandoned(config: ServiceConfig, database: Database): Promise<void> {
  try {
    await releaseLeases(connect({ url: database.url, key: database.secret }), OWNER);
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

interface ContextParts {
  readonly config: ServiceConfig;
  readonly sandbox: Sandbox;
  readonly database: Database;
  readonly token: string;
}

function contextOf({ config, sandbox, database, token }: ContextParts): PipelineContext {
  return {
    db: connect({ url: database.url, key: database.secret }),
    prober: createProber({
      resolver: sandbox.world.resolver,
      ca: [sandbox.ca],
      userAgent: `Touchstone/0.1 (+${config.baseUrl}/)`,
    }),
    // Its port is another one at every start; its name stays.
    directories: [{ name: 'sandbox', url: sandbox.directoryUrl }],
    fetch: globalThis.fetch,
    now: Date.now,
    hostSuffix: sandbox.world.hostSuffix,
    owner: OWNER,
    onChanged: createRevalidator(`http://localhost:${config.port}`, token),
  };
}

interface Life {
  readonly context: PipelineContext;
  readonly sandbox: Sandbox;
  readonly folder: DataFolder;
  readonly config: ServiceConfig;
  readonly say: Say;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** The past first, where it was not lived through yet, then the present. */
function live(life: Life): { failed: Promise<never>; stop: () => Promise<void> } {
  let scheduler: Scheduler | null = null;
  const living = (async () => {
    if (life.config.sandbox.days > 0 && !life.folder.state().timeLapseDone) await past(life);
    if (life.signal.aborted) return;
    scheduler = await present(life);
  })();
  const failed = new Promise<never>((_, reject) => {
    living.catch(reject);
  });
  failed.catch(() => undefined);
  return {
    failed,
    stop: async () => {
      await living.catch(() => undefined);
      await scheduler?.stop();
    },
  };
}

async function past({ context, sandbox, folder, say, signal }: Life): Promise<void> {
  const started = performance.now();
  const writer = createProgressWriter(process.stdout);
  const { livedUntil: recorded, discoveredUntil } = folder.state();
  const from = recorded === null ? sandbox.epoch : Date.parse(recorded);
  const days = Math.round((Date.now() - sandbox.epoch) / DAY_MS);
  if (days > 0) {
    say('time-lapse', `${days} days of probing on a virtual clock${recorded === null ? '' : ', resumed'}`);
  }
  let probes = 0;
  await runTimeLapse({
    context,
    world: sandbox.world,
    from,
    discoveredUntil: discoveredUntil === null ? 0 : Date.parse(discoveredUntil),
    signal,
    onDiscovered: (at) => {
      folder.save({ discoveredUntil: new Date(at).toISOString() });
    },
    onStep: (at, done) => {
      probes = done;
      folder.save({ livedUntil: new Date(at).toISOString() });
      if (signal.aborted) return;
      const tookMs = performance.now() - started;
      const progress = { from: sandbox.epoch, began: from, livedUntil: at, to: Date.now(), probes, tookMs };
      writer.draw(progressLine(progress), new Date(at).toISOString().slice(0, 10));
    },
  });
  writer.end();
  folder.save({ timeLapseDone: !signal.aborted });
  const seconds = Math.round((performance.now() - started) / 1000);
  if (probes > 0 && !signal.aborted)
    say('time-lapse', `${probes.toLocaleString('en-US')} probes recorded in ${seconds} s`);
}

async function present({ context, sandbox, folder, say, log }: Life): Promise<Scheduler> {
  await sandbox.world.setClock(null);
  const { directories } = await discover(context);
  writeFileSync(join(folder.path, 'discovery.json'), `${JSON.stringify(directories, null, 2)}\n`);
  for (const line of directories.flatMap((read) => discoveryReport(read))) say('directory', line);
  const names: Job = {
    id: 'names',
    title: 'Read the names of the sandbox',
    cron: '* * * * *',
    run: async () => {
      await sandbox.world.refresh();
      return {};
    },
  };
  // What is due first: a score without a fresh probe says how things were when the service was stopped.
  await sweep(context);
  await scoreChanged(context);
  await maintain(context);
  const scheduler = startScheduler([names, ...JOBS], context, log);
  say('schedule', `${JOBS.map((job) => job.id).join(', ')}; each endpoint is probed every 30 minutes`);
  return scheduler;
}

/** Processes of the service, stopped in the reverse order of their start. */
class Parts {
  readonly failed: Promise<never>;
  readonly #children: Child[] = [];
  #stopping = false;
  #fail: (error: Error) => void = () => undefined;

  constructor() {
    this.failed = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    this.failed.catch(() => undefined);
  }

  add(name: string, child: Child): void {
    this.#children.push(child);
    void child.ended.then((said) => {
      if (!this.#stopping) this.#fail(new Error(`The ${name} ended by itself. ${said}`.trim()));
    });
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    for (const child of this.#children.reverse()) await child.stop();
  }
}
