import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Settlement } from '@touchstone/x402';
import { createFakeSolana, SOLANA, toSlotTime, USDC_MINT, createWallet } from '../testing/fake-solana.ts';
import { openTestProviders, readAll } from '../testing/read-all.ts';
import { serveRpc, type Misbehaviour, type RpcServer } from '../testing/rpc-server.ts';
import { deriveTokenAccount } from './token-account.ts';

const servers: RpcServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const shop = createWallet('shop');
const FACILITATOR = '34DmdeSbEnng2bmbSj9ActckY49km2HdhiyAwyXZucqP';
let account: string;
beforeAll(async () => {
  account = (await deriveTokenAccount(shop, USDC_MINT)) ?? '';
});

type Solana = ReturnType<typeof createFakeSolana>;

async function serve(...chains: { chain: Solana; misbehave?: Misbehaviour }[]) {
  for (const { chain, misbehave } of chains) servers.push(await serveRpc(chain, misbehave));
  return openTestProviders(
    servers.map(({ url }) => url),
    SOLANA,
  ).providers;
}

/** Payments to the shop every hundred slots, the nth of n units. */
function busy(count: number): Solana {
  const chain = createFakeSolana({ head: count * 100 + 50 });
  for (let index = 1; index <= count; index += 1) {
    const payer = createWallet(`payer ${index % 5}`);
    chain.pay({
      slot: index * 100,
      payer,
      account,
      owner: shop,
      amount: BigInt(index),
      feePayer: FACILITATOR,
    });
  }
  return chain;
}
const order = { wallets: [shop, createWallet('nobody'), 'merchant'], cursor: null, since: 0 } as const;
const amounts = (settlements: readonly Settlement[]): number[] =>
  settlements.map(({ amount }) => Number(amount)).sort((a, b) => a - b);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

describe('Solana', () => {
  test('is read by token accounts, in steps, from any page size', async () => {
    const chain = busy(120);
    chain.state.page = 7;
    const { settlements, cursor, steps } = await readAll(await serve({ chain }), { ...order, maxRows: 25 });
    expect(amounts(settlements)).toEqual(upTo(120));
    expect(cursor.nextBlock).toBe(12_051n);
    expect(steps).toBe(5);
    expect(settlements[0]).toMatchObject({
      payTo: shop,
      payer: createWallet('payer 1'),
      asset: USDC_MINT,
      at: toSlotTime(100),
      kind: 'x402',
      facilitator: 'anyspend',
      blockHash: null,
    });
  });

  test('goes on where it ended, and begins no earlier than it is told to', async () => {
    const chain = busy(30);
    const providers = await serve({ chain });
    const since = toSlotTime(1_100);
    const first = await readAll(providers, { ...order, since, until: 2_000n });
    expect(amounts(first.settlements)).toEqual(upTo(20).slice(10));
    const second = await readAll(providers, { ...order, since, cursor: first.cursor });
    expect(amounts(second.settlements)).toEqual(upTo(30).slice(20));
  });

  test('tells settlements from transfers by who paid the fee, and leaves out what failed or is no USDC', async () => {
    const chain = createFakeSolana({ head: 1_000 });
    const payment = { slot: 10, payer: createWallet('ann'), account, owner: shop, amount: 5n };
    chain.pay(
      payment,
      { ...payment, slot: 11, feePayer: createWallet('sponsor') },
      { ...payment, slot: 12, payer: FACILITATOR, feePayer: FACILITATOR },
      { ...payment, slot: 13, feePayer: FACILITATOR, failed: true },
      { ...payment, slot: 14, feePayer: FACILITATOR, mint: createWallet('another mint') },
      { ...payment, slot: 15, feePayer: FACILITATOR },
    );
    const { settlements } = await readAll(await serve({ chain }), order);
    expect(settlements.map(({ blockNumber, kind }) => [Number(blockNumber), kind])).toEqual([
      [10, 'transfer'],
      [11, 'transfer'],
      [12, 'transfer'],
      [15, 'x402'],
    ]);
  });

  test.each<[string, (chain: Solana) => { chain: Solana; misbehave?: Misbehaviour }]>([
    [
      'has forgotten what was long ago',
      () => {
        const chain = busy(40);
        chain.state.first = 2_000;
        return { chain };
      },
    ],
    [
      'serves another chain',
      (chain) => ({
        chain,
        misbehave: ({ method }) => (method === 'getGenesisHash' ? createWallet('devnet') : undefined),
      }),
    ],
    [
      'does not have what it lists',
      (chain) => ({
        chain,
        misbehave: ({ method }) =>
          method === 'getTransaction' ? chain.answer(method, ['unknown']) : undefined,
      }),
    ],
    [
      'lists in no order',
      (chain) => ({
        chain,
        misbehave: ({ method, params }) => {
          const answer = method === 'getSignaturesForAddress' ? chain.answer(method, params) : undefined;
          return Array.isArray(answer) ? answer.toReversed() : undefined;
        },
      }),
    ],
  ])('is read from another provider than one that %s', async (_, make) => {
    const chain = busy(40);
    const { settlements } = await readAll(await serve(make(chain), { chain }), order);
    expect(amounts(settlements)).toEqual(upTo(40));
  });
});
