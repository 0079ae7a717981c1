import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MINUTE_MS } from '@touchstone/common';
import type { WatchCreated } from '@touchstone/contract';
import { createKeys } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import {
  createHostRateLimiter,
  createReportContext,
  JOBS,
  readWatchEvents,
  type PipelineContext,
  type WatchContext,
} from '@touchstone/pipeline';
import { createCipher } from '@touchstone/watch';
import { z } from 'zod';
import { openDataFolder } from '../../data-folder/data-folder.ts';
import { Supervisor } from '../../processes/supervisor.ts';
import { createSandboxContext } from '../sandbox-context.ts';
import { startSandbox, type Sandbox } from '../start-sandbox.ts';
import { createBuyer, readSellerBalance } from './buyer.ts';
import { createSandboxRequests } from './sandbox-requests.ts';

const BASE_URL = 'http://localhost:3000';
/** Interval of the probes of a watched endpoint, in milliseconds. */
const PROBE_INTERVAL_MS = 5 * MINUTE_MS;
/** Interval of the readings of the sandbox's directory, in milliseconds. */
const DISCOVERY_INTERVAL_MS = 5 * MINUTE_MS;
/** Time after a missed probe by which its recheck is due, in milliseconds. */
const RECHECK_MS = 50_000;

/** Base Sepolia. The other tests of purchases sell on Base. */
const NETWORK = 'eip155:84532';

const noteSchema = z.object({ controlUrl: z.url(), demoWalletKeyFile: z.string() });

/** Starts a sandbox process and a database. */
async function startBackends() {
  const path = mkdtempSync(join(tmpdir(), 'touchstone-watches-'));
  const folder = openDataFolder(path);
  const keys = createKeys();
  const settings = { seed: 'touchstone', days: 0, listings: null, network: NETWORK } as const;
  const config = { sandbox: settings, baseUrl: BASE_URL };
  const supervisor = new Supervisor({ logDir: join(path, 'logs'), print: () => undefined });
  const starting = startSandbox({ folder, config, supervisor });
  const [database, sandbox] = await Promise.all([startMigrated({ keys }), starting]);
  return {
    sandbox,
    database: { url: database.url, secret: keys.secret },
    sandboxFile: join(path, 'sandbox.json'),
    ...noteSchema.parse(JSON.parse(readFileSync(join(path, 'sandbox.json'), 'utf8'))),
    close: async (): Promise<void> => {
      await supervisor.stop();
      await database.close();
      folder.release();
      rmSync(path, { recursive: true, force: true });
    },
  };
}

interface ContextOptions {
  readonly sandbox: Sandbox;
  readonly database: { readonly url: string; readonly secret: string };
  /** Host name of the endpoints that are probed. */
  readonly host: string;
  readonly now: () => number;
}

/** Creates the context of the service, with another clock and without limits of the rate. */
function createContexts({ sandbox, database, host, now }: ContextOptions) {
  const context: PipelineContext = {
    ...createSandboxContext({
      sandbox,
      baseUrl: BASE_URL,
      database,
      cipher: createCipher([randomBytes(32).toString('base64url')]),
      owner: 'test',
      embedder: null,
      onChanged: () => Promise.resolve(),
    }),
    hostSuffix: host,
    rateLimiter: createHostRateLimiter({ perHostPerSecond: 1_000 }),
    now,
  };
  const { db, watches } = context;
  if (!watches) throw new Error('the context of the sandbox delivers no messages of watches');
  const watchContext: WatchContext = { ...watches, db, now };
  return { context, watchContext };
}

/** Creates functions that advance the clock and run jobs of the service. */
function createJobRunner(
  context: PipelineContext,
  setOffset: (change: (offsetMs: number) => number) => void,
) {
  const advance = (ms: number): void => setOffset((offsetMs) => offsetMs + ms);
  const run = async (id: string): Promise<object> => {
    const job = JOBS.find((each) => each.id === id);
    if (!job) throw new Error(`there is no job ${id}`);
    return job.run(context);
  };
  return {
    advance,
    run,
    /** Makes the first observations of the endpoints. The clock shows the real time afterwards. */
    observeFirst: async (): Promise<void> => {
      setOffset(() => -60 * MINUTE_MS);
      await run('discover');
      setOffset(() => 0);
      await run('probe');
    },
    /** Advances the clock to the next probe of the watched endpoint. Probes it, and rechecks it after a miss. */
    observe: async (): Promise<void> => {
      advance(PROBE_INTERVAL_MS);
      await run('probe');
      advance(RECHECK_MS);
      await run('recheck');
    },
    /** Advances the clock to the next reading of the directory, and reads it. */
    discover: async (): Promise<void> => {
      advance(DISCOVERY_INTERVAL_MS);
      await run('discover');
    },
  };
}

/**
 * Starts a real sandbox process and a real database, with the context of the service. Its clock can be advanced, while
 * the sandbox and the chain keep the real time. Only endpoints of one host are probed.
 */
export async function openWatchSandbox({ host }: Pick<ContextOptions, 'host'>) {
  const { sandbox, database, sandboxFile, controlUrl, demoWalletKeyFile, close } = await startBackends();
  let offsetMs = 0;
  const now = () => Date.now() + offsetMs;
  const { context, watchContext } = createContexts({ sandbox, database, host, now });
  const { chains } = context;
  const reports = await createReportContext({
    supabaseUrl: database.url,
    secretKey: database.secret,
    baseUrl: BASE_URL,
    vantage: 'EU',
    sandboxFile,
    onChanged: () => Promise.resolve(),
  });
  const buyerOptions = { context: watchContext, reports, sandbox, chains, keyFile: demoWalletKeyFile };
  return {
    sandbox,
    close,
    ...createJobRunner(context, (change) => {
      offsetMs = change(offsetMs);
    }),
    ...createSandboxRequests({ controlUrl, receiverUrl: sandbox.receiverUrl }),
    readSellerBalance: () => readSellerBalance(sandbox),
    db: context.db,
    /** Functions that buy; null without a chain. */
    buyer: sandbox.chains && createBuyer(buyerOptions),
    /** Reads all events of a watch. */
    poll: async ({ watch_id: id, secret }: WatchCreated) => {
      const read = await readWatchEvents(watchContext, { id, secret });
      if (read.kind === 'problem') throw new Error(read.detail);
      return read.body;
    },
  };
}

export type WatchSandbox = Awaited<ReturnType<typeof openWatchSandbox>>;
