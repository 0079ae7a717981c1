import { numberToHex, pad, type Hex } from 'viem';
import { expect, test } from 'vitest';
import { AUTHORIZATION_TOPIC } from '../evm/logs.ts';
import { ChainUnreadableError, readAuthorizationState } from '../index.ts';
import { serve } from '../testing/busy-chain.ts';
import {
  toTestAddress,
  BLOCK_SECONDS,
  createFakeChain,
  GENESIS_SECONDS,
  USDC,
  type FakeLog,
} from '../testing/fake-chain.ts';
import { openTestProviders } from '../testing/read-all.ts';

const [payer, seller, other] = [toTestAddress(1), toTestAddress(2), toTestAddress(3)];
const CANCELED: Hex = '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81';
const toTime = (block: number) => (GENESIS_SECONDS + block * BLOCK_SECONDS) * 1_000;

/**
 * Serves a chain on which the payer's nonce is used by a transfer in block 120, or is unused. `change` edits the logs.
 */
const openChain = async (isUsed: boolean, change: (logs: FakeLog[]) => FakeLog[] = (logs) => logs) => {
  const chain = createFakeChain({ head: 500 });
  if (isUsed) chain.add({ block: 120, from: payer, to: seller, amount: 5_000n, signed: true });
  const all = (): FakeLog[] =>
    chain.respond('eth_getLogs', [
      { address: USDC, topics: [], fromBlock: '0x0', toBlock: numberToHex(500) },
    ]) as FakeLog[];
  const nonce = all()[0]?.topics[2] ?? pad('0x7');
  const logs = change(all());
  const respond = (method: string, params: readonly unknown[]): unknown => {
    if (method === 'eth_call') return pad(isUsed ? '0x1' : '0x0', { size: 32 });
    const [{ blockNumber, blockHash } = {}] = logs;
    if (method === 'eth_getTransactionReceipt')
      return { transactionHash: params[0], from: other, blockNumber, blockHash, logs };
    if (method !== 'eth_getLogs') return chain.respond(method, params);
    // The cast is safe because the reader under test sends a filter in this format.
    const { topics, fromBlock, toBlock } = params[0] as { topics: [Hex[]]; fromBlock: Hex; toBlock: Hex };
    return logs.filter(
      (log) =>
        topics[0].some((topic) => topic === log.topics[0]) &&
        BigInt(log.blockNumber) >= BigInt(fromBlock) &&
        BigInt(log.blockNumber) <= BigInt(toBlock),
    );
  };
  const { providers, opened } = await serve({ respond }, null);
  const find = (since = toTime(100), mayBeUsedBefore = false) =>
    readAuthorizationState(providers, {
      asset: USDC,
      payer,
      nonce,
      payTo: seller,
      amount: 5_000n,
      since,
      mayBeUsedBefore,
      maxSpan: 50,
    });
  const paid = {
    ...{ state: 'paid', transaction: logs[0]?.transactionHash, block: Number(logs[0]?.blockNumber) },
    confirmations: 380,
  };
  return { find, paid, calls: opened[0]?.calls };
};

test('returns `paid` with the transaction and its block, in any span of blocks', async () => {
  const { find, paid } = await openChain(true);
  expect(await find()).toEqual(paid);
  expect(await find(toTime(0))).toEqual(paid);
});

test('returns `unused` with the time of the last block', async () => {
  const { find } = await openChain(false);
  expect(await find()).toEqual({ state: 'unused', headAt: toTime(500) });
});

test.each([
  ['another amount', 'paid-otherwise', (log: FakeLog) => ({ ...log, data: pad('0x1', { size: 32 }) })],
  [
    'another wallet',
    'used-otherwise',
    (log: FakeLog) => ({ ...log, topics: log.topics.with(2, pad(other, { size: 32 })) }),
  ],
  ['another token', 'used-otherwise', (log: FakeLog) => ({ ...log, address: other })],
])('when the nonce was used for %s, returns `%s`', async (_, state, change) => {
  const { find, paid } = await openChain(true, ([used, transfer]) =>
    used && transfer ? [used, change(transfer)] : [],
  );
  expect(await find()).toEqual({ state, transaction: paid.transaction });
});

test('does not pair the nonce with the transfer of another authorization in the same transaction', async () => {
  const { find, paid } = await openChain(true, ([used, transfer]) => {
    if (!used || !transfer) return [];
    const elsewhere = { ...transfer, topics: transfer.topics.with(2, pad(other, { size: 32 })) };
    const another = { ...used, topics: used.topics.with(2, pad('0x99')), logIndex: numberToHex(7) };
    return [used, elsewhere, another, { ...transfer, logIndex: numberToHex(8) }];
  });
  expect(await find()).toEqual({ state: 'used-otherwise', transaction: paid.transaction });
});

test('returns `canceled` when the payer canceled the authorization', async () => {
  const { find } = await openChain(true, ([used]) =>
    used ? [{ ...used, topics: used.topics.with(0, CANCELED) }] : [],
  );
  expect(await find()).toEqual({ state: 'canceled' });
});

