import { createBatchSettlementEIP3009DepositPayload } from '@x402/evm/batch-settlement/client';
import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  pad,
  parseAbi,
  parseAbiParameters,
  toEventSelector,
} from 'viem';
import { beforeAll, expect, test } from 'vitest';
import { createFakeChain, type FakeLog, toTestAddress, USDC } from '../testing/fake-chain.ts';
import { edit, readStatus, type Responder } from '../testing/read-status.ts';

const [payer, seller, other] = [toTestAddress(1), toTestAddress(2), toTestAddress(3)];
const BATCH_SETTLEMENT: Hex = '0x4020074e9df2ce1dee5a9c1b5c3f541d02a10003';
const AUTHORIZATION_COLLECTOR: Hex = '0x4020806089470a89826cb9fb1f4059150b550004';
const PERMIT2_COLLECTOR: Hex = '0x4020425faf3b746c082c2f942b4e5159887b0005';
const DEPOSIT = parseAbi([
  'struct Channel { address payer; address payerAuthorizer; address receiver; address receiverAuthorizer; address token; uint40 withdrawDelay; bytes32 salt; }',
  'function deposit(Channel config, uint128 amount, address collector, bytes collectorData)',
]);

const createChannel = (receiver: Hex) => ({
  ...{ payer, payerAuthorizer: payer, receiver, receiverAuthorizer: other, token: USDC, withdrawDelay: 900 },
  salt: pad('0x5', { size: 32 }),
});
const encodeDeposit = (receiver: Hex, collector: Hex, data: Hex): Hex =>
  encodeFunctionData({
    abi: DEPOSIT,
    functionName: 'deposit',
    args: [createChannel(receiver), 5_000n, collector, data],
  });

/** Salt and nonce of a deposit that the stock client signed. */
let signed: { salt: bigint; nonce: Hex };
beforeAll(async () => {
  const messages: Record<string, unknown>[] = [];
  const signer = {
    address: payer,
    signTypedData: ({ message }: { message: Record<string, unknown> }) => {
      messages.push(message);
      return Promise.resolve('0x12' as Hex);
    },
  };
  const terms = {
    ...{ scheme: 'batch-settlement', network: 'eip155:8453' as const, asset: USDC, amount: '1000' },
    ...{ payTo: seller, maxTimeoutSeconds: 60, extra: { name: 'USD Coin', version: '2' } },
  };
  const channel = createChannel(seller);
  const { payload } = await createBatchSettlementEIP3009DepositPayload(
    signer,
    2,
    terms,
    channel,
    '5000',
    '1000',
  );
  const { deposit } = payload as { deposit: { authorization: { erc3009Authorization: { salt: Hex } } } };
  const { nonce, to } = messages[0] as { nonce: Hex; to: Hex };
  expect(to.toLowerCase()).toBe(AUTHORIZATION_COLLECTOR);
  signed = { salt: BigInt(deposit.authorization.erc3009Authorization.salt), nonce };
});

const toAuthorizationData = (salt: bigint): Hex =>
  encodeAbiParameters(parseAbiParameters('uint256, uint256, uint256, bytes'), [0n, 9n, salt, '0x1234']);

/** Creates a chain with a transfer of the payer to a collector, in a transaction with the given data. */
function createChain(to: Hex, input: Hex): { served: Responder; transaction: Hex } {
  const chain = createFakeChain({ head: 500 });
  chain.add({ block: 400, from: payer, to, amount: 5_000n, signed: to === AUTHORIZATION_COLLECTOR });
  const filter = { address: USDC, topics: [], fromBlock: '0x0', toBlock: '0x1f4' };
  const [log] = chain.respond('eth_getLogs', [filter]) as FakeLog[];
  const transaction = log?.transactionHash ?? '0x';
  const rename = (logs: readonly FakeLog[]) =>
    logs.map((each) => ({
      ...each,
      topics: each.topics.map((topic) => (topic === transaction ? signed.nonce : topic)),
    }));
  const served = edit(chain, {
    eth_call: () => pad('0x1', { size: 32 }),
    eth_getLogs: rename,
    eth_getTransactionByHash: (result: object) => ({ ...result, input }),
    eth_getTransactionReceipt: (receipt: { logs: FakeLog[] }) => ({ ...receipt, logs: rename(receipt.logs) }),
  });
  // The test chain matches the filter with the nonce before the nonce is replaced.
  const respond: Responder['respond'] = (method, params) =>
    served.respond(method, method === 'eth_getLogs' ? [{ ...(params[0] as object), topics: [] }] : params);
  return { served: { respond }, transaction };
}

