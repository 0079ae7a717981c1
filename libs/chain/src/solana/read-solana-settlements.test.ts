import { beforeAll, describe, expect, test } from 'vitest';
import type { Settlement } from '@touchstone/x402';
import { serve } from '../testing/busy-chain.ts';
import { createFakeSolana, SOLANA, toSlotTime, USDC_MINT, createWallet } from '../testing/fake-solana.ts';
import { openTestProviders, readAll } from '../testing/read-all.ts';
import type { Misbehaviour } from '../testing/rpc-server.ts';
import { deriveTokenAccount } from './read-solana-settlements.ts';

const seller = createWallet('seller');
const FACILITATOR = '34DmdeSbEnng2bmbSj9ActckY49km2HdhiyAwyXZucqP';
let account: string;
beforeAll(async () => {
  account = (await deriveTokenAccount(seller, USDC_MINT)) ?? '';
});

type Solana = ReturnType<typeof createFakeSolana>;

async function serveChains(...chains: { chain: Solana; misbehave?: Misbehaviour }[]) {
  const urls: string[] = [];
  for (const { chain, misbehave = null } of chains)
    urls.push(...(await serve(chain, misbehave)).opened.map(({ url }) => url));
  return openTestProviders(urls, SOLANA).providers;
}

/** Creates a chain with one payment to the seller in every hundredth slot. The amount of the nth payment is n units. */
function createPayments(count: number): Solana {
  const chain = createFakeSolana({ head: count * 100 + 50 });
  for (let index = 1; index <= count; index += 1) {
    const payer = createWallet(`payer ${index % 5}`);
    chain.pay({
      slot: index * 100,
      payer,
      account,
      owner: seller,
      amount: BigInt(index),
      feePayer: FACILITATOR,
    });
  }
  return chain;
}
const order = { wallets: [seller, createWallet('unpaid'), 'merchant'], cursor: null, since: 0 } as const;
const listAmounts = (settlements: readonly Settlement[]): number[] =>
  settlements.map(({ amount }) => Number(amount)).sort((a, b) => a - b);
const countTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

