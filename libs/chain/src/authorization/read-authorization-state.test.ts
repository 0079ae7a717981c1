import { numberToHex, pad, type Hex } from 'viem';
import { afterEach, expect, test } from 'vitest';
import { AUTHORIZATION_TOPIC } from '../evm/events.ts';
import { ChainUnreadableError, readAuthorizationState } from '../index.ts';
import {
  toTestAddress,
  BLOCK_SECONDS,
  createFakeChain,
  GENESIS_SECONDS,
  USDC,
  type FakeLog,
} from '../testing/fake-chain.ts';
import { openTestProviders } from '../testing/read-all.ts';
import { serveRpc } from '../testing/rpc-server.ts';

const [payer, shop, stranger] = [toTestAddress(1), toTestAddress(2), toTestAddress(3)];
const CANCELED: Hex = '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81';
const timeOf = (block: number) => (GENESIS_SECONDS + block * BLOCK_SECONDS) * 1_000;

const servers: { close: () => Promise<unknown> }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** A chain whose token says whether a nonce is used, with the transfer of one that is. */
const openChain = async (used: boolean, change: (logs: FakeLog[]) => FakeLog[] = (logs) => logs) => {
  const chain = createFakeChain({ head: 500 });
  if (used) chain.add({ block: 120, from: payer, to: shop, amount: 5_000n, signed: true });
  const all = (): FakeLog[] =>
    chain.answer('eth_getLogs', [
      { address: USDC, topics: [], fromBlock: '0x0', toBlock: numberToHex(500) },
    ]) as FakeLog[];
  const nonce = all()[0]?.topics[2] ?? pad('0x7');
  const logs = change(all());
  const answer = (method: string, params: readonly unknown[]): unknown => {
    if (method === 'eth_call') return pad(used ? '0x1' : '0x0', { size: 32 });
    if (method === 'eth_getTransactionReceipt') return { transactionHash: params[0], logs };
    if (method !== 'eth_getLogs') return chain.answer(method, params);
    // The filter is what the reader under test sends.
    const { topics, fromBlock, toBlock } = params[0] as { topics: [Hex]; fromBlock: Hex; toBlock: Hex };
    return logs.filter(
      (log) =>
        log.topics[0] === topics[0] &&
        BigInt(log.blockNumber) >= BigInt(fromBlock) &&
        BigInt(log.blockNumber) <= BigInt(toBlock),
    );
  };
  const server = await serveRpc({ answer });
  servers.push(server);
  const { providers } = openTestProviders([server.url]);
  const find = (since = timeOf(100)) =>
    readAuthorizationState(providers, {
      asset: USDC,
      payer,
      nonce,
      payTo: shop,
      amount: 5_000n,
      since,
      maxSpan: 50,
    });
  return { find, transaction: logs[0]?.transactionHash, server };
};

test('one that made the transfer is found, in whichever span of blocks it is', async () => {
  const { find, transaction } = await openChain(true);
  expect(await find()).toEqual({ state: 'paid', transaction });
  expect(await find(timeOf(0))).toEqual({ state: 'paid', transaction });
});

test('one that nobody has used is as old as the last block', async () => {
  const { find } = await openChain(false);
  expect(await find()).toEqual({ state: 'unused', headAt: timeOf(500) });
});

test.each([
  ['another amount', (log: FakeLog) => ({ ...log, data: pad('0x1', { size: 32 }) })],
  ['another wallet', (log: FakeLog) => ({ ...log, topics: log.topics.with(2, pad(stranger, { size: 32 })) })],
  ['another token', (log: FakeLog) => ({ ...log, address: stranger })],
])('a nonce that paid %s paid nothing here', async (_, change) => {
  const { find, transaction } = await openChain(true, ([used, transfer]) =>
    used && transfer ? [used, change(transfer)] : [],
  );
  expect(await find()).toEqual({ state: 'used-otherwise', transaction });
});

