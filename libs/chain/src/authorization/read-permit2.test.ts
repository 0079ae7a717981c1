import { x402ExactPermit2ProxyABI, x402UptoPermit2ProxyABI } from '@x402/evm';
import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  numberToHex,
  pad,
  toEventSelector,
} from 'viem';
import { expect, test } from 'vitest';
import {
  createFakeChain,
  type FakeLog,
  type FakeTransfer,
  toTestAddress,
  USDC,
} from '../testing/fake-chain.ts';
import { edit, readStatus, type Responder } from '../testing/read-status.ts';
import { serve } from '../testing/busy-chain.ts';
import { readPaymentStatus } from '../index.ts';

const [payer, seller, other] = [toTestAddress(1), toTestAddress(2), toTestAddress(3)];
const [EXACT, UPTO]: readonly Hex[] = [
  '0x402085c248eea27d92e8b30b2c58ed07f9e20001',
  '0x4020a4f3b7b90cca423b9fabcc0ce57c6c240002',
];
const PERMIT2: Hex = '0x000000000022d473030f116ddee9f6b43ac78ba3';
const INVALIDATION = toEventSelector('UnorderedNonceInvalidation(address,uint256,uint256)');
const nonce = 0xabcd_0000_0000_0000_0000_0000_0000_00ffn;

const createPermit = (change: { amount?: bigint; nonce?: bigint } = {}) => ({
  permitted: { token: USDC, amount: change.amount ?? 5_000n },
  ...{ nonce: change.nonce ?? nonce, deadline: 2_000_000_000n },
});
const encodeExact = (change: Parameters<typeof createPermit>[0] = {}, owner = payer): Hex =>
  encodeFunctionData({
    abi: x402ExactPermit2ProxyABI,
    functionName: 'settle',
    args: [createPermit(change), owner, { to: seller, validAfter: 0n }, '0x1234'],
  });
/** Encodes a payment of at most 9,000 units, of which the seller takes 5,000. */
const encodeUpto = (): Hex =>
  encodeFunctionData({
    abi: x402UptoPermit2ProxyABI,
    functionName: 'settleWithPermit',
    args: [
      { value: 9_000n, deadline: 0n, r: pad('0x1'), s: pad('0x2'), v: 27 },
      createPermit({ amount: 9_000n }),
      ...([5_000n, payer, { to: seller, facilitator: other, validAfter: 0n }, '0x1234'] as const),
    ],
  });

const listTransfers = ({ respond }: Responder) =>
  respond('eth_getLogs', [{ topics: [], fromBlock: '0x0', toBlock: '0x1f4' }]) as FakeLog[];

/**
 * Creates a chain with transfers, whose transactions have the given data and a log of the proxy. Permit2 marks `nonce` of
 * the payer as used.
 */
function createChain(
  input: Hex,
  { proxy = EXACT, used = nonce, transfers = [{}] as Partial<FakeTransfer>[] } = {},
) {
  const chain = createFakeChain({ head: 500 });
  for (const transfer of transfers)
    chain.add({ block: 400, from: payer, to: seller, amount: 5_000n, ...transfer });
  const [log] = listTransfers(chain);
  const transaction = log?.transactionHash ?? '0x';
  const settled = {
    ...log,
    address: proxy,
    topics: [toEventSelector('Settled()')],
    data: '0x',
    logIndex: '0x77',
  };
  const served = edit(chain, {
    eth_getTransactionByHash: (result: object) => ({ ...result, input }),
    eth_getTransactionReceipt: (receipt: { logs: FakeLog[] }) => ({
      ...receipt,
      logs: [...receipt.logs, settled],
    }),
    eth_call: (_: unknown, [call]: readonly { to: Hex; data: Hex }[]) => {
      expect(call?.to).toBe(PERMIT2);
      expect(call?.data).toContain(payer.slice(2) + numberToHex(used >> 8n, { size: 32 }).slice(2));
      return numberToHex(1n << (used & 255n), { size: 32 });
    },
  });
  return { chain, served, transaction };
}

const by = { payer, nonce, validBefore: null, since: 0 };