describe('Solana', () => {
  test('is read by token accounts, in steps, with any page size', async () => {
    const chain = createPayments(120);
    chain.state.page = 7;
    const { settlements, cursor, steps } = await readAll(await serveChains({ chain }), {
      ...order,
      maxRows: 25,
    });
    expect(listAmounts(settlements)).toEqual(countTo(120));
    expect(cursor.nextBlock).toBe(12_051n);
    expect(steps).toBe(5);
    expect(settlements[0]).toMatchObject({
      payTo: seller,
      payer: createWallet('payer 1'),
      asset: USDC_MINT,
      at: toSlotTime(100),
      kind: 'x402',
      facilitator: 'anyspend',
      blockHash: null,
    });
  });

  test('continues at the cursor, and starts at `since`', async () => {
    const chain = createPayments(30);
    const providers = await serveChains({ chain });
    const since = toSlotTime(1_100);
    const first = await readAll(providers, { ...order, since, until: 2_000n });
    expect(listAmounts(first.settlements)).toEqual(countTo(20).slice(10));
    const second = await readAll(providers, { ...order, since, cursor: first.cursor });
    expect(listAmounts(second.settlements)).toEqual(countTo(30).slice(20));
  });

  test('finds x402 payments by their fee payer, and ignores failed transactions and other tokens', async () => {
    const chain = createFakeSolana({ head: 1_000 });
    const payment = { slot: 10, payer: createWallet('ann'), account, owner: seller, amount: 5n };
    chain.pay(
      payment,
      { ...payment, slot: 11, feePayer: createWallet('sponsor') },
      { ...payment, slot: 12, payer: FACILITATOR, feePayer: FACILITATOR },
      { ...payment, slot: 13, feePayer: FACILITATOR, failed: true },
      { ...payment, slot: 14, feePayer: FACILITATOR, mint: createWallet('another mint') },
      { ...payment, slot: 15, feePayer: FACILITATOR },
    );
    const { settlements } = await readAll(await serveChains({ chain }), order);
    expect(settlements.map(({ blockNumber, kind, facilitator }) => [blockNumber, kind, facilitator])).toEqual(
      [
        [10n, 'transfer', null],
        [11n, 'transfer', 'other'],
        [12n, 'transfer', null],
        [15n, 'x402', 'anyspend'],
      ],
    );
  });

  test('finds what a wallet sent, unless other wallets sent in the same transaction', async () => {
    const chain = createFakeSolana({ head: 1_000 });
    const [ann, annAccount] = [createWallet('ann'), createWallet('tokens of ann')];
    chain.pay(
      { slot: 10, payer: ann, account, owner: seller, amount: 9n },
      { slot: 11, payer: seller, from: account, account: annAccount, owner: ann, amount: 7n },
    );
    const single = await readAll(await serveChains({ chain }), order);
    const sent = ({ kind, payer, payTo, amount }: Settlement) => [kind, payer, payTo, amount];
    expect(single.settlements.map(sent)).toEqual([
      ['transfer', ann, seller, 9n],
      ['sent', seller, ann, 7n],
    ]);
    const addSender: Misbehaviour = ({ method, params }) => {
      if (method !== 'getTransaction') return undefined;
      const one = structuredClone(chain.respond(method, params)) as {
        meta: Record<'preTokenBalances' | 'postTokenBalances', { accountIndex: number }[]>;
      };
      for (const balances of [one.meta.preTokenBalances, one.meta.postTokenBalances]) {
        const amount = balances === one.meta.preTokenBalances ? '5' : '0';
        balances.push({ ...balances[0], accountIndex: 3, uiTokenAmount: { amount } } as never);
      }
      return one;
    };
    const several = await readAll(await serveChains({ chain, misbehave: addSender }), order);
    expect(several.settlements.map(({ kind }) => kind)).toEqual(['transfer']);
  });

  test.each<[string, (chain: Solana) => { chain: Solana; misbehave?: Misbehaviour }]>([
    [
      'lacks the history',
      () => {
        const chain = createPayments(40);
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
      'does not have a transaction that it lists',
      (chain) => ({
        chain,
        misbehave: ({ method }) =>
          method === 'getTransaction' ? chain.respond(method, ['unknown']) : undefined,
      }),
    ],
    [
      'lists the same transaction on every page',
      (chain) => ({
        chain,
        misbehave: ({ method, params: [account] }) => {
          const page =
            method === 'getSignaturesForAddress' ? chain.respond(method, [account, {}]) : undefined;
          return Array.isArray(page) ? page.slice(0, 1) : undefined;
        },
      }),
    ],
    [
      'lists in the wrong order',
      (chain) => ({
        chain,
        misbehave: ({ method, params }) => {
          const page = method === 'getSignaturesForAddress' ? chain.respond(method, params) : undefined;
          return Array.isArray(page) ? page.toReversed() : undefined;
        },
      }),
    ],
  ])('is read from another provider when the first one %s', async (_, make) => {
    const chain = createPayments(40);
    const { settlements } = await readAll(await serveChains(make(chain), { chain }), order);
    expect(listAmounts(settlements)).toEqual(countTo(40));
  });
});

test('derives the same account as the official client spl-token', async () => {
  // The expected address is from the tests of spl-token, the program's official client.
  const account = await deriveTokenAccount(
    'B8UwBUUnKwCyKuGMbFKWaG7exYdDk2ozZrPg72NyVbfj',
    '7o36UsWR1JQLpZ9PE2gn9L4SQ69CNNiWAXd4Jt7rqz9Z',
  );
  expect(account).toBe('DShWnroshVbeUp28oopA3Pu7oFPDBtC1DBmPECXXAQ9n');
});

test('returns null for text that is not a Solana address', async () => {
  const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
  expect(await deriveTokenAccount('merchant', mint)).toBeNull();
  expect(await deriveTokenAccount('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', mint)).toBeNull();
});
