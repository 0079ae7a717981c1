import { createServer } from 'node:net';
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
import { connect, readSettlementFigures, type Db } from '@touchstone/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readScorableEndpoints } from '../scoring/scoring-inputs.ts';
import { settle } from './settle.ts';
import { USDC } from '../testing/generated-sellers/seller.ts';

const BASE = 'eip155:8453';
const HEAD = 20_000;
const keys = createKeys();
const [seller, second, ann, bob] = [toTestAddress(1), toTestAddress(2), toTestAddress(50), toTestAddress(51)];

let database: EmbeddedDatabase;
let db: Db;
beforeAll(async () => {
  database = await startMigrated({ keys });
  db = connect({ url: database.url, key: keys.secret });
});
afterAll(() => database.close());

/** Returns the time of a block, in milliseconds since the epoch. */
const toBlockTime = (block: number): number => (GENESIS_SECONDS + block * BLOCK_SECONDS) * 1000;

async function advertise(endpointId: string, payTo: string): Promise<void> {
  const host = `${endpointId}.example.com`;
  const at = new Date(toBlockTime(0)).toISOString();
  const endpoint = { id: endpointId, resource: `https://${host}/`, host, slug: endpointId, templated: false };
  await db.from('endpoints').upsert({ ...endpoint, first_seen_at: at });
  await db
    .from('endpoint_wallets')
    .upsert({ network: BASE, pay_to: payTo, host, endpoint_id: endpointId, challenged: true });
}

function createContext(url: string, now: number) {
  const providers = createProviders({
    network: BASE,
    urls: [url],
    fetch: globalThis.fetch,
    sleep: async () => undefined,
    now: () => now,
    timeoutMs: 30_000,
  });
  return { db, now: () => now, chains: [{ providers }] };
}

const readFigures = async (payTo: string, now: number) => {
  const [set] = await readSettlementFigures(db, [[{ network: BASE, payTo, isCounted: true }]], now);
  return set?.wallets[0]?.figures ?? null;
};

describe('settle', () => {
  it('reads settlements to advertised wallets, new wallets from 30 days ago, and removes settlements of a reorg', async () => {
    const chain = createFakeChain({ head: HEAD });
    chain.add(
      { block: 100, from: ann, to: seller, amount: 2_000n, signed: true },
      { block: 15_000, from: bob, to: seller, amount: 1_000n, signed: true },
      { block: 15_001, from: seller, to: seller, amount: 9_000n, signed: true },
      { block: 15_002, from: ann, to: seller, amount: 500_000n },
      { block: 15_003, from: seller, to: ann, amount: 500n },
      { block: 300, from: ann, to: second, amount: 7n, signed: true },
    );
    const server = await serveRpc(chain);
    const now = toBlockTime(HEAD) + 60_000;
    const context = createContext(server.url, now);
    await advertise('selleraaaa', seller);
    const first = await settle(context);
    expect(first).toMatchObject({ unreadable: [], networks: [{ recorded: 6, removed: 0, caughtUp: true }] });
    expect(await readFigures(seller, now)).toMatchObject({
      volume: 3_000n,
      settlements: 2,
      payers: 2,
      topPayerShare: 0.666666,
      self: { volume: 9_000n, settlements: 1 },
    });
    expect((await settle(context)).networks).toMatchObject([{ recorded: 0, caughtUp: true }]);

    await advertise('secondaaaa', second);
    expect((await settle(context)).networks).toMatchObject([{ recorded: 1, caughtUp: true }]);
    expect(await readFigures(second, now)).toMatchObject({ volume: 7n, payers: 1, topPayerShare: 1 });

    chain.reorg(14_000, 'other');
    chain.add({ block: 16_000, from: bob, to: seller, amount: 11n, signed: true });
    expect((await settle(context)).networks).toMatchObject([{ removed: 5, recorded: 1, caughtUp: true }]);
    expect(await readFigures(seller, now)).toMatchObject({
      volume: 2_011n,
      self: { volume: 0n },
    });
    await server.close();
  });

  it('measures no endpoint whose payTo varies, even in a batch with an endpoint that has the same wallet', async () => {
    const now = toBlockTime(HEAD) + 60_000;
    const endpointIds = ['selleraaaa', 'variesaaaa'];
    await advertise('variesaaaa', seller);
    const option = { scheme: 'exact', network: BASE, asset: USDC, payTo: seller };
    const unknown = { assetSymbol: null, decimals: null, amount: null, amountUsd: null };
    await db
      .from('endpoints')
      .update({ listed_options: [{ ...option, ...unknown }] })
      .in('id', endpointIds);
    await db.from('endpoint_states').insert(endpointIds.map((id) => ({ endpoint_id: id })));
    const terms = { version: 2, description: null, options: [] };
    const change = { kind: 'payto_change', before: terms, after: terms, variation: 'begins' };
    await db
      .from('changes')
      .insert({ ...change, endpoint_id: 'variesaaaa', at: new Date(now - 60_000).toISOString() });
    const { inputs } = await readScorableEndpoints(db, { now, endpointIds });
    expect(inputs.map(({ settlement }) => settlement.networksRead)).toEqual([1, 0]);
  });

  it('reports an unreadable network without its URL, and measures nothing', async () => {
    const closed = createServer();
    await new Promise<void>((ready) => closed.listen(0, '127.0.0.1', ready));
    const address = closed.address();
    const port = typeof address === 'object' ? address?.port : 0;
    await new Promise((done) => closed.close(done));
    const later = toBlockTime(HEAD) + 3 * 24 * 60 * 60_000;
    const { networks, unreadable } = await settle(
      createContext(`http://127.0.0.1:${port}/v2/SECRET-KEY`, later),
    );
    expect(networks).toEqual([]);
    expect(unreadable).toHaveLength(1);
    expect(unreadable[0]?.network).toBe(BASE);
    expect(unreadable[0]?.unreadable).not.toContain('SECRET');
    expect(await readFigures(seller, later)).toBeNull();
  });

  it('does nothing without a configured network', async () => {
    expect(await settle({ db, now: Date.now })).toEqual({ networks: [], unreadable: [] });
  });
});
