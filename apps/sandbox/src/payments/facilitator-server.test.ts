import { once } from 'node:events';
import type { Server } from 'node:http';
import { x402Client } from '@x402/core/client';
import { HTTPFacilitatorClient } from '@x402/core/server';
import type { PaymentRequirements } from '@x402/core/types';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMintCall } from '../chain/chain-access.ts';
import {
  BASE,
  BASE_SEPOLIA,
  CHAIN_NETWORKS,
  listChainNetworks,
  type ChainNetwork,
} from '../chain/network.ts';
import { listenOnLoopback } from '../http/loopback.ts';
import { openTestChain, type TestChain } from '../testing/test-chain.ts';
import { createSmartWalletSigner, type createBuyer } from './buyer.ts';
import { createFacilitatorServer } from './facilitator-server.ts';
import { createFacilitator } from './facilitator.ts';

const operator = privateKeyToAccount(generatePrivateKey());
const payer = privateKeyToAccount(generatePrivateKey());
const unfunded = privateKeyToAccount(generatePrivateKey());
const SMART: Address = '0x00000000000000000000000000000000000000b4';
const SELLER: Address = '0x00000000000000000000000000000000000000b2';

const NETWORKS = listChainNetworks(BASE_SEPOLIA.id);

let testChains: Map<string, TestChain>;
let server: Server;
let url: string;
let facilitator: HTTPFacilitatorClient;
beforeAll(async () => {
  const opened = NETWORKS.map(async (network) => {
    const testChain = await openTestChain({ network, gasPayers: [operator.address], smartWallets: [SMART] });
    const unsigned = [
      createMintCall(network, payer.address, 1_000_000n),
      createMintCall(network, SMART, 2_000n),
    ];
    await testChain.chain.mine({ at: 0, unsigned, signed: [] });
    return [network.id, testChain] as const;
  });
  testChains = new Map(await Promise.all(opened));
  const chains = [...testChains.values()].map(({ chain }) => chain);
  server = createFacilitatorServer(createFacilitator({ chains, gasPayer: operator, now: Date.now }), chains);
  url = `http://127.0.0.1:${await listenOnLoopback(server, 'facilitator', 0)}`;
  facilitator = new HTTPFacilitatorClient({ url });
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
  for (const { close } of testChains.values()) await close();
});

function createRequirements(network: ChainNetwork): PaymentRequirements {
  return {
    scheme: 'exact',
    network: network.id,
    amount: '2000',
    asset: network.usdc,
    payTo: SELLER,
    maxTimeoutSeconds: 60,
    extra: { name: network.id === BASE_SEPOLIA.id ? 'USDC' : 'USD Coin', version: '2' },
  };
}

const requirements = createRequirements(BASE);

function findTestChain({ id }: ChainNetwork): TestChain {
  const found = testChains.get(id);
  if (!found) throw new Error(`the test has no chain for ${id}`);
  return found;
}

function readBalance(address: Address, network: ChainNetwork = BASE) {
  return findTestChain(network).balanceOf(address);
}

function pay(signer: Parameters<typeof createBuyer>[0] = payer, terms = requirements) {
  return registerExactEvmScheme(new x402Client(), { signer }).createPaymentPayload({
    x402Version: 2,
    resource: { url: 'https://seller.sandbox.test/', description: '', mimeType: '' },
    accepts: [terms],
  });
}

test('lists the supported kinds of both versions, and the settling account', async () => {
  const { kinds, signers } = await facilitator.getSupported();
  expect(kinds).toEqual([
    expect.objectContaining({ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }),
    expect.objectContaining({ x402Version: 2, scheme: 'exact', network: 'eip155:137' }),
    expect.objectContaining({ x402Version: 2, scheme: 'exact', network: 'eip155:84532' }),
    expect.objectContaining({ x402Version: 1, scheme: 'exact', network: 'base' }),
    expect.objectContaining({ x402Version: 1, scheme: 'exact', network: 'polygon' }),
    expect.objectContaining({ x402Version: 1, scheme: 'exact', network: 'base-sepolia' }),
  ]);
  expect(signers['eip155:*']).toEqual([operator.address]);
});

test.each(NETWORKS)('settles a verified payment on $id once', async (network) => {
  const terms = createRequirements(network);
  const readBalances = () => Promise.all(NETWORKS.map((each) => readBalance(SELLER, each)));
  const before = await readBalances();
  const payment = await pay(payer, terms);
  expect(await facilitator.verify(payment, terms)).toMatchObject({ isValid: true, payer: payer.address });
  const settled = await facilitator.settle(payment, terms);
  expect(settled).toMatchObject({ success: true, network: network.id, payer: payer.address });
  expect(await facilitator.settle(payment, terms)).toMatchObject({ success: false });
  const after = await readBalances();
  expect(after.map((balance, index) => balance - (before[index] ?? 0n))).toEqual(
    NETWORKS.map(({ id }) => (id === network.id ? 2_000n : 0n)),
  );
  expect(
    await findTestChain(network).chain.rpc.call('eth_getTransactionReceipt', [settled.transaction]),
  ).toMatchObject({
    status: '0x1',
    from: operator.address.toLowerCase(),
  });
});

