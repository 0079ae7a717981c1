import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MINUTE_MS } from '@touchstone/common';
import {
  findOperation,
  watchCreatedSchema,
  watchCreateInputSchema,
  type WatchCreated,
} from '@touchstone/contract';
import { createKeys } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { createFacilitator, createSeller, type PaidOperation } from '@touchstone/payment';
import { encodePayment, readChallengeHeader, sign } from '@touchstone/payment/testing';
import {
  createHostRateLimiter,
  createWatch,
  JOBS,
  readWatchEvents,
  type PipelineContext,
  type WatchContext,
} from '@touchstone/pipeline';
import { createCipher } from '@touchstone/watch';
import { createPublicClient, erc20Abi, http, isHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import { z } from 'zod';
import { openDataFolder } from '../../data-folder/data-folder.ts';
import { createSandboxContext } from '../sandbox-context.ts';
import { startSandbox, type Sandbox } from '../start-sandbox.ts';

const BASE = 'eip155:8453';
const BASE_URL = 'http://localhost:3000';
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const SELLER_WALLET = '0x5e11e45e11e45e11e45e11e45e11e45e11e45e11';
/** Interval of the probes of a watched endpoint, in milliseconds. */
const PROBE_INTERVAL_MS = 5 * MINUTE_MS;
/** Interval of the readings of the sandbox's directory, in milliseconds. */
const DISCOVERY_INTERVAL_MS = 5 * MINUTE_MS;
/** Time after a missed probe by which its recheck is due, in milliseconds. */
const RECHECK_MS = 50_000;

const deliveriesSchema = z.object({
  deliveries: z.array(
    z.object({
      id: z.int(),
      channel: z.enum(['webhook', 'slack', 'discord']),
      path: z.string(),
      status: z.int(),
      type: z.string().nullable(),
      text: z.string().nullable(),
      headers: z.record(z.string(), z.string()),
      body: z.string(),
    }),
  ),
});
export type SandboxDelivery = z.infer<typeof deliveriesSchema>['deliveries'][number];

const noteSchema = z.object({ controlUrl: z.url(), demoWalletKeyFile: z.string() });

/** A change that the control server of the sandbox can make to an endpoint. */
export type SandboxChange = 'payto' | 'price' | 'asset' | 'challenge' | 'listing' | 'outage';

/** Creates the paid operation that the site sells at `POST /v1/watch-endpoint-30d`. */
function createOperation(context: WatchContext): PaidOperation<z.infer<typeof watchCreateInputSchema>> {
  const operation = findOperation('POST', '/v1/watch-endpoint-30d');
  if (!operation) throw new Error('the contract has no operation that creates a watch');
  return {
    operation,
    input: watchCreateInputSchema,
    toResource: ({ endpoint }) => endpoint,
    cipher: context.cipher,
    work: async (request, buyer) => {
      const created = await createWatch(context, request, buyer);
      if (created.kind === 'problem') throw new Error(`${created.code}: ${created.detail}`);
      return { body: created.body };
    },
  };
}

interface BuyerOptions {
  readonly context: WatchContext;
  readonly sandbox: Sandbox;
  readonly chains: PipelineContext['chains'];
  /** File with the private key of the demo wallet. */
  readonly keyFile: string;
}

/** Returns a function that buys a watch with the demo wallet of the sandbox, on its local chain. */
function createBuyer({ context, sandbox, chains = [], keyFile }: BuyerOptions) {
  const providers = chains.find((source) => source.providers.network === BASE)?.providers;
  if (!providers || sandbox.chains === null) throw new Error(sandbox.chainMissing ?? 'there is no chain');
  const seller = createSeller({
    db: context.db,
    facilitator: createFacilitator({ url: sandbox.chains.facilitatorUrl }),
    network: BASE,
    payTo: SELLER_WALLET,
    baseUrl: BASE_URL,
    now: context.now,
    chain: providers,
  });
  const operation = createOperation(context);
  const key = readFileSync(keyFile, 'utf8').trim();
  if (!isHex(key)) throw new Error('the key of the demo wallet is not hexadecimal');
  const account = privateKeyToAccount(key);
  return async (body: object): Promise<WatchCreated> => {
    const send = (payment: Record<string, string>) =>
      seller.respond(
        new Request(`${BASE_URL}${operation.operation.path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...payment },
          body: JSON.stringify(body),
        }),
        operation,
      );
    const payload = await sign(account, readChallengeHeader(await send({})));
    const response = await send({ 'payment-signature': encodePayment(payload) });
    return watchCreatedSchema.parse(await response.json());
  };
}

/**
 * Starts a real sandbox process and a real database, with the context of the service. Its clock can be advanced, while
 * the sandbox and the chain keep the real time. Only endpoints of one host are probed.
 */
export async function openWatchSandbox({ host }: { readonly host: string }) {
  const path = mkdtempSync(join(tmpdir(), 'touchstone-watches-'));
  const folder = openDataFolder(path);
  const keys = createKeys();
  const config = { sandbox: { seed: 'touchstone', days: 0, listings: null }, baseUrl: BASE_URL };
  const [database, sandbox] = await Promise.all([startMigrated({ keys }), startSandbox(folder, config)]);
  const note = noteSchema.parse(JSON.parse(readFileSync(join(path, 'sandbox.json'), 'utf8')));
  const cipher = createCipher([randomBytes(32).toString('base64url')]);
  let offsetMs = 0;
  const now = () => Date.now() + offsetMs;
  const context: PipelineContext = {
    ...createSandboxContext({
      sandbox,
      baseUrl: BASE_URL,
      database: { url: database.url, secret: keys.secret },
      cipher,
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

  const run = async (id: string): Promise<object> => {
    const job = JOBS.find((each) => each.id === id);
    if (!job) throw new Error(`there is no job ${id}`);
    return job.run(context);
  };
  const advance = (ms: number): void => {
    offsetMs += ms;
  };
  const requestChange = async (endpoint: string, request: RequestInit): Promise<void> => {
    const url = new URL(`/changes?endpoint=${encodeURIComponent(endpoint)}`, note.controlUrl);
    const response = await fetch(url, request);
    if (!response.ok) throw new Error(await response.text());
  };

  return {
    sandbox,
    watchContext,
    run,
    advance,
    /** Makes the first observations of the endpoints. The clock shows the real time afterwards. */
    observeFirst: async (): Promise<void> => {
      offsetMs = -60 * MINUTE_MS;
      await run('discover');
      offsetMs = 0;
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
    /** Returns the USDC of the service's wallet on the chain, in atomic units. */
    readSellerBalance: () =>
      createPublicClient({ chain: base, transport: http(sandbox.chains?.rpcUrls[BASE]) }).readContract({
        address: USDC,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [SELLER_WALLET],
      }),
    buy:
      sandbox.chains &&
      createBuyer({
        context: watchContext,
        sandbox,
        chains: context.chains,
        keyFile: note.demoWalletKeyFile,
      }),
    change: (endpoint: string, change: SandboxChange): Promise<void> =>
      requestChange(endpoint, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ change }),
      }),
    restore: (endpoint: string): Promise<void> => requestChange(endpoint, { method: 'DELETE' }),
    /** Reads all events of a watch. */
    poll: async ({ watch_id: id, secret }: WatchCreated) => {
      const read = await readWatchEvents(watchContext, { id, secret });
      if (read.kind === 'problem') throw new Error(read.detail);
      return read.body;
    },
    /** Lists what the receiver of the sandbox received on a path, oldest first. */
    listDeliveries: async (pathname: string): Promise<SandboxDelivery[]> => {
      const response = await fetch(new URL('/deliveries', sandbox.receiverUrl));
      const { deliveries } = deliveriesSchema.parse(await response.json());
      return deliveries.filter(({ path: received }) => received === pathname).toReversed();
    },
    close: async (): Promise<void> => {
      await sandbox.child.stop();
      await database.close();
      folder.release();
      rmSync(path, { recursive: true, force: true });
    },
  };
}

export type WatchSandbox = Awaited<ReturnType<typeof openWatchSandbox>>;