test('a deposit by EIP-3009 names the receiver of the channel that the payer signed', async () => {
  const right = encodeDeposit(seller, AUTHORIZATION_COLLECTOR, toAuthorizationData(signed.salt));
  const wrong = encodeDeposit(other, AUTHORIZATION_COLLECTOR, toAuthorizationData(signed.salt));
  const { served, transaction } = createChain(AUTHORIZATION_COLLECTOR, concat(['0xac9650d8', wrong, right]));
  const deposit = { kind: 'deposit', nonce: signed.nonce, payer, payTo: seller, amount: 5_000n };
  const settled = { state: 'settled', payments: [deposit] };
  const byNonce = { payer, nonce: signed.nonce, validBefore: null, since: 0 };
  expect(await readStatus({ by: byNonce }, served)).toMatchObject(settled);
  expect(await readStatus({ by: { transaction, payer } }, served)).toMatchObject(settled);
  const unclear = createChain(AUTHORIZATION_COLLECTOR, wrong);
  const { payments } = await readStatus({ by: { transaction: unclear.transaction, payer } }, unclear.served);
  expect(payments).toMatchObject([{ ...deposit, payTo: AUTHORIZATION_COLLECTOR }]);
});

test('a deposit by Permit2 names the receiver of the channel if the data names only one', async () => {
  const data = encodeAbiParameters(parseAbiParameters('uint256, uint256, bytes, bytes'), [
    7n,
    9n,
    '0x12',
    '0x',
  ]);
  const right = encodeDeposit(seller, PERMIT2_COLLECTOR, data);
  const wrong = encodeDeposit(other, PERMIT2_COLLECTOR, data);
  for (const [input, payTo] of [
    [right, seller],
    [concat([wrong, right]), PERMIT2_COLLECTOR],
  ] as const) {
    const { served, transaction } = createChain(PERMIT2_COLLECTOR, input);
    const { payments } = await readStatus({ by: { transaction, payer } }, served);
    expect(payments).toMatchObject([{ kind: 'deposit', nonce: '7', payer, payTo, amount: 5_000n }]);
  }
});

test('what receivers take of deposits is a settlement of no payer', async () => {
  const chain = createFakeChain({ head: 500 });
  chain.add({ block: 400, from: BATCH_SETTLEMENT, to: seller, amount: 300n, batch: 'a' });
  const [log] = chain.respond('eth_getLogs', [
    { address: USDC, topics: [], fromBlock: '0x0', toBlock: '0x1f4' },
  ]) as FakeLog[];
  const topics = [
    toEventSelector('Settled(address,address,address,uint128)'),
    ...[seller, USDC, other].map((address) => pad(address, { size: 32 })),
  ];
  const settle = (change: object) =>
    edit(chain, {
      eth_getTransactionReceipt: (receipt: { logs: object[] }) => ({
        ...receipt,
        logs: [...receipt.logs, { ...log, address: BATCH_SETTLEMENT, topics, ...change }],
      }),
    });
  const transaction = log?.transactionHash ?? '0x';
  const read = (change: object, of: Hex | null = null) =>
    readStatus({ by: { transaction, payer: of } }, settle(change));
  const settlement = {
    kind: 'settlement',
    nonce: null,
    payer: BATCH_SETTLEMENT,
    payTo: seller,
    amount: 300n,
  };
  expect(await read({})).toMatchObject({ state: 'settled', payments: [settlement] });
  const none = { state: 'unknown', reason: 'no-payment' };
  expect(await read({}, payer)).toMatchObject(none);
  expect(await read({ address: other })).toMatchObject(none);
  expect(await read({ topics: topics.with(2, pad(other, { size: 32 })) })).toMatchObject(none);
});

const WORD: Hex = `0x${'77'.repeat(32)}`;

test.each<[string, string, (result: object) => unknown]>([
  [
    'the receipt of another transaction',
    'eth_getTransactionReceipt',
    (receipt) => ({ ...receipt, transactionHash: WORD }),
  ],
  [
    'a receipt with a log of another transaction',
    'eth_getTransactionReceipt',
    (receipt) => {
      // The cast is safe because the test chain sends receipts with logs.
      const { logs } = receipt as { logs: FakeLog[] };
      return { ...receipt, logs: logs.map((log) => ({ ...log, transactionHash: WORD })) };
    },
  ],
  [
    'a receipt of a replaced block',
    'eth_getTransactionReceipt',
    (receipt) => ({ ...receipt, blockHash: WORD }),
  ],
  [
    'a receipt without a block',
    'eth_getTransactionReceipt',
    (receipt) => ({ ...receipt, blockNumber: null }),
  ],
  ['a receipt but no transaction', 'eth_getTransactionByHash', () => null],
  ['invalid data', 'eth_getTransactionByHash', (transaction) => ({ ...transaction, input: '0xzz' })],
])('another provider is read instead of one that returns %s', async (_, method, change) => {
  const { served, transaction } = createChain(AUTHORIZATION_COLLECTOR, '0x');
  const reading = await readStatus(
    { by: { transaction, payer } },
    edit(served, { [method]: change }),
    served,
  );
  expect(reading).toMatchObject({ state: 'settled', payments: [{ kind: 'deposit', amount: 5_000n }] });
});