test('rejects a signature for the same payment on another network', async () => {
  const payment = await pay();
  const terms = createRequirements(CHAIN_NETWORKS[1]);
  const moved = { ...payment, accepted: terms };
  expect(await facilitator.verify(moved, terms)).toMatchObject({ isValid: false });
  expect(await facilitator.settle(moved, terms)).toMatchObject({ success: false });
});

test('settles a payment of a smart wallet to itself', async () => {
  const terms = { ...requirements, payTo: SMART };
  const payment = await pay(createSmartWalletSigner(SMART), terms);
  expect(await facilitator.settle(payment, terms)).toMatchObject({ success: true, payer: SMART });
  expect(await readBalance(SMART)).toBe(2_000n);
});

test('settles concurrent payments while other payments are sent a second time', async () => {
  const settleTwice = async () => {
    for (let round = 0; round < 2; round += 1) {
      const payment = await pay();
      expect(await facilitator.settle(payment, requirements)).toMatchObject({ success: true });
      expect(await facilitator.settle(payment, requirements)).toMatchObject({
        success: false,
        errorReason: 'invalid_exact_evm_nonce_already_used',
      });
    }
  };
  const before = await readBalance(SELLER);
  await Promise.all(Array.from({ length: 5 }, settleTwice));
  expect((await readBalance(SELLER)) - before).toBe(20_000n);
});

test('returns the reason of a rejection', async () => {
  expect(await facilitator.verify(await pay(unfunded), requirements)).toMatchObject({
    isValid: false,
    invalidReason: expect.stringContaining('insufficient') as string,
  });
  const renamed = { ...requirements, extra: { name: 'USDC', version: '2' } };
  expect(await facilitator.verify(await pay(payer, renamed), renamed)).toMatchObject({ isValid: false });
  const higher = { ...requirements, amount: '2001' };
  expect(await facilitator.verify(await pay(), higher)).toMatchObject({ isValid: false });
});

test.each([
  ['network', { network: 'eip155:999999' }, 'invalid_network'],
  ['scheme', { scheme: 'upto' }, 'unsupported_scheme'],
  ['token domain', { extra: {} }, 'invalid_exact_evm_missing_eip712_domain'],
] as const)('declines a payment with a %s that it cannot settle', async (_, change, reason) => {
  const unsupported: PaymentRequirements = { ...requirements, ...change };
  const payment = { ...(await pay()), accepted: unsupported };
  expect(await facilitator.verify(payment, unsupported)).toMatchObject({
    isValid: false,
    invalidReason: reason,
  });
  const { network } = unsupported;
  const declined = { success: false, errorReason: reason, transaction: '', network };
  expect(await facilitator.settle(payment, unsupported)).toMatchObject(declined);
});

test('responds with 400 to an invalid body and with 404 to other paths', async () => {
  const post = (path: string, body: string) => fetch(`${url}${path}`, { method: 'POST', body });
  expect((await post('/verify', '{')).status).toBe(400);
  expect((await post('/settle', '{"paymentPayload":{},"paymentRequirements":{}}')).status).toBe(400);
  expect((await post('/', '{}')).status).toBe(404);
});

test('accepts payments that repeat long schemas of their resource', async () => {
  const payment = { ...(await pay()), extensions: { bazaar: { schema: 'x'.repeat(60_000) } } };
  expect(await facilitator.verify(payment, requirements)).toMatchObject({ isValid: true });
});

test('responds 503 while the chain of a payment does not respond', async () => {
  const stopped = await openTestChain({ gasPayers: [operator.address] });
  await stopped.close();
  const chains = [stopped.chain];
  const facilitatorOfStopped = createFacilitator({ chains, gasPayer: operator, now: Date.now });
  const other = createFacilitatorServer(facilitatorOfStopped, chains);
  const client = new HTTPFacilitatorClient({
    url: `http://127.0.0.1:${await listenOnLoopback(other, 'facilitator', 0)}`,
  });
  const payment = await pay();
  await expect(client.verify(payment, requirements)).rejects.toThrow('503');
  await expect(client.settle(payment, requirements)).rejects.toThrow('503');
  other.close();
  other.closeAllConnections();
});
