import { numberToHex, pad } from 'viem';
import { afterEach, describe, expect, test } from 'vitest';
import { readSettlements } from './index.ts';
import {
  createBusyChain,
  closeServers,
  listExpected,
  formatSettlements,
  HEAD,
  ORDER,
  serve,
} from './testing/busy-chain.ts';
import {
  toTestAddress,
  BLOCK_SECONDS,
  createFakeChain,
  GENESIS_SECONDS,
  type FakeLog,
} from './testing/fake-chain.ts';
import { TRANSFER_TOPIC } from './evm/events.ts';
import { openTestProviders, readAll } from './testing/read-all.ts';

afterEach(closeServers);

describe('a chain', () => {
  test('is read from its beginning to its head, once, with the time of every block', async () => {
    const chain = createBusyChain();
    const { providers, opened } = await serve(chain, null);
    const { settlements, cursor } = await readAll(providers, ORDER);
    expect(formatSettlements(settlements)).toEqual(listExpected(chain));
    expect(cursor).toMatchObject({ fromBlock: 0n, nextBlock: BigInt(HEAD + 1) });
    for (const { at, blockNumber } of settlements) {
      expect(at).toBe((GENESIS_SECONDS + Number(blockNumber) * BLOCK_SECONDS) * 1_000);
    }
    // Forty wallets are one question for each range, not forty.
    expect(opened[0]?.calls.filter(({ method }) => method === 'eth_getLogs').length).toBeLessThan(10);
  });

  test('is read from a time on, and no further than the confirmed blocks or the block that is given', async () => {
    const chain = createBusyChain();
    const { providers } = await serve(chain, null);
    const since = (GENESIS_SECONDS + 1_001 * BLOCK_SECONDS) * 1_000 - 1;
    const { cursor, settlements } = await readAll(providers, { ...ORDER, since, confirmations: 12 });
    expect(cursor).toMatchObject({ fromBlock: 1_001n, nextBlock: BigInt(HEAD - 11) });
    expect(settlements.map(({ blockNumber }) => Number(blockNumber)).sort((a, b) => a - b)[0]).toBe(1_010);
    const part = await readAll(providers, { ...ORDER, since, until: 2_000n });
    expect(part.cursor.nextBlock).toBe(2_001n);
  });

  test('gives each step what a step may hold, and skips nothing', async () => {
    const chain = createBusyChain();
    const { providers } = await serve(chain, null);
    const { settlements, steps } = await readAll(providers, { ...ORDER, maxRows: 10 });
    expect(formatSettlements(settlements)).toEqual(listExpected(chain));
    expect(steps).toBeGreaterThan(25);
  });

  test('is asked for 900 wallets at once, and for none that burn what they get', async () => {
    const chain = createBusyChain();
    const { providers, opened } = await serve(chain, null);
    const burns = [
      `0x${'0'.repeat(40)}`,
      `0x${'0'.repeat(36)}dEaD`,
      '0xdead000000000000000000000000000000000000',
    ];
    const many = Array.from({ length: 2_000 }, (_, i) => toTestAddress(i));
    const wallets = [...many.map((wallet) => wallet.toUpperCase().replace('0X', '0x')), ...burns, 'merchant'];
    await readSettlements({ ...ORDER, network: 'eip155:8453', wallets, providers });
    const asked = (opened[0]?.calls ?? [])
      .filter(({ method }) => method === 'eth_getLogs')
      .map(({ params }) => new Set((params[0] as { topics: string[][] }).topics[2]))
      .filter((topics) => topics.size > 0);
    expect(asked.map(({ size }) => size).every((size) => size < 1_000)).toBe(true);
    const counts = asked.map((topics) => many.filter((wallet) => topics.has(pad(wallet))).length);
    // Payees by whom the provider is tested are asked for besides.
    expect(counts.map((count) => Math.floor(count / 10) * 10)).toEqual([900, 900, 200]);
    for (const burn of burns)
      for (const topics of asked) expect(topics.has(`0x${burn.slice(2).padStart(64, '0')}`)).toBe(false);
  });

  test('names who sent what was not signed, and takes a facilitator that pulled it for a settlement', async () => {
    const chain = createFakeChain({ head: 20 });
    const facilitator = '0x179761d9eed0f0d1599330cc94b0926e68ae87f1';
    chain.add({ block: 5, from: toTestAddress(50), to: toTestAddress(1), amount: 5n });
    chain.add({ block: 6, from: facilitator, to: toTestAddress(1), amount: 6n });
    chain.add({ block: 7, from: toTestAddress(50), to: toTestAddress(1), amount: 7n, signed: true });
    const { providers } = await serve(chain, ({ method, params }) =>
      method === 'eth_getTransactionByHash' ? { hash: params[0], from: facilitator } : undefined,
    );
    const of = async (identify: 'none' | 'plain' | 'all') =>
      (await readAll(providers, { ...ORDER, senderLookup: identify })).settlements.map(
        ({ kind, facilitator: by }) => [kind, by],
      );
    expect(await of('none')).toEqual([
      ['transfer', null],
      ['transfer', null],
      ['x402', null],
    ]);
    expect(await of('plain')).toEqual([
      ['x402', 'anyspend'],
      ['transfer', null],
      ['x402', null],
    ]);
    expect(await of('all')).toEqual([
      ['x402', 'anyspend'],
      ['transfer', null],
      ['x402', 'anyspend'],
    ]);
  });
});

