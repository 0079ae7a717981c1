import { decodeFunctionData, numberToHex, pad, parseAbi, type Hex } from 'viem';
import { expect, test } from 'vitest';
import { ChainUnreadableError, hasCode, readFunds } from '../index.ts';
import { serve } from '../testing/busy-chain.ts';
import { toTestAddress, createFakeChain, USDC } from '../testing/fake-chain.ts';

const ABI = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function authorizationState(address, bytes32) view returns (bool)',
]);
const payer = toTestAddress(1);
const nonces = Array.from({ length: 150 }, (_, index): Hex => pad(numberToHex(index + 1), { size: 32 }));

/** Serves a token: the balance of the payer is 7 atomic units, and every third nonce of the payer is used. */
const openToken = async () => {
  const chain = createFakeChain({ head: 500 });
  const respond = (method: string, params: readonly unknown[]): unknown => {
    if (method !== 'eth_call') return chain.respond(method, params);
    // The cast is safe because the reader under test sends parameters in this format.
    const [{ to, data }, block] = params as [{ to: Hex; data: Hex }, Hex];
    expect([to, block]).toEqual([USDC, numberToHex(500)]);
    const { functionName, args } = decodeFunctionData({ abi: ABI, data });
    expect(args[0].toLowerCase()).toBe(payer);
    const value = functionName === 'balanceOf' ? 7n : BigInt(args[1]) % 3n === 0n ? 1n : 0n;
    return numberToHex(value, { size: 32 });
  };
  return (await serve({ respond }, null)).providers;
};

test('reads the balance and the used nonces at the end of one block', async () => {
  const providers = await openToken();
  expect(await readFunds(providers, { asset: USDC, payer, nonces })).toEqual({
    balance: 7n,
    usedNonces: new Set(nonces.filter((_, index) => (index + 1) % 3 === 0)),
  });
  expect(await readFunds(providers, { asset: USDC, payer, nonces: [] })).toEqual({
    balance: 7n,
    usedNonces: new Set(),
  });
});

test('throws for an invalid response instead of returning a balance of zero', async () => {
  const { providers } = await serve({ respond: () => '0x' }, null);
  await expect(readFunds(providers, { asset: USDC, payer, nonces: [] })).rejects.toThrow(
    ChainUnreadableError,
  );
});

test.each([
  ['0x', false],
  ['0x6001', true],
  [null, ChainUnreadableError],
  ['', ChainUnreadableError],
  ['0x0', ChainUnreadableError],
  [7, ChainUnreadableError],
])('of an address with the code %j, hasCode returns or throws %s', async (code, expected) => {
  const respond = (method: string, params: readonly unknown[]): unknown => {
    expect([method, params]).toEqual(['eth_getCode', [payer, 'latest']]);
    return code;
  };
  const result = hasCode((await serve({ respond }, null)).providers, payer);
  if (typeof expected === 'boolean') expect(await result).toBe(expected);
  else await expect(result).rejects.toThrow(expected);
});
