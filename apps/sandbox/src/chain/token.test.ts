import { encodeFunctionData, parseSignature, sliceHex, toHex } from 'viem';
import type { Address, Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxUsdcAbi as abi } from './contracts.generated.ts';
import { CHAIN_ID, USDC } from './network.ts';
import { openTestChain, TEST_GENESIS } from './test-chain.ts';
import type { TestChain } from './test-chain.ts';
import { mintCall, transferCall } from './token-calls.ts';

const payer = privateKeyToAccount(generatePrivateKey());
const SHOP: Address = '0x00000000000000000000000000000000000000b2';
const RELAYER: Address = '0x00000000000000000000000000000000000000b3';
const SMART_WALLET: Address = '0x00000000000000000000000000000000000000b4';
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const fields = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const;
const types = {
  TransferWithAuthorization: fields,
  ReceiveWithAuthorization: fields,
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;
const domain = { name: 'USD Coin', version: '2', chainId: CHAIN_ID, verifyingContract: USDC } as const;

let world: TestChain;
let nonces = 0;
beforeAll(async () => {
  world = await openTestChain({ smartWallets: [SMART_WALLET] });
  await world.chain.mine({ at: 0, unsigned: [mintCall(payer.address, 1_000_000n)], signed: [] });
});
afterAll(() => world.close());

const authorization = (
  changes: Partial<{ validAfter: bigint; validBefore: bigint; nonce: Hex; to: Address }>,
) => ({
  from: payer.address,
  to: SHOP,
  value: 2_000n,
  validAfter: 0n,
  validBefore: BigInt(TEST_GENESIS + 86_400),
  nonce: toHex(++nonces, { size: 32 }),
  ...changes,
});
type Authorization = ReturnType<typeof authorization>;

const sign = (
  message: Authorization,
  primaryType: 'TransferWithAuthorization' | 'ReceiveWithAuthorization' = 'TransferWithAuthorization',
  changes: { name?: string; chainId?: number } = {},
) => payer.signTypedData({ domain: { ...domain, ...changes }, types, primaryType, message });

const argumentsOf = ({ from, to, value, validAfter, validBefore, nonce }: Authorization) =>
  [from, to, value, validAfter, validBefore, nonce] as const;
const split = (signature: Hex) => {
  const { r, s, yParity } = parseSignature(signature);
  return [yParity + 27, r, s] as const;
};

/** Sends a call to the token from the relayer, or somebody else, and says why it fails, or null when it does not. */
const send = async (data: Hex, from: Address = RELAYER): Promise<string | null> => {
  const call = { from, to: USDC, data } as const;
  const why = await world.chain.rpc.call('eth_call', [call, 'latest']).then(
    () => null,
    (error: unknown) => String(error),
  );
  const { outcomes } = await world.chain.mine({ at: 0, unsigned: [call], signed: [] });
  expect(outcomes.map(({ succeeded }) => succeeded)).toEqual([why === null]);
  return why;
};
const transfer = (message: Authorization, signature: Hex) =>
  send(
    encodeFunctionData({
      abi,
      functionName: 'transferWithAuthorization',
      args: [...argumentsOf(message), signature],
    }),
  );

describe('an authorization', () => {
  test('moves the money once, with its signature as bytes', async () => {
    const before = await world.balanceOf(SHOP);
    const message = authorization({});
    const signature = await sign(message);
    expect(await transfer(message, signature)).toBeNull();
    expect(await transfer(message, signature)).toContain('authorization is used or canceled');
    expect((await world.balanceOf(SHOP)) - before).toBe(2_000n);
  });

  test('moves the money once, with its signature as v, r and s', async () => {
    const before = await world.balanceOf(SHOP);
    const message = authorization({});
    const data = encodeFunctionData({
      abi,
      functionName: 'transferWithAuthorization',
      args: [...argumentsOf(message), ...split(await sign(message))],
    });
    expect(await send(data)).toBeNull();
    expect(await send(data)).toContain('authorization is used or canceled');
    expect((await world.balanceOf(SHOP)) - before).toBe(2_000n);
  });

  test.each([
    ['expired', { validBefore: BigInt(TEST_GENESIS) }, 'authorization is expired'],
    ['not valid yet', { validAfter: BigInt(TEST_GENESIS + 80_000) }, 'authorization is not yet valid'],
  ])('that is %s is refused', async (_what, changes, reason) => {
    const message = authorization(changes);
    expect(await transfer(message, await sign(message))).toContain(reason);
  });

  test.each([
    ['for a token of another name', { name: 'USDC' }],
    ['for another chain', { chainId: 1 }],
  ])('signed %s is refused', async (_what, changes) => {
    const message = authorization({});
    const signature = await sign(message, 'TransferWithAuthorization', changes);
    expect(await transfer(message, signature)).toContain('invalid signature');
  });

  test('with another amount than was signed, a short signature or a mirrored one is refused', async () => {
    const message = authorization({});
    const signature = await sign(message);
    expect(await transfer({ ...message, value: 2_001n }, signature)).toContain('invalid signature');
    expect(await transfer(message, sliceHex(signature, 0, 64))).toContain('invalid signature');
    const [v, r, s] = split(signature);
    const mirrored = toHex(ORDER - BigInt(s), { size: 32 });
    const args = [...argumentsOf(message), v === 27 ? 28 : 27, r, mirrored] as const;
    expect(
      await send(encodeFunctionData({ abi, functionName: 'transferWithAuthorization', args })),
    ).toContain('invalid signature');
  });

  test('for more than there is is refused, and can be used when there is enough', async () => {
    const message = { ...authorization({}), value: 5_000_000n };
    const signature = await sign(message);
    expect(await transfer(message, signature)).toContain('transfer amount exceeds balance');
    await world.chain.mine({ at: 0, unsigned: [mintCall(payer.address, 5_000_000n)], signed: [] });
    expect(await transfer(message, signature)).toBeNull();
  });

  test('to be received can be used by its payee alone', async () => {
    const message = authorization({});
    const args = [...argumentsOf(message), await sign(message, 'ReceiveWithAuthorization')] as const;
    const data = encodeFunctionData({ abi, functionName: 'receiveWithAuthorization', args });
    expect(await send(data)).toContain('caller must be the payee');
    expect(await send(data, SHOP)).toBeNull();
  });

  test('that was cancelled by its signer is refused; nobody else can cancel it', async () => {
    const message = authorization({});
    const cancel = { authorizer: payer.address, nonce: message.nonce };
    const cancelling = (signature: Hex) =>
      send(
        encodeFunctionData({
          abi,
          functionName: 'cancelAuthorization',
          args: [cancel.authorizer, cancel.nonce, signature],
        }),
      );
    const stranger = privateKeyToAccount(generatePrivateKey());
    const typed = { domain, types, primaryType: 'CancelAuthorization', message: cancel } as const;
    expect(await cancelling(await stranger.signTypedData(typed))).toContain('invalid signature');
    expect(await cancelling(await payer.signTypedData(typed))).toBeNull();
    expect(await transfer(message, await sign(message))).toContain('authorization is used or canceled');
  });
});

test("of a contract is good when the contract says so, and nobody's word else", async () => {
  await world.chain.mine({ at: 0, unsigned: [mintCall(SMART_WALLET, 5_000n)], signed: [] });
  const mine = { ...authorization({ to: SMART_WALLET }), from: SMART_WALLET };
  expect(await transfer(mine, '0x01')).toBeNull();
  expect(await world.balanceOf(SMART_WALLET)).toBe(5_000n);
  // The token is a contract, too, and knows nothing of signatures.
  expect(await transfer({ ...authorization({}), from: USDC }, '0x01')).toContain('invalid signature');
  expect(await transfer({ ...authorization({}), from: SHOP }, '0x01')).toContain('invalid signature');
});

test('only the owner mints', async () => {
  const { data } = mintCall(RELAYER, 1n);
  expect(await send(data)).toContain('caller is not the owner');
});

test('a plain transfer moves the money without an authorization', async () => {
  const before = await world.balanceOf(SHOP);
  const { data } = transferCall(payer.address, SHOP, 7n);
  expect(await send(data, payer.address)).toBeNull();
  expect((await world.balanceOf(SHOP)) - before).toBe(7n);
});