/** True for a question for more than one block. */
function wide(params: readonly unknown[]): boolean {
  const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
  return fromBlock !== toBlock;
}

describe('a settlement', () => {
  test('is what an authorization made, not what its payer sent by hand in the same transaction', async () => {
    const chain = createFakeChain({ head: 40 });
    const [ann, bob, shop, stranger] = [50, 51, 1, 900].map(toTestAddress);
    if (!ann || !bob || !shop || !stranger) throw new TypeError('addresses are missing');
    const one = { block: 30, batch: 'one' };
    chain.add(
      { ...one, from: ann, to: stranger, amount: 1n, signed: true },
      { ...one, from: bob, to: shop, amount: 2n },
      { ...one, from: ann, to: shop, amount: 3n },
      { ...one, from: bob, to: shop, amount: 4n, signed: true },
    );
    const { providers } = await serve(chain, null);
    const { settlements } = await readAll(providers, ORDER);
    expect(settlements.map(({ amount, kind }) => [amount, kind])).toEqual([
      [2n, 'transfer'],
      [3n, 'transfer'],
      [4n, 'x402'],
    ]);
  });

  test('is known by its receipt where a token writes another log between the two', async () => {
    const chain = createFakeChain({ head: 40 });
    chain.add({ block: 30, from: toTestAddress(50), to: toTestAddress(1), amount: 5n, signed: true });
    const later = (log: FakeLog): FakeLog =>
      log.topics[0] === TRANSFER_TOPIC ? { ...log, logIndex: numberToHex(Number(log.logIndex) + 1) } : log;
    const { providers } = await serve(chain, ({ method, params }) => {
      if (method === 'eth_getLogs') return (chain.answer(method, params) as FakeLog[]).map(later);
      if (method !== 'eth_getTransactionReceipt') return undefined;
      const receipt = chain.answer(method, params) as { logs: FakeLog[] };
      return { ...receipt, logs: receipt.logs.map(later) };
    });
    expect((await readAll(providers, ORDER)).settlements).toMatchObject([{ amount: 5n, kind: 'x402' }]);
  });
});

describe('a re-org', () => {
  test('takes back what was read of the replaced blocks, and reads what replaced them', async () => {
    const chain = createBusyChain();
    const { providers } = await serve(chain, null);
    const first = await readAll(providers, { ...ORDER, maxSpan: 100 });
    chain.reorg(2_950, 'other');
    chain.add({ block: 2_960, from: toTestAddress(52), to: toTestAddress(4), amount: 77n, signed: true });
    chain.state.head = HEAD + 5;
    const second = await readAll(providers, { ...ORDER, maxSpan: 100, cursor: first.cursor }, first.kept);
    expect(formatSettlements(second.settlements)).toEqual(listExpected(chain));
    // A step of 100 blocks ended there: no more than that is read again.
    expect(second.removals).toEqual([2_900n]);
  });

  test('is noticed however deep it is', async () => {
    const chain = createBusyChain();
    const { providers } = await serve(chain, null);
    const first = await readAll(providers, { ...ORDER, maxSpan: 100 });
    chain.reorg(0, 'from the beginning');
    const second = await readAll(providers, { ...ORDER, maxSpan: 100, cursor: first.cursor }, first.kept);
    expect(second.removals).toEqual([0n]);
    expect(second.settlements).toEqual([]);
  });

  test('is not believed of one provider that another one contradicts', async () => {
    const chain = createBusyChain();
    const liar = createBusyChain();
    liar.reorg(100, 'a lie');
    const { opened: lies } = await serve(liar, null);
    const { opened: truth, providers: honest } = await serve(chain, null);
    const { cursor, kept } = await readAll(honest, ORDER);
    const both = openTestProviders([...lies, ...truth].map(({ url }) => url)).providers;
    const again = await readAll(both, { ...ORDER, cursor }, kept);
    expect(again.removals).toEqual([]);
    expect(formatSettlements(again.settlements)).toEqual(listExpected(chain));
  });

  test('is not concluded from a provider that lags: it is left until it has caught up', async () => {
    const chain = createBusyChain();
    const { providers } = await serve(chain, null);
    const { cursor } = await readAll(providers, ORDER);
    chain.state.head = HEAD - 500;
    await expect(readAll(providers, { ...ORDER, cursor })).rejects.toThrow('is behind what was read already');
  });

  test('in the middle of a step voids the step', async () => {
    const chain = createBusyChain();
    let done = false;
    const { providers } = await serve(chain, ({ method, params }) => {
      if (!done && method === 'eth_getLogs' && wide(params)) {
        done = true;
        chain.reorg(1_500, 'while it was read');
      }
      return undefined;
    });
    const { settlements, removals } = await readAll(providers, ORDER);
    expect(removals).toEqual([]);
    expect(formatSettlements(settlements)).toEqual(listExpected(chain));
  });
});
