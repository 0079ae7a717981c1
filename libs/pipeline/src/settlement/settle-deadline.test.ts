import { createProviders } from '@touchstone/chain';
import {
  toTestAddress,
  BLOCK_SECONDS,
  createFakeChain,
  GENESIS_SECONDS,
  serveRpc,
} from '@touchstone/chain/testing';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { connect, type Db } from '@touchstone/store';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reconcileChain } from '../payments/reconcile.ts';
import type { ChainSource } from '../chain-source.ts';
import { settleBatch } from './settle.ts';

const BASE = 'eip155:8453';
const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
const HEAD = 50_000;
const NOW = (GENESIS_SECONDS + HEAD * BLOCK_SECONDS) * 1000;
/** Deadline of a step, in milliseconds. */
const DEADLINE_MS = 240_000;
const [seller, payer] = [toTestAddress(1), toTestAddress(50)];

const keys = createKeys();
let database: EmbeddedDatabase;
let db: Db;
let rpc: Awaited<ReturnType<typeof serveRpc>>;
let chain: ChainSource;
/** Delay of each response, and time since the start of the batch, in milliseconds of a simulated clock. */
let [delayMs, elapsedMs] = [0, 0];
/** Aborts the batch at its deadline. */
let deadline = new AbortController();

beforeAll(async () => {
  database = await startMigrated({ keys });
  db = connect({ url: database.url, key: keys.secret });
  const blocks = createFakeChain({ head: HEAD });
  for (let block = 500; block < HEAD; block += 1_000)
    blocks.add({ block, from: payer, to: seller, amount: 1_000n, signed: true });
  rpc = await serveRpc(blocks, ({ method }) => {
    elapsedMs += delayMs;
    if (elapsedMs >= DEADLINE_MS) deadline.abort();
    // No nonce is used, so no payment was made.
    return method === 'eth_call' ? `0x${'0'.repeat(64)}` : undefined;
  });
  const settings = { fetch: globalThis.fetch, sleep: () => Promise.resolve(), now: () => NOW };
  chain = {
    providers: createProviders({ network: BASE, urls: [rpc.url], ...settings, timeoutMs: 30_000 }),
    confirmations: 0,
  };
  const host = 'seller.example.com';
  const endpoint = { id: 'selleraaaa', resource: `https://${host}/`, slug: 'seller', templated: false };
  const listing = { host, first_seen_at: new Date(NOW).toISOString() };
  await db
    .from('endpoints')
    .insert({ ...endpoint, ...listing })
    .throwOnError();
  const wallet = { network: BASE, pay_to: seller, host, endpoint_id: endpoint.id, challenged: true };
  await db.from('endpoint_wallets').insert(wallet).throwOnError();
});
afterAll(async () => {
  await rpc.close();
  await database.close();
});

/** Starts a batch whose provider delays each response. Returns the signal of the deadline of the batch. */
function startBatch(responseDelayMs: number): AbortSignal {
  deadline = new AbortController();
  [delayMs, elapsedMs] = [responseDelayMs, 0];
  return deadline.signal;
}

it('ends a batch of settlements at its deadline, and later batches continue after the stored steps', async () => {
  const responseDelayMs = 4_000;
  let [recorded, late] = [0, 0];
  for (let isCaughtUp = false; !isCaughtUp;) {
    const signal = startBatch(responseDelayMs);
    const batch = await settleBatch({ db, now: () => NOW, signal }, chain);
    expect(batch).not.toHaveProperty('unreadable');
    if ('unreadable' in batch) return;
    expect(batch.steps).toBeGreaterThan(0);
    // The requests of one batch end together: one for the block of each of the nine payments in a step.
    expect(elapsedMs).toBeLessThan(DEADLINE_MS + 10 * responseDelayMs);
    expect(batch.isLate).toBe(batch.caughtUp ? undefined : true);
    recorded += batch.recorded;
    late += batch.isLate === true ? 1 : 0;
    isCaughtUp = batch.caughtUp;
  }
  expect(late).toBeGreaterThan(0);
  expect(recorded).toBe(HEAD / 1_000);
});

it('reports a network as unreadable when not even one step ends before the deadline', async () => {
  const signal = startBatch(DEADLINE_MS);
  const { data: before } = await db.from('chain_cursors').select('next_block, anchors, revision');
  const batch = await settleBatch({ db, now: () => NOW, signal }, chain);
  expect(batch).toEqual({
    network: BASE,
    unreadable: expect.stringContaining('reached its time limit') as string,
  });
  expect((await db.from('chain_cursors').select('next_block, anchors, revision')).data).toEqual(before);
});

it('ends a reconciliation at its deadline, and later runs compare the remaining payments', async () => {
  const [network, past] = [BASE, new Date(NOW - 3_600_000).toISOString()];
  const payments = Array.from({ length: 100 }, (_, index) => ({
    ...{ network, asset: USDC, payer, nonce: `0x${String(index).padStart(64, '0')}`, pay_to: seller },
    ...{
      route: 'trust',
      request_hash: 'hash',
      payment_hash: String(index),
      resource: 'https://one.example.com/',
    },
    ...{ amount: 1, valid_before: past, state: 'settling', owner: 'one', lease_until: past, result: '{}' },
    created_at: past,
  }));
  await db.from('payments').insert(payments).throwOnError();
  let failed = 0;
  const runs: number[] = [];
  while (failed < payments.length) {
    // The state of a payment is read with three calls, which take four seconds together.
    const signal = startBatch(4_000 / 3);
    const counts = await reconcileChain({ db, now: () => NOW, signal }, chain);
    expect(elapsedMs).toBeLessThan(DEADLINE_MS + 4_000);
    expect(counts.failed).toBeGreaterThan(0);
    failed += counts.failed;
    expect(counts.open).toBe(payments.length - failed);
    runs.push(counts.failed);
  }
  expect(runs).toHaveLength(2);
  const { data } = await db.from('payments').select('state').neq('state', 'failed');
  expect(data).toEqual([]);
});
