import { pad, type Hex } from 'viem';
import { expect, test } from 'vitest';
import { CANCELED_TOPIC } from '../evm/logs.ts';
import { ChainUnreadableError, readPaymentStatus } from '../index.ts';
import { serve } from '../testing/busy-chain.ts';
import {
  BLOCK_SECONDS,
  createFakeChain,
  GENESIS_SECONDS,
  toTestAddress,
  USDC,
  type FakeLog,
} from '../testing/fake-chain.ts';
import { edit, readStatus } from '../testing/read-status.ts';
import { type Misbehaviour, RpcError } from '../testing/rpc-server.ts';

const [payer, seller, other] = [toTestAddress(1), toTestAddress(2), toTestAddress(3)];
const HEAD = 9_500;
const toTime = (block: number) => (GENESIS_SECONDS + block * BLOCK_SECONDS) * 1_000;
const transfer = { block: 9_200, from: payer, to: seller, amount: 5_000n, signed: true };
/** Creates the values that `block` has for a block of the fake chain. */
const toPlace = (block: number, head = HEAD) => ({ block, at: toTime(block), confirmations: head - block });

/** Creates a chain of 9,500 blocks, and returns the transaction of its first transfer, which is also the nonce. */
function createChain(...transfers: readonly Parameters<ReturnType<typeof createFakeChain>['add']>[0][]) {
  const chain = createFakeChain({ head: HEAD });
  chain.add(...transfers);
  const filter = { topics: [], fromBlock: '0x0', toBlock: '0xffff' };
  const logs = chain.respond('eth_getLogs', [filter]) as FakeLog[];
  return { chain, transaction: logs[0]?.transactionHash ?? pad('0x7') };
}

const toNonce = (
  nonce: Hex | bigint,
  change: { since?: number; until?: number; validBefore?: number } = {},
) => ({
  by: { payer, nonce, validBefore: null, since: toTime(100), ...change },
  maxSpan: 4_000,
});
const unused = pad('0x7', { size: 32 });
const cancel = (logs: readonly FakeLog[]) =>
  logs.map((log) => ({ ...log, topics: log.topics.with(0, CANCELED_TOPIC) }));

test('reads a payment by its nonce in several ranges of blocks, and by its transaction', async () => {
  for (const block of [9_200, 700]) {
    const { chain, transaction } = createChain({ ...transfer, block, sender: other });
    const payment = { kind: 'authorization', nonce: transaction, transaction, sender: other, asset: USDC };
    expect(await readStatus(toNonce(transaction), chain)).toEqual({
      ...{ state: 'settled', reason: 'confirmed', block: toPlace(block) },
      payments: [{ ...payment, payer, payTo: seller, amount: 5_000n, at: toTime(block) }],
    });
    const { payments } = await readStatus(toNonce(transaction), chain);
    expect(await readStatus({ by: { transaction, payer } }, chain)).toMatchObject({
      state: 'settled',
      payments,
    });
  }
});

test('reads all payments of a transaction, or those of one payer, and no other transfers', async () => {
  const { chain, transaction } = createChain(
    { ...transfer, batch: 'a' },
    { ...transfer, batch: 'a', amount: 7n },
    { ...transfer, batch: 'a', from: other },
    { ...transfer, batch: 'a', signed: false },
  );
  const own = [
    { payer, amount: 5_000n },
    { payer, amount: 7n },
  ];
  expect((await readStatus({ by: { transaction, payer } }, chain)).payments).toMatchObject(own);
  const all = await readStatus({ by: { transaction, payer: null } }, chain);
  expect(all.payments).toMatchObject([...own, { payer: other }]);
});

test('searches the use of a nonce only in the requested time', async () => {
  const { chain, transaction } = createChain(transfer);
  const before = { state: 'unknown', reason: 'used-before', block: null, payments: [] };
  expect(await readStatus(toNonce(transaction, { since: toTime(9_300) }), chain)).toEqual(before);
  // The search is not repeated at a second provider.
  const empty = createFakeChain({ head: HEAD });
  expect(await readStatus(toNonce(transaction, { since: toTime(9_300) }), chain, empty)).toEqual(before);
  expect(await readStatus(toNonce(transaction, { since: 0, until: toTime(10) }), chain)).toEqual(before);
  const found = { state: 'settled' };
  const around = { since: toTime(9_199), until: toTime(9_201) };
  expect(await readStatus(toNonce(transaction, around), chain)).toMatchObject(found);
});

