import {
  toTestAddress,
  BLOCK_SECONDS,
  createFakeChain,
  GENESIS_SECONDS,
  serveRpc,
} from '@touchstone/chain/testing';
import { createProviders } from '@touchstone/chain';
import { readSettlementFigures } from '@touchstone/store';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { startApplication, type Application } from '../testing/inngest/inngest-application.ts';
import { useWorld } from '../testing/world.ts';

const HEAD = 20_000;
/** Maximum duration of a step, in milliseconds. A request on Vercel ends after 300,000. */
const STEP_MS = 240_000;
const now = (GENESIS_SECONDS + HEAD * BLOCK_SECONDS) * 1000;
const [BASE, POLYGON] = ['eip155:8453', 'eip155:137'];
const seller = toTestAddress(1);
const world = useWorld({ isShared: true, toStart: () => now });
let application: Application;
let rpc: Awaited<ReturnType<typeof serveRpc>>;
/**
 * Deadline of the current step; null without a deadline. The deadline is reached at the first request of the step,
 * because no provider responds.
 */
let deadline: AbortController | null = null;

/**
 * Sends a request. In a step with a deadline, the function instead aborts the deadline, and the request stays pending.
 */
const fetchBeforeDeadline: typeof fetch = (...request) => {
  if (deadline === null) return fetch(...request);
  deadline.abort();
  return new Promise(() => undefined);
};

const createTestProviders = (network: string, url: string) =>
  createProviders({
    network,
    urls: [url],
    fetch: fetchBeforeDeadline,
    sleep: async () => undefined,
    now: () => now,
    timeoutMs: 30_000,
  });

beforeAll(async () => {
  const chain = createFakeChain({ head: HEAD });
  chain.add(
    { block: 500, from: toTestAddress(50), to: seller, amount: 4_000n, signed: true },
    { block: 9_500, from: toTestAddress(51), to: seller, amount: 1_000n, signed: true },
  );
  rpc = await serveRpc(chain);
  // The RPC server reports the chain id of Base, so reading Polygon from the same server fails.
  const chains = [
    { providers: createTestProviders(POLYGON, rpc.url) },
    { providers: createTestProviders(BASE, rpc.url), confirmations: 0 },
  ];
  application = await startApplication(() => ({ ...world.context, chains }));
  expect(await application.register()).toBe(200);
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(async () => {
  await application.close();
  await rpc.close();
});

it('reads each network in separate steps, and only once when a request is delivered twice', async () => {
  const { db } = world.context;
  const endpoint = {
    id: 'selleraaaa',
    resource: 'https://seller.example.com/',
    slug: 'seller',
    templated: false,
  };
  const listing = { host: 'seller.example.com', first_seen_at: new Date(now).toISOString() };
  await db.from('endpoints').insert({ ...endpoint, ...listing });
  for (const network of [BASE, POLYGON]) {
    const wallet = {
      network,
      pay_to: seller,
      host: listing.host,
      endpoint_id: endpoint.id,
      challenged: true,
    };
    await db.from('endpoint_wallets').insert(wallet);
  }
  application.inngest.deliveries = 2;
  const run = await application.inngest.run('touchstone-settle');
  expect(run.failed).toBe(false);
  expect(run.output).toMatchObject({
    networks: [{ network: BASE, caughtUp: true }],
    unreadable: [{ network: POLYGON, unreadable: expect.any(String) as string }],
  });
  expect(JSON.stringify(run.output)).not.toContain('SECRET');
  const [set] = await readSettlementFigures(
    db,
    [[BASE, POLYGON].map((network) => ({ network, payTo: seller, isCounted: true }))],
    now,
  );
  const readFigures = (name: string) => set?.wallets.find(({ network }) => network === name)?.figures;
  expect(readFigures(BASE)).toMatchObject({ volume: 5_000n, settlements: 2, payers: 2 });
  expect(readFigures(POLYGON)).toBeNull();
}, 60_000);

it('ends each step before the time limit of the platform while no provider responds', async () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    if (ms !== STEP_MS) return timeout(ms);
    deadline = new AbortController();
    return deadline.signal;
  });
  application.inngest.deliveries = 1;
  const run = await application.inngest.run('touchstone-settle');
  expect(run).toMatchObject({ failed: false, errors: 0 });
  expect(run.output).toMatchObject({ networks: [], unreadable: [{ network: POLYGON }, { network: BASE }] });
  expect(JSON.stringify(run.output)).toContain('reached its time limit');
  vi.restoreAllMocks();
  deadline = null;
  const next = await application.inngest.run('touchstone-settle');
  expect(next.output).toMatchObject({ networks: [{ network: BASE, caughtUp: true }] });
}, 60_000);
