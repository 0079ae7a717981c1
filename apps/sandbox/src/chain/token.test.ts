import { encodeFunctionData, parseSignature, sliceHex, toHex, type Address, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestChain, TEST_GENESIS, type TestChain } from '../testing/test-chain.ts';
import { createMintCall, createTransferCall } from './chain-access.ts';
import { sandboxUsdcAbi as abi } from './contracts.generated.ts';
import { BASE } from './network.ts';

const payer = privateKeyToAccount(generatePrivateKey());
const USDC = BASE.usdc;
const SELLER: Address = '0x00000000000000000000000000000000000000b2';
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
const domain = {
  name: 'USD Coin',
  version: '2',
  chainId: BASE.viemChain.id,
  verifyingContract: USDC,
} as const;

let testChain: TestChain;
let nonces = 0;
beforeAll(async () => {
  testChain = await openTestChain({ smartWallets: [SMART_WALLET] });
  await testChain.chain.mine({
    at: 0,
    unsigned: [createMintCall(BASE, payer.address, 1_000_000n)],
    signed: [],
  });
});
afterAll(() => testChain.close());

function authorization(
  changes: Partial<{ validAfter: bigint; validBefore: bigint; nonce: Hex; to: Address }>,
) {
  return {
    from: payer.address,
    to: SELLER,
    value: 2_000n,
    validAfter: 0n,
    validBefore: BigInt(TEST_GENESIS + 86_400),
    nonce: toHex(++nonces, { size: 32 }),
    ...changes,
  };
}

type Authorization = ReturnType<typeof authorization>;

function sign(
  message: Authorization,
  primaryType: 'TransferWithAuthorization' | 'ReceiveWithAuthorization' = 'TransferWithAuthorization',
  changes: { name?: string; chainId?: number } = {},
) {
  return payer.signTypedData({ domain: { ...domain, ...changes }, types, primaryType, message });
}

function toArguments({ from, to, value, validAfter, validBefore, nonce }: Authorization) {
  return [from, to, value, validAfter, validBefore, nonce] as const;
}

function split(signature: Hex) {
  const { r, s, yParity } = parseSignature(signature);
  return [yParity + 27, r, s] as const;
}

/**
 * Sends a call to the token contract, by default from the relayer. Returns the error of the call, or null when the call
 * succeeds.
 */
async function send(data: Hex, from: Address = RELAYER): Promise<string | null> {
  const call = { from, to: USDC, data } as const;
  const error = await testChain.chain.rpc.call('eth_call', [call, 'latest']).then(
    () => null,
    (thrown: unknown) => String(thrown),
  );
  const { results: outcomes } = await testChain.chain.mine({ at: 0, unsigned: [call], signed: [] });
  expect(outcomes.map(({ succeeded }) => succeeded)).toEqual([error === null]);
  return error;
}

function transfer(message: Authorization, signature: Hex) {
  return send(
    encodeFunctionData({
      abi,
      functionName: 'transferWithAuthorization',
      args: [...toArguments(message), signature],
    }),
  );
}