test('finds no payment in an unknown, a failed and an unsigned transaction, or of another payer', async () => {
  const { chain, transaction } = createChain(transfer);
  const unknown = { state: 'unknown', payments: [] };
  const absent = await readStatus({ by: { transaction: unused, payer } }, chain);
  expect(absent).toEqual({ ...unknown, reason: 'absent', block: null });
  const failed = edit(chain, {
    eth_getTransactionReceipt: (receipt: object) => ({ ...receipt, ...{ status: '0x0', logs: [] } }),
  });
  const query = { by: { transaction, payer } };
  const block = toPlace(9_200);
  expect(await readStatus(query, failed)).toEqual({ ...unknown, reason: 'reverted', block });
  const none = { ...unknown, reason: 'no-payment', block };
  expect(await readStatus({ by: { transaction, payer: other } }, chain)).toEqual(none);
  const plain = createChain({ ...transfer, signed: false });
  expect(await readStatus({ by: { transaction: plain.transaction, payer } }, plain.chain)).toEqual(none);
});

test('does not pair an authorization with the transfer of another token, amount format or payer', async () => {
  const { chain, transaction } = createChain(transfer);
  const edits: readonly ((log: FakeLog) => FakeLog)[] = [
    (log) => ({ ...log, address: other }),
    (log) => ({ ...log, data: '0x01' }),
    (log) => ({ ...log, topics: log.topics.with(1, pad(other)) }),
  ];
  for (const change of edits) {
    const changed = edit(chain, {
      eth_getTransactionReceipt: (receipt: { logs: FakeLog[] }) => ({
        ...receipt,
        logs: receipt.logs.map((log, index) => (index === 1 ? change(log) : log)),
      }),
    });
    for (const query of [{ by: { transaction, payer } }, toNonce(transaction)])
      expect(await readStatus(query, changed)).toMatchObject({ state: 'unknown', reason: 'no-payment' });
  }
});

test('an unused authorization is expired only when a confirmed block has its end', async () => {
  const { chain } = createChain();
  const at = (validBefore?: number) =>
    readStatus(toNonce(unused, validBefore === undefined ? {} : { validBefore }), chain);
  const block = { block: 9_488, at: toTime(9_488), confirmations: 12 };
  const open = { state: 'open', reason: 'unused', block, payments: [] };
  expect(await at(toTime(9_488) + 1)).toEqual(open);
  expect(await at(toTime(9_500))).toEqual(open);
  expect(await at(toTime(9_488))).toEqual({ ...open, state: 'expired' });
  expect(await at()).toEqual(open);
});

test('a payment and a cancellation are unconfirmed until the network counts their block as final', async () => {
  const { chain, transaction } = createChain({ ...transfer, block: 9_489 });
  const canceled = edit(chain, { eth_getLogs: cancel });
  const [query, block] = [toNonce(transaction), toPlace(9_489)];
  expect(await readStatus(query, chain)).toMatchObject({ state: 'settled', reason: 'unconfirmed', block });
  const undecided = { state: 'open', reason: 'unconfirmed', block, payments: [] };
  expect(await readStatus(query, canceled)).toEqual(undecided);
  const fewer = await readStatus({ ...query, confirmations: 11 }, chain);
  expect(fewer).toMatchObject({ state: 'settled', reason: 'confirmed' });
  chain.state.head += 1;
  expect(await readStatus(query, chain)).toMatchObject({ state: 'settled', reason: 'confirmed' });
  expect(await readStatus(query, canceled)).toMatchObject({ state: 'cancelled', reason: 'confirmed' });
});