test.each<[string, Hex, Hex | undefined]>([
  ['a payment', encodeExact(), EXACT],
  [
    'a payment with a suffix, wrapped in another call',
    concat(['0x8d80ff0a000001', encodeExact(), '0x62']),
    EXACT,
  ],
  ['a payment of less than its maximum', encodeUpto(), UPTO],
])('finds %s by its nonce and by its transaction', async (_, input, proxy) => {
  const { served, transaction } = createChain(input, { ...(proxy && { proxy }) });
  const payment = {
    kind: 'permit2',
    nonce: String(nonce),
    transaction,
    payer,
    payTo: seller,
    amount: 5_000n,
  };
  const settled = { state: 'settled', payments: [payment] };
  expect(await readStatus({ by }, served)).toMatchObject(settled);
  expect(await readStatus({ by: { transaction, payer } }, served)).toMatchObject(settled);
});

test('believes no data that the logs of the transaction contradict', async () => {
  const none = { state: 'unknown', reason: 'no-payment' };
  for (const { served, transaction } of [
    createChain(encodeExact({ amount: 4_999n })),
    createChain(encodeExact(), { transfers: [{ to: other }] }),
    createChain(encodeExact(), { transfers: [{ from: other }] }),
    createChain(encodeExact(), { proxy: other }),
    createChain(encodeExact().slice(0, -128) as Hex),
  ])
    expect(await readStatus({ by: { transaction, payer: null } }, served)).toMatchObject(none);
  // One transfer is one payment, and a transfer by EIP-3009 is none by Permit2.
  const twice = createChain(concat([encodeExact(), encodeExact({ nonce: 7n })]));
  const { payments } = await readStatus({ by: { transaction: twice.transaction, payer } }, twice.served);
  expect(payments).toHaveLength(1);
  const signed = createChain(encodeExact(), { transfers: [{ signed: true }] });
  const reading = await readStatus({ by: { transaction: signed.transaction, payer } }, signed.served);
  expect(reading.payments).toMatchObject([{ kind: 'authorization' }]);
});

test('a nonce is open until a confirmed block is later than its deadline', async () => {
  const { served, chain } = createChain('0x', { used: nonce - 1n, transfers: [] });
  const header = chain.respond('eth_getBlockByNumber', ['0x1e8']) as { timestamp: Hex };
  const at = Number(header.timestamp) * 1_000;
  const read = async (validBefore: number) =>
    (await readStatus({ by: { ...by, validBefore } }, served)).state;
  expect(await read(at)).toBe('open');
  expect(await read(at - 1_000)).toBe('expired');
});

test('a nonce that its owner invalidated is cancelled', async () => {
  const { served, chain } = createChain('0x');
  const [log] = listTransfers(chain);
  const invalidate = (word: bigint, mask: bigint) => {
    const data = encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [word, mask]);
    const invalidation = { ...log, address: PERMIT2, topics: [INVALIDATION, pad(payer, { size: 32 })], data };
    return edit(served, {
      eth_getLogs: (logs: readonly FakeLog[], [filter]: readonly { address: Hex }[]) =>
        filter?.address === PERMIT2 ? [invalidation] : logs,
    });
  };
  const [word, bit] = [nonce >> 8n, 1n << 255n];
  expect(await readStatus({ by }, invalidate(word, bit | 1n))).toMatchObject({ state: 'cancelled' });
  const elsewhere = { state: 'unknown', reason: 'used-before' };
  expect(await readStatus({ by }, invalidate(word, bit >> 1n))).toMatchObject(elsewhere);
  expect(await readStatus({ by }, invalidate(word + 1n, bit))).toMatchObject(elsewhere);
});

test('searches at most 200 transactions of a payer', async () => {
  const transfers = Array.from({ length: 230 }, (_, index) => ({
    amount: BigInt(index + 1),
    block: index + 100,
  }));
  const { served } = createChain('0x', { transfers });
  const { opened, providers } = await serve(served, null);
  const query = { by, maxSpan: 20 };
  expect(await readPaymentStatus(providers, query)).toMatchObject({
    state: 'unknown',
    reason: 'used-before',
  });
  const count = opened[0]?.calls.filter(({ method }) => method === 'eth_getTransactionByHash').length;
  expect(count).toBe(200);
});