test('a transfer beside it that another authorization made is not taken for its own', async () => {
  const { find, transaction } = await openChain(true, ([used, transfer]) => {
    if (!used || !transfer) return [];
    const elsewhere = { ...transfer, topics: transfer.topics.with(2, pad(stranger, { size: 32 })) };
    const another = { ...used, topics: used.topics.with(2, pad('0x99')), logIndex: numberToHex(7) };
    return [used, elsewhere, another, { ...transfer, logIndex: numberToHex(8) }];
  });
  expect(await find()).toEqual({ state: 'used-otherwise', transaction });
});

test('one that its payer withdrew is told apart', async () => {
  const { find } = await openChain(true, ([used]) =>
    used ? [{ ...used, topics: used.topics.with(0, CANCELED) }] : [],
  );
  expect(await find()).toEqual({ state: 'canceled' });
});

test('one that is used and whose log nobody has cannot be told', async () => {
  const { find, server } = await openChain(true, () => []);
  await expect(find()).rejects.toThrow(ChainUnreadableError);
  expect(server.calls.some(({ params }) => JSON.stringify(params).includes(AUTHORIZATION_TOPIC))).toBe(true);
});

/** A node of a chain of 500 blocks that knows `head` of them, by whose state a nonce is unused before `usedFrom`. */
const openNode = async (head: number, usedFrom: number) => {
  const chain = createFakeChain({ head });
  chain.add({ block: usedFrom, from: payer, to: shop, amount: 5_000n, signed: true });
  const logs = createFakeChain({ head: 500 });
  logs.add({ block: usedFrom, from: payer, to: shop, amount: 5_000n, signed: true });
  const all = logs.answer('eth_getLogs', [
    { address: USDC, topics: [], fromBlock: '0x0', toBlock: '0x1f4' },
  ]) as FakeLog[];
  const answer = (method: string, params: readonly unknown[]): unknown => {
    if (method === 'eth_getTransactionReceipt') return { transactionHash: params[0], logs: all };
    if (method !== 'eth_call') return chain.answer(method, params);
    // A block that a node behind the same address has not seen is an error there; `latest` is its own last.
    const block = params[1] === 'latest' ? usedFrom - 1 : Number(params[1]);
    return pad(block >= usedFrom ? '0x1' : '0x0', { size: 32 });
  };
  const server = await serveRpc({ answer });
  servers.push(server);
  const nonce = all[0]?.topics[2] ?? pad('0x7');
  const order = { asset: USDC, payer, nonce, payTo: shop, amount: 5_000n, since: timeOf(100) };
  return { url: server.url, order, transaction: all[0]?.transactionHash };
};

test('the state is that of the very block whose number was read, whichever node answers', async () => {
  const node = await openNode(500, 499);
  const fate = await readAuthorizationState(openTestProviders([node.url]).providers, node.order);
  expect(fate).toEqual({ state: 'paid', transaction: node.transaction });
});

test('one provider that is behind is not believed that nobody has used it, where another knows better', async () => {
  const [behind, ahead] = [await openNode(400, 450), await openNode(500, 450)];
  const { providers } = openTestProviders([behind.url, ahead.url]);
  expect(await readAuthorizationState(providers, behind.order)).toEqual({
    state: 'paid',
    transaction: ahead.transaction,
  });
});

test('where both say that nobody has used it, the time is that of the one that is behind', async () => {
  const [behind, ahead] = [await openNode(400, 600), await openNode(500, 600)];
  for (const urls of [
    [behind.url, ahead.url],
    [ahead.url, behind.url],
  ]) {
    expect(await readAuthorizationState(openTestProviders(urls).providers, behind.order)).toEqual({
      state: 'unused',
      headAt: timeOf(400),
    });
  }
  const alone = openTestProviders([ahead.url, 'http://127.0.0.1:1/']).providers;
  expect(await readAuthorizationState(alone, behind.order)).toEqual({ state: 'unused', headAt: timeOf(500) });
});
