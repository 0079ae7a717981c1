import { keccak256, numberToHex, pad, stringToHex } from 'viem';
import { describe, expect, test } from 'vitest';
import { readSettlements } from './index.ts';
import {
  createBusyChain,
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
import { TRANSFER_TOPIC } from './evm/logs.ts';
import { readAll } from './testing/read-all.ts';
import { RpcError } from './testing/rpc-server.ts';

describe('reading a chain', () => {
  test('returns every payment once, with the time of its block', async () => {
    const chain = createBusyChain();
    const { providers, opened } = await serve(chain, null);
    const { settlements, cursor } = await readAll(providers, ORDER);
    expect(formatSettlements(settlements)).toEqual(listExpected(chain));
    expect(cursor).toMatchObject({ fromBlock: 0n, nextBlock: BigInt(HEAD + 1) });
    for (const { at, blockNumber } of settlements) {
      expect(at).toBe((GENESIS_SECONDS + Number(blockNumber) * BLOCK_SECONDS) * 1_000);
    }
    // One `eth_getLogs` query per range covers all forty wallets.
    expect(opened[0]?.calls.filter(({ method }) => method === 'eth_getLogs').length).toBeLessThan(10);
  });

  test('starts at a time, and ends at the last confirmed block or a given block', async () => {
    const chain = createBusyChain();
    // The node deleted its oldest blocks (EIP-4444).
    const { providers } = await serve(chain, ({ method, params: [block] }) =>
      method === 'eth_getBlockByNumber' && Number(block) < 900
        ? new RpcError(4_444, 'pruned history unavailable')
        : undefined,
    );
    const since = (GENESIS_SECONDS + 1_001 * BLOCK_SECONDS) * 1_000 - 1;
    const { cursor, settlements } = await readAll(providers, { wallets: ORDER.wallets, cursor: null, since });
    expect(cursor).toMatchObject({ fromBlock: 1_001n, nextBlock: BigInt(HEAD - 11) });
    const blocks = settlements.map(({ blockNumber }) => Number(blockNumber));
    // The payment in block 2,990 has fewer than 12 confirmations, the default of this network.
    expect([Math.min(...blocks), Math.max(...blocks)]).toEqual([1_010, 2_980]);
    const part = await readAll(providers, { ...ORDER, since, until: 2_000n });
    expect(part.cursor.nextBlock).toBe(2_001n);
    await expect(readAll(providers, ORDER)).rejects.toThrow('has no blocks before 900');
  });

  test('limits the rows of each step and skips nothing', async () => {
    const chain = createBusyChain();
    const { providers } = await serve(chain, null);
    const { settlements, steps } = await readAll(providers, { ...ORDER, maxRows: 10 });
    expect(formatSettlements(settlements)).toEqual(listExpected(chain));
    expect(steps).toBeGreaterThan(25);
  });

  test('requests at most 900 wallets at once and no burn addresses', async () => {
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
    const requested = (opened[0]?.calls ?? [])
      .filter(({ method }) => method === 'eth_getLogs')
      .map(({ params }) => new Set((params[0] as { topics: string[][] }).topics[2]))
      .filter((topics) => topics.size > 0);
    expect(requested.map(({ size }) => size).every((size) => size < 1_000)).toBe(true);
    const counts = requested.map((topics) => many.filter((wallet) => topics.has(pad(wallet))).length);
    // A filter can contain a few more wallets, as topics of known logs. So the counts are rounded down to tens.
    expect(counts.map((count) => Math.floor(count / 10) * 10)).toEqual([900, 900, 200]);
    for (const burn of burns)
      for (const topics of requested) expect(topics.has(`0x${burn.slice(2).padStart(64, '0')}`)).toBe(false);
  });

  test('looks up the senders of plain transfers and of the last payment of each of 20 payers', async () => {
    const chain = createFakeChain({ head: 20 });
    const facilitator = '0x179761d9eed0f0d1599330cc94b0926e68ae87f1';
    chain.add({ block: 5, from: toTestAddress(50), to: toTestAddress(1), amount: 5n });
    chain.add({ block: 6, from: facilitator, to: toTestAddress(1), amount: 6n });
    chain.add({ block: 7, from: toTestAddress(50), to: toTestAddress(1), amount: 7n, signed: true });
    chain.add({ block: 8, from: toTestAddress(50), to: toTestAddress(1), amount: 8n, signed: true });
    // The fake chain sends this payment from an unknown address.
    const unknown = { block: 9, from: toTestAddress(51), to: toTestAddress(1), batch: 'unknown' };
    chain.add({ ...unknown, amount: 9n, signed: true });
    // An exchange, say, sends a plain transfer for its customer.
    chain.add({ ...unknown, block: 10, from: toTestAddress(52), amount: 10n });
    const signed = { block: 11, to: toTestAddress(2), amount: 1n, signed: true };
    for (let payer = 100; payer < 130; payer += 1) chain.add({ ...signed, from: toTestAddress(payer) });
    const { providers } = await serve(chain, ({ method, params: [hash] }) =>
      method === 'eth_getTransactionByHash' && hash !== keccak256(stringToHex('unknown'))
        ? { hash, from: facilitator }
        : undefined,
    );
    const { settlements } = await readAll(providers, ORDER);
    expect(settlements.slice(0, 6).map(({ kind, facilitator: by }) => [kind, by])).toEqual([
      ['x402', 'anyspend'],
      ['transfer', null],
      ['x402', null],
      ['x402', 'anyspend'],
      ['x402', 'other'],
      ['transfer', null],
    ]);
    expect(settlements.slice(6).filter(({ facilitator: by }) => by !== null)).toHaveLength(20);
  });

  test('returns payments without facilitator when their senders cannot be read', async () => {
    const chain = createFakeChain({ head: 20 });
    chain.add({ block: 7, from: toTestAddress(50), to: toTestAddress(1), amount: 7n, signed: true });
    const { providers } = await serve(chain, ({ method }) =>
      method === 'eth_getTransactionByHash' ? new RpcError(-32_601, 'unsupported') : undefined,
    );
    const { settlements } = await readAll(providers, ORDER);
    expect(settlements).toMatchObject([{ amount: 7n, kind: 'x402', facilitator: null }]);
  });
});

function hasSeveralBlocks(params: readonly unknown[]): boolean {
  const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
  return fromBlock !== toBlock;
}

test('a settlement is an authorized transfer, not another transfer of its payer in the transaction', async () => {
  const chain = createFakeChain({ head: 40 });
  const [ann, bob, seller, other] = [
    toTestAddress(50),
    toTestAddress(51),
    toTestAddress(1),
    toTestAddress(900),
  ];
  const one = { block: 30, batch: 'one' };
  chain.add(
    { ...one, from: ann, to: other, amount: 1n, signed: true },
    { ...one, from: bob, to: seller, amount: 2n },
    { ...one, from: ann, to: seller, amount: 3n },
    { ...one, from: bob, to: seller, amount: 4n, signed: true },
  );
  const { settlements } = await readAll((await serve(chain, null)).providers, ORDER);
  expect(settlements.map(({ amount, kind }) => `${amount} ${kind}`)).toEqual([
    '2 transfer',
    '3 transfer',
    '4 x402',
  ]);
});

test('a settlement is found by its receipt when the token logs another event between authorization and transfer', async () => {
  const chain = createFakeChain({ head: 40 });
  chain.add({ block: 30, from: toTestAddress(50), to: toTestAddress(1), amount: 5n, signed: true });
  const later = (log: FakeLog): FakeLog =>
    log.topics[0] === TRANSFER_TOPIC ? { ...log, logIndex: numberToHex(Number(log.logIndex) + 1) } : log;
  const { providers } = await serve(chain, ({ method, params }) => {
    if (method === 'eth_getLogs') return (chain.respond(method, params) as FakeLog[]).map(later);
    if (method !== 'eth_getTransactionReceipt') return undefined;
    const receipt = chain.respond(method, params) as { logs: FakeLog[] };
    return { ...receipt, logs: receipt.logs.map(later) };
  });
  expect((await readAll(providers, ORDER)).settlements).toMatchObject([{ amount: 5n, kind: 'x402' }]);
});

test('a reorg during a step restarts the step', async () => {
  const chain = createBusyChain();
  let isReorganized = false;
  const { providers } = await serve(chain, ({ method, params }) => {
    if (!isReorganized && method === 'eth_getLogs' && hasSeveralBlocks(params)) {
      isReorganized = true;
      chain.reorg(1_500, 'while it was read');
    }
    return undefined;
  });
  const { settlements, removals } = await readAll(providers, ORDER);
  expect(removals).toEqual([]);
  expect(formatSettlements(settlements)).toEqual(listExpected(chain));
});
