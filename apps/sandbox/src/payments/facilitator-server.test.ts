import { once } from 'node:events';
import type { Server } from 'node:http';
import { x402Client } from '@x402/core/client';
import { HTTPFacilitatorClient } from '@x402/core/server';
import type { PaymentRequirements } from '@x402/core/types';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chainTransport } from '../chain/chain-transport.ts';
import { NETWORK, USDC } from '../chain/network.ts';
import { openTestChain } from '../chain/test-chain.ts';
import type { TestChain } from '../chain/test-chain.ts';
import { mintCall } from '../chain/token-calls.ts';
import { listenOnLoopback } from '../loopback.ts';
import { smartWalletSigner } from './buyer.ts';
import type { createBuyer } from './buyer.ts';
import { createFacilitatorServer } from './facilitator-server.ts';
import { createFacilitator } from './facilitator.ts';

const operator = privateKeyToAccount(generatePrivateKey());
const payer = privateKeyToAccount(generatePrivateKey());
const pauper = privateKeyToAccount(generatePrivateKey());
const SMART: Address = '0x00000000000000000000000000000000000000b4';
const SHOP: Address = '0x00000000000000000000000000000000000000b2';

let world: TestChain;
let server: Server;
let url: string;
let facilitator: HTTPFacilitatorClient;
beforeAll(async () => {
  world = await openTestChain({ payers: [operator.address], smartWallets: [SMART] });
  const unsigned = [mintCall(payer.address, 1_000_000n), mintCall(SMART, 2_000n)];
  await world.chain.mine({ at: 0, unsigned, signed: [] });
  server = createFacilitatorServer(createFacilitator(chainTransport(world.chain, Date.now), operator));
  url = `http://127.0.0.1:${await listenOnLoopback(server, 'facilitator', 0)}`;
  facilitator = new HTTPFacilitatorClient({ url });
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
  await world.close();
});

const requirements: PaymentRequirements = {
  scheme: 'exact',
  network: NETWORK,
  amount: '2000',
  asset: USDC,
  payTo: SHOP,
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
};
const pay = (signer: Parameters<typeof createBuyer>[0] = payer, terms = requirements) =>
  registerExactEvmScheme(new x402Client(), { signer }).createPaymentPayload({
    x402Version: 2,
    resource: { url: 'https://shop.sandbox.test/', description: '', mimeType: '' },
    accepts: [terms],
  });

test('says what it supports, in both versions, and who settles', async () => {
  const { kinds, signers } = await facilitator.getSupported();
  expect(kinds).toEqual([
    expect.objectContaining({ x402Version: 2, scheme: 'exact', network: NETWORK }),
    expect.objectContaining({ x402Version: 1, scheme: 'exact', network: 'base' }),
  ]);
  expect(signers['eip155:*']).toEqual([operator.address]);
});

test('settles what it verified, once', async () => {
  const before = await world.balanceOf(SHOP);
  const payment = await pay();
  expect(await facilitator.verify(payment, requirements)).toMatchObject({
    isValid: true,
    payer: payer.address,
  });
  const settled = await facilitator.settle(payment, requirements);
  expect(settled).toMatchObject({ success: true, network: NETWORK, payer: payer.address });
  expect(await facilitator.settle(payment, requirements)).toMatchObject({ success: false });
  expect((await world.balanceOf(SHOP)) - before).toBe(2_000n);
  expect(await world.chain.rpc.call('eth_getTransactionReceipt', [settled.transaction])).toMatchObject({
    status: '0x1',
    from: operator.address.toLowerCase(),
  });
});

test('settles what a smart wallet pays to itself', async () => {
  const terms = { ...requirements, payTo: SMART };
  const payment = await pay(smartWalletSigner(SMART), terms);
  expect(await facilitator.settle(payment, terms)).toMatchObject({ success: true, payer: SMART });
  expect(await world.balanceOf(SMART)).toBe(2_000n);
});

test('settles side by side', async () => {
  const before = await world.balanceOf(SHOP);
  const payments = await Promise.all(Array.from({ length: 10 }, () => pay()));
  const settled = await Promise.all(payments.map((payment) => facilitator.settle(payment, requirements)));
  expect(settled.map(({ success }) => success)).toEqual(Array.from({ length: 10 }, () => true));
  expect((await world.balanceOf(SHOP)) - before).toBe(20_000n);
});

test('settles side by side while others come again with what was settled', async () => {
  const settleTwice = async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      const payment = await pay();
      expect(await facilitator.settle(payment, requirements)).toMatchObject({ success: true });
      expect(await facilitator.settle(payment, requirements)).toMatchObject({
        success: false,
        errorReason: 'invalid_exact_evm_nonce_already_used',
      });
    }
  };
  const before = await world.balanceOf(SHOP);
  await Promise.all(Array.from({ length: 8 }, settleTwice));
  expect((await world.balanceOf(SHOP)) - before).toBe(96_000n);
});

test('says why it refuses', async () => {
  expect(await facilitator.verify(await pay(pauper), requirements)).toMatchObject({
    isValid: false,
    invalidReason: expect.stringContaining('insufficient') as string,
  });
  const renamed = { ...requirements, extra: { name: 'USDC', version: '2' } };
  expect(await facilitator.verify(await pay(payer, renamed), renamed)).toMatchObject({ isValid: false });
  const dearer = { ...requirements, amount: '2001' };
  expect(await facilitator.verify(await pay(), dearer)).toMatchObject({ isValid: false });
});

test('answers nonsense with 400 and other paths with 404', async () => {
  const post = (path: string, body: string) => fetch(`${url}${path}`, { method: 'POST', body });
  expect((await post('/verify', '{')).status).toBe(400);
  expect((await post('/settle', '{"paymentPayload":{},"paymentRequirements":{}}')).status).toBe(400);
  expect((await post('/', '{}')).status).toBe(404);
});

test('takes payments that repeat long schemas of their resource', async () => {
  const payment = { ...(await pay()), extensions: { bazaar: { schema: 'x'.repeat(60_000) } } };
  expect(await facilitator.verify(payment, requirements)).toMatchObject({ isValid: true });
});
