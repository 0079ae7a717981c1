import { decodeFunctionData, hashMessage, hashTypedData, pad, parseAbi, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { ChainUnreadableError, verifyMessage, verifyTypedData } from '../index.ts';
import { serve } from '../testing/busy-chain.ts';
import { openTestProviders } from '../testing/read-all.ts';
import { createFakeChain, toTestAddress } from '../testing/fake-chain.ts';
import { RpcError } from '../testing/rpc-server.ts';

const ABI = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);
const account = privateKeyToAccount(pad('0x0a', { size: 32 }));
const contract = toTestAddress(9);
const message = 'Touchstone dispute\n\nSubject: price-spike';
const ACCEPTED = pad('0x1626ba7e', { dir: 'right', size: 32 });

/** Serves a chain with one contract wallet that returns `result` for the expected hash and signature. */
const serveWallet = async (result: (signature: Hex) => unknown, hash = hashMessage(message)) => {
  const chain = createFakeChain({ head: 5 });
  const respond = (method: string, params: readonly unknown[]): unknown => {
    if (method !== 'eth_call') return chain.respond(method, params);
    // The cast is safe because the verification under test sends parameters in this format.
    const [{ to, data }] = params as [{ to: Hex; data: Hex }];
    const { args } = decodeFunctionData({ abi: ABI, data });
    if (to !== contract) return '0x';
    expect(args[0]).toBe(hash);
    return result(args[1]);
  };
  return (await serve({ respond }, null)).providers;
};

test('accepts the published vector of personal_sign, and refuses one changed character', async () => {
  // Vector of web3.js, `accounts.sign`.
  const vector = {
    wallet: '0x2c7536e3605d9c16a7a3d7b1898e529396a65c23',
    message: 'Some data',
    signature:
      '0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c',
  } as const;
  expect(await verifyMessage(vector, [])).toBe(true);
  expect(await verifyMessage({ ...vector, message: 'Some data.' }, [])).toBe(false);
});

test('refuses the signature of another key, and bytes that are no signature', async () => {
  const signature = await account.signMessage({ message });
  expect(await verifyMessage({ wallet: account.address, message, signature }, [])).toBe(true);
  expect(await verifyMessage({ wallet: toTestAddress(1), message, signature }, [])).toBe(false);
  for (const wrong of ['0x', pad('0x', { size: 65 }), pad('0x1b', { size: 65 })] as const)
    expect(await verifyMessage({ wallet: account.address, message, signature: wrong }, [])).toBe(false);
});

test('accepts a contract wallet only by the value of ERC-1271', async () => {
  const signed = { wallet: contract, message, signature: '0x1234' } as const;
  const accepting = await serveWallet((signature) => (signature === '0x1234' ? ACCEPTED : '0x'));
  expect(await verifyMessage(signed, [accepting])).toBe(true);
  expect(await verifyMessage({ ...signed, signature: '0x1235' }, [accepting])).toBe(false);
  expect(await verifyMessage({ ...signed, wallet: toTestAddress(8) }, [accepting])).toBe(false);
  const refusing = await serveWallet(() => pad('0xffffffff', { dir: 'right', size: 32 }));
  expect(await verifyMessage(signed, [refusing])).toBe(false);
  expect(await verifyMessage(signed, [refusing, accepting])).toBe(true);
});

test('refuses a signature for which the contract reverts, after one call', async () => {
  const revert = () => new RpcError(3, 'execution reverted: too many requests');
  const { providers, opened } = await serve(createFakeChain({ head: 5 }), revert);
  expect(await verifyMessage({ wallet: contract, message, signature: '0x1234' }, [providers])).toBe(false);
  expect(opened[0]?.calls).toHaveLength(1);
});

test('throws if a network cannot be read and no other network accepts the signature', async () => {
  const signed = { wallet: contract, message, signature: '0x1234' } as const;
  const unreadable = openTestProviders(['http://127.0.0.1:1/']).providers;
  await expect(verifyMessage(signed, [unreadable])).rejects.toThrow(ChainUnreadableError);
  const accepting = await serveWallet(() => ACCEPTED);
  expect(await verifyMessage(signed, [unreadable, accepting])).toBe(true);
});

test('verifies typed data by the key of a wallet or by its contract', async () => {
  const createTypedData = (text: string) => ({
    domain: { name: 'Touchstone outcome', version: '1' },
    types: { Outcome: [{ name: 'resource', type: 'string' }] },
    primaryType: 'Outcome' as const,
    message: { resource: text },
  });
  const typedData = createTypedData('https://api.example.com/');
  const signature = await account.signTypedData(typedData);
  const signed = { wallet: account.address, signature };
  expect(await verifyTypedData({ ...signed, typedData }, [])).toBe(true);
  expect(await verifyTypedData({ ...signed, typedData: createTypedData('https://other.example/') }, [])).toBe(
    false,
  );
  const accepting = await serveWallet(() => ACCEPTED, hashTypedData(typedData));
  expect(await verifyTypedData({ wallet: contract, signature: '0x12', typedData }, [accepting])).toBe(true);
});