test('finds a payment that the first provider lacks, and believes no log of a replaced block', async () => {
  const { chain, transaction } = createChain(transfer);
  const behind = createFakeChain({ head: 100 });
  const replaced = edit(chain, { eth_getBlockByNumber: (header: object) => ({ ...header, hash: unused }) });
  for (const query of [toNonce(transaction), { by: { transaction, payer } }]) {
    expect(await readStatus(query, behind, chain)).toMatchObject({ state: 'settled' });
    expect(await readStatus(query, null, chain)).toMatchObject({ state: 'settled' });
    await expect(readStatus(query, replaced)).rejects.toThrow(ChainUnreadableError);
  }
});

test('a payment that a reorg removed is open again', async () => {
  const { chain, transaction } = createChain({ ...transfer, block: 9_495 });
  expect(await readStatus(toNonce(transaction), chain)).toMatchObject({
    state: 'settled',
    reason: 'unconfirmed',
  });
  chain.reorg(9_494, 'b');
  const validBefore = toTime(9_490);
  expect(await readStatus(toNonce(transaction, { validBefore }), chain)).toMatchObject({ state: 'open' });
});

test('an authorization is over only if a second provider agrees, or only one is configured', async () => {
  const { chain, transaction } = createChain(transfer);
  const empty = createFakeChain({ head: HEAD });
  const canceled = edit(chain, { eth_getLogs: cancel });
  const query = toNonce(transaction, { validBefore: toTime(9_400) });
  const [expired, cancelled] = [{ state: 'expired' }, { state: 'cancelled' }];
  expect(await readStatus(query, empty)).toMatchObject(expired);
  expect(await readStatus(query, empty, empty)).toMatchObject(expired);
  expect(await readStatus(query, canceled, canceled)).toMatchObject(cancelled);
  const silent = { state: 'unknown', reason: 'no-agreement', block: null, payments: [] };
  expect(await readStatus(query, empty, null)).toEqual(silent);
  expect(await readStatus(query, canceled, null)).toEqual(silent);
  const different = { ...silent, reason: 'disagreement' };
  expect(await readStatus(query, empty, canceled)).toEqual(different);
  expect(await readStatus(query, canceled, empty)).toEqual(different);
  // The provider behind has no block after the end of the authorization.
  const lagging = createFakeChain({ head: 9_300 });
  for (const chains of [
    [empty, lagging],
    [lagging, empty],
  ] as const)
    expect(await readStatus(query, ...chains)).toMatchObject({ state: 'open', block: { block: 9_288 } });
  expect(await readStatus(query, lagging, null)).toMatchObject({ state: 'open' });
});

test('reads an unused nonce with three calls, and a recent payment with five', async () => {
  const { chain, transaction } = createChain(transfer);
  const { providers, opened } = await serve(chain, null);
  await readPaymentStatus(providers, toNonce(unused));
  expect(opened[0]?.calls).toHaveLength(3);
  await readPaymentStatus(providers, toNonce(transaction));
  expect(opened[0]?.calls).toHaveLength(8);
});

test('searches a used nonce in at most 40 ranges of blocks', async () => {
  const { chain, transaction } = createChain({ ...transfer, block: 200 });
  const { providers, opened } = await serve(chain, null);
  const query = { ...toNonce(transaction), maxSpan: 50 };
  expect(await readPaymentStatus(providers, query)).toMatchObject({
    state: 'unknown',
    reason: 'used-before',
  });
  expect(opened[0]?.calls.filter(({ method }) => method === 'eth_getLogs')).toHaveLength(40);
});

test.each<[string, Misbehaviour]>([
  ['the call reverts', () => new RpcError(3, 'execution reverted')],
  ['the address is no contract', () => '0x'],
])('a token without nonces is unsupported, and pauses no provider: %s', async (_, fail) => {
  const { providers, clock } = await serve(createFakeChain({ head: HEAD }), (call, ...rest) =>
    call.method === 'eth_call' ? fail(call, ...rest) : undefined,
  );
  for (const nonce of [unused, 7n])
    expect(await readPaymentStatus(providers, { ...toNonce(nonce), asset: other })).toMatchObject({
      ...{ state: 'unknown', reason: 'unsupported-token' },
    });
  expect(clock.slept).toBe(0);
});