test('throws when the nonce is used but no provider has its log, unless the use may be earlier', async () => {
  const { find, calls } = await openChain(true, () => []);
  expect(await find(toTime(200), true)).toEqual({ state: 'used-before' });
  await expect(find()).rejects.toThrow(ChainUnreadableError);
  expect(JSON.stringify(calls)).toContain(AUTHORIZATION_TOPIC);
});

/**
 * Serves a chain from a node whose last block is `head`. The nonce is used from block `usedFrom` on; `isCanceled` makes
 * the node say that the authorization was canceled.
 */
const openNode = async (head: number, usedFrom: number, isCanceled = false) => {
  const [chain, logs] = [createFakeChain({ head }), createFakeChain({ head: 500 })];
  for (const each of [chain, logs])
    each.add({ block: usedFrom, from: payer, to: seller, amount: 5_000n, signed: true });
  const all = logs.respond('eth_getLogs', [
    { address: USDC, topics: [], fromBlock: '0x0', toBlock: '0x1f4' },
  ]) as FakeLog[];
  const respond = (method: string, params: readonly unknown[]): unknown => {
    const [{ blockNumber, blockHash } = {}] = all;
    if (method === 'eth_getTransactionReceipt')
      return { transactionHash: params[0], from: other, blockNumber, blockHash, logs: all };
    if (isCanceled && method === 'eth_getLogs')
      return all.slice(0, 1).map((log) => ({ ...log, topics: log.topics.with(0, CANCELED) }));
    if (method !== 'eth_call') return chain.respond(method, params);
    // A call with `latest` is answered by another node behind the same URL. The last block of that node is the block
    // before `usedFrom`.
    const block = params[1] === 'latest' ? usedFrom - 1 : Number(params[1]);
    return pad(block >= usedFrom ? '0x1' : '0x0', { size: 32 });
  };
  const { opened } = await serve({ respond }, null);
  const nonce = all[0]?.topics[2] ?? pad('0x7');
  const order = { asset: USDC, payer, nonce, payTo: seller, amount: 5_000n, since: toTime(100) };
  const paid = {
    ...{ state: 'paid', transaction: all[0]?.transactionHash, block: Number(all[0]?.blockNumber) },
    confirmations: head - usedFrom,
  };
  return { url: opened[0]?.url ?? '', order, paid };
};

test('reads the state at the block whose number was read, not at `latest`', async () => {
  const node = await openNode(500, 499);
  const state = await readAuthorizationState(openTestProviders([node.url]).providers, node.order);
  expect(state).toEqual(node.paid);
});

test('does not return `unused` from a provider that lags when another has the transfer', async () => {
  const [behind, ahead] = [await openNode(400, 450), await openNode(500, 450)];
  const { providers } = openTestProviders([behind.url, ahead.url]);
  expect(await readAuthorizationState(providers, behind.order)).toEqual(ahead.paid);
});

test('with `needsAgreement`, does not return `paid` when another provider disagrees or does not respond', async () => {
  const [paying, unpaid, other] = [
    await openNode(500, 450),
    await openNode(500, 600),
    await openNode(500, 440),
  ];
  const order = { ...paying.order, needsAgreement: true };
  const read = (...urls: string[]) => readAuthorizationState(openTestProviders(urls).providers, order);
  const unknown = { state: 'unused', headAt: 0 };
  expect(await read(paying.url, unpaid.url)).toEqual(unknown);
  expect(await read(unpaid.url, paying.url)).toEqual(unknown);
  expect(await read(paying.url, other.url)).toEqual(unknown);
  expect(await read(paying.url, 'http://127.0.0.1:1/')).toEqual(unknown);
  expect(await read(paying.url, paying.url)).toEqual(paying.paid);
  expect(await read(paying.url)).toEqual(paying.paid);
});

test('returns the earlier head time when two providers agree on `unused`', async () => {
  const [behind, ahead] = [await openNode(400, 600), await openNode(500, 600)];
  const urls = [behind.url, ahead.url];
  for (const order of [urls, urls.toReversed()]) {
    const { providers } = openTestProviders(order);
    const state = await readAuthorizationState(providers, behind.order);
    expect(state).toEqual({ state: 'unused', headAt: toTime(400) });
  }
  const alone = openTestProviders([ahead.url, 'http://127.0.0.1:1/']).providers;
  expect(await readAuthorizationState(alone, behind.order)).toEqual({ state: 'unused', headAt: toTime(500) });
});

test.each(['unused', 'paid'])(
  'does not return `canceled` from one provider when another has `%s`',
  async (state) => {
    const [lying, right] = [
      await openNode(500, 450, true),
      await openNode(500, state === 'paid' ? 450 : 600),
    ];
    for (const urls of [
      [lying.url, right.url],
      [right.url, lying.url],
    ]) {
      const { providers } = openTestProviders(urls);
      const read = await readAuthorizationState(providers, lying.order);
      if (state === 'paid') expect(read).toEqual(right.paid);
      // The time 0 proves nothing. The providers are not paused, so they are read again at once.
      else expect(read).toEqual({ state: 'unused', headAt: 0 });
      expect(await readAuthorizationState(providers, lying.order)).toEqual(read);
    }
  },
);