describe('an authorization', () => {
  test('transfers once, with a signature as bytes', async () => {
    const before = await testChain.balanceOf(SELLER);
    const message = authorization({});
    const signature = await sign(message);
    expect(await transfer(message, signature)).toBeNull();
    expect(await transfer(message, signature)).toContain('authorization is used or canceled');
    expect((await testChain.balanceOf(SELLER)) - before).toBe(2_000n);
  });

  test('transfers once, with a signature as v, r and s', async () => {
    const before = await testChain.balanceOf(SELLER);
    const message = authorization({});
    const data = encodeFunctionData({
      abi,
      functionName: 'transferWithAuthorization',
      args: [...toArguments(message), ...split(await sign(message))],
    });
    expect(await send(data)).toBeNull();
    expect(await send(data)).toContain('authorization is used or canceled');
    expect((await testChain.balanceOf(SELLER)) - before).toBe(2_000n);
  });

  test.each([
    ['expired', { validBefore: BigInt(TEST_GENESIS) }, 'authorization is expired'],
    ['not valid yet', { validAfter: BigInt(TEST_GENESIS + 80_000) }, 'authorization is not yet valid'],
  ])('that is %s is rejected', async (_what, changes, reason) => {
    const message = authorization(changes);
    expect(await transfer(message, await sign(message))).toContain(reason);
  });

  test.each([
    ['for a token with another name', { name: 'USDC' }],
    ['for another chain', { chainId: 1 }],
  ])('signed %s is rejected', async (_what, changes) => {
    const message = authorization({});
    const signature = await sign(message, 'TransferWithAuthorization', changes);
    expect(await transfer(message, signature)).toContain('invalid signature');
  });

  test('with another amount, a short signature or a mirrored signature is rejected', async () => {
    const message = authorization({});
    const signature = await sign(message);
    expect(await transfer({ ...message, value: 2_001n }, signature)).toContain('invalid signature');
    expect(await transfer(message, sliceHex(signature, 0, 64))).toContain('invalid signature');
    const [v, r, s] = split(signature);
    const mirrored = toHex(ORDER - BigInt(s), { size: 32 });
    const args = [...toArguments(message), v === 27 ? 28 : 27, r, mirrored] as const;
    expect(
      await send(encodeFunctionData({ abi, functionName: 'transferWithAuthorization', args })),
    ).toContain('invalid signature');
  });

  test('over the balance is rejected, and works when the balance is sufficient', async () => {
    const message = { ...authorization({}), value: 5_000_000n };
    const signature = await sign(message);
    expect(await transfer(message, signature)).toContain('transfer amount exceeds balance');
    await testChain.chain.mine({
      at: 0,
      unsigned: [createMintCall(BASE, payer.address, 5_000_000n)],
      signed: [],
    });
    expect(await transfer(message, signature)).toBeNull();
  });

  test('to receive can be used by its payee only', async () => {
    const message = authorization({});
    const args = [...toArguments(message), await sign(message, 'ReceiveWithAuthorization')] as const;
    const data = encodeFunctionData({ abi, functionName: 'receiveWithAuthorization', args });
    expect(await send(data)).toContain('caller must be the payee');
    expect(await send(data, SELLER)).toBeNull();
  });

  test('that its signer cancelled is rejected; no other account can cancel it', async () => {
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
    const otherAccount = privateKeyToAccount(generatePrivateKey());
    const typed = { domain, types, primaryType: 'CancelAuthorization', message: cancel } as const;
    expect(await cancelling(await otherAccount.signTypedData(typed))).toContain('invalid signature');
    expect(await cancelling(await payer.signTypedData(typed))).toBeNull();
    expect(await transfer(message, await sign(message))).toContain('authorization is used or canceled');
  });
});

test('a smart wallet accepts any signature; other addresses need a valid one', async () => {
  await testChain.chain.mine({ at: 0, unsigned: [createMintCall(BASE, SMART_WALLET, 5_000n)], signed: [] });
  const mine = { ...authorization({ to: SMART_WALLET }), from: SMART_WALLET };
  expect(await transfer(mine, '0x01')).toBeNull();
  expect(await testChain.balanceOf(SMART_WALLET)).toBe(5_000n);
  // The token itself is a contract without the function isValidSignature (ERC-1271), so it cannot be a payer.
  expect(await transfer({ ...authorization({}), from: USDC }, '0x01')).toContain('invalid signature');
  expect(await transfer({ ...authorization({}), from: SELLER }, '0x01')).toContain('invalid signature');
});

test('only the owner can mint', async () => {
  const { data } = createMintCall(BASE, RELAYER, 1n);
  expect(await send(data)).toContain('caller is not the owner');
});

test('a plain transfer needs no authorization', async () => {
  const before = await testChain.balanceOf(SELLER);
  const { data } = createTransferCall(BASE, { from: payer.address, to: SELLER, value: 7n });
  expect(await send(data, payer.address)).toBeNull();
  expect((await testChain.balanceOf(SELLER)) - before).toBe(7n);
});
