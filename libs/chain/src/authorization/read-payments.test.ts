import { pad, type Hex } from 'viem';
import { expect, test } from 'vitest';
import { ChainUnreadableError, readPayments } from '../index.ts';
import { serve } from '../testing/busy-chain.ts';
import {
  BLOCK_SECONDS,
  createFakeChain,
  GENESIS_SECONDS,
  toTestAddress,
  type FakeLog,
} from '../testing/fake-chain.ts';
import { openTestProviders } from '../testing/read-all.ts';

const [payer, seller, other] = [toTestAddress(1), toTestAddress(2), toTestAddress(3)];
const toTime = (block: number) => (GENESIS_SECONDS + block * BLOCK_SECONDS) * 1_000;
const transfer = { block: 9_200, from: payer, to: seller, amount: 5_000n, signed: true };

/** Creates a chain of 9,500 blocks, and returns the transaction of its first transfer, which is also the nonce. */
function createChain(...transfers: readonly Parameters<ReturnType<typeof createFakeChain>['add']>[0][]) {
  const chain = createFakeChain({ head: 9_500 });
  chain.add(...transfers);
  const filter = { topics: [], fromBlock: '0x0', toBlock: '0xffff' };
  const logs = chain.respond('eth_getLogs', [filter]) as FakeLog[];
  return { chain, transaction: logs[0]?.transactionHash ?? pad('0x7') };
}

const toNonce = (nonce: Hex, [from, to]: readonly [number, number] = [100, 9_400]) => ({
  payer,
  by: { nonce, since: toTime(from), until: toTime(to) },
});

test('reads a payment by its nonce in several ranges of blocks, and by its transaction', async () => {
  const { chain, transaction } = createChain({ ...transfer, sender: other });
  const { providers } = await serve(chain, null);
  const payment = { nonce: transaction, transaction, sender: other, payTo: seller, amount: 5_000n };
  const paid = { state: 'paid', payments: [{ ...payment, at: toTime(9_200) }] };
  expect(await readPayments(providers, toNonce(transaction))).toEqual(paid);
  expect(await readPayments(providers, { payer, by: { transaction } })).toEqual(paid);
});

test('reads all payments of the payer in a transaction, and no other transfers', async () => {
  const { chain, transaction } = createChain(
    { ...transfer, batch: 'a' },
    { ...transfer, batch: 'a', amount: 7n },
    { ...transfer, batch: 'a', from: other },
    { ...transfer, batch: 'a', signed: false },
  );
  const { providers } = await serve(chain, null);
  const reading = await readPayments(providers, { payer, by: { transaction } });
  expect(reading).toMatchObject({ payments: [{ amount: 5_000n }, { amount: 7n }] });
});

test('finds no payment for an unused nonce, in another time, of another payer and without an authorization', async () => {
  const { chain, transaction } = createChain(transfer);
  const { providers, opened } = await serve(chain, null);
  expect(await readPayments(providers, toNonce(pad('0x7', { size: 32 })))).toEqual({ state: 'unused' });
  expect(opened[0]?.calls.map(({ method }) => method)).toEqual(['eth_blockNumber', 'eth_call', 'eth_call']);
  const absent = { state: 'absent' };
  expect(await readPayments(providers, toNonce(transaction, [9_300, 9_400]))).toEqual(absent);
  expect(await readPayments(providers, toNonce(transaction, [0, 10]))).toEqual(absent);
  expect(await readPayments(providers, { payer: other, by: { transaction } })).toEqual(absent);
  expect(await readPayments(providers, { payer, by: { transaction: pad('0x7', { size: 32 }) } })).toEqual(
    absent,
  );
  const plain = createChain({ ...transfer, signed: false });
  const query = { payer, by: { transaction: plain.transaction } };
  expect(await readPayments((await serve(plain.chain, null)).providers, query)).toEqual(absent);
});

test('does not pair an authorization with the transfer of another token, amount format or payer', async () => {
  const { chain, transaction } = createChain(transfer);
  const changes: readonly ((log: FakeLog) => FakeLog)[] = [
    (log) => ({ ...log, address: other }),
    (log) => ({ ...log, data: '0x01' }),
    (log) => ({ ...log, topics: log.topics.with(1, pad(other)) }),
  ];
  for (const change of changes) {
    const respond = (method: string, params: readonly unknown[]): unknown => {
      const result = chain.respond(method, params);
      if (method !== 'eth_getTransactionReceipt') return result;
      const receipt = result as { logs: FakeLog[] };
      return { ...receipt, logs: receipt.logs.map((log, index) => (index === 1 ? change(log) : log)) };
    };
    const { providers } = await serve({ respond }, null);
    expect(await readPayments(providers, { payer, by: { transaction } })).toEqual({ state: 'absent' });
  }
});

test('waits for the confirmations of the network, or for the given number', async () => {
  const { chain, transaction } = createChain({ ...transfer, block: 9_489 });
  const { providers } = await serve(chain, null);
  const query = { payer, by: { transaction } };
  expect(await readPayments(providers, query)).toEqual({ state: 'unconfirmed' });
  expect(await readPayments(providers, { ...query, confirmations: 11 })).toMatchObject({ state: 'paid' });
  chain.state.head += 1;
  expect(await readPayments(providers, query)).toMatchObject({ state: 'paid' });
});

test('asks the next provider when the first lags, and believes no receipt of a replaced block', async () => {
  const [behind, ahead] = [createFakeChain({ head: 100 }), createChain(transfer)];
  const { opened } = await serve(behind, null);
  const { opened: second } = await serve(ahead.chain, null);
  const { providers } = openTestProviders([opened[0]?.url ?? '', second[0]?.url ?? '']);
  const query = { payer, by: { transaction: ahead.transaction } };
  expect(await readPayments(providers, query)).toMatchObject({ state: 'paid' });
  const respond = (method: string, params: readonly unknown[]): unknown => {
    const result = ahead.chain.respond(method, params);
    return method === 'eth_getBlockByNumber'
      ? { ...(result as object), hash: pad('0x9', { size: 32 }) }
      : result;
  };
  const replaced = (await serve({ respond }, null)).providers;
  await expect(readPayments(replaced, query)).rejects.toThrow(ChainUnreadableError);
});
