import { decodeFunctionData, numberToHex, pad, parseAbi, type Hex } from 'viem';
import { afterEach, expect, test } from 'vitest';
import { ChainUnreadableError, readFunds } from '../index.ts';
import { toTestAddress, createFakeChain, USDC } from '../testing/fake-chain.ts';
import { openTestProviders } from '../testing/read-all.ts';
import { serveRpc } from '../testing/rpc-server.ts';

const ABI = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function authorizationState(address, bytes32) view returns (bool)',
]);
const payer = toTestAddress(1);
const nonces = Array.from({ length: 150 }, (_, index): Hex => pad(numberToHex(index + 1), { size: 32 }));

const servers: { close: () => Promise<unknown> }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

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
  const server = await serveRpc({ respond });
  servers.push(server);
  return openTestProviders([server.url]).providers;
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
  const server = await serveRpc({ respond: () => '0x' });
  servers.push(server);
  const { providers } = openTestProviders([server.url]);
  await expect(readFunds(providers, { asset: USDC, payer, nonces: [] })).rejects.toThrow(
    ChainUnreadableError,
  );
});
