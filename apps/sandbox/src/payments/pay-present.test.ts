import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getAddress } from 'viem';
import { balanceReader } from '../chain/balance.ts';
import { walletAddress } from '../wallet.ts';
import { openTestMarket } from './test-market.ts';
import type { TestMarket } from './test-market.ts';

let market: TestMarket;
beforeAll(async () => {
  market = await openTestMarket();
});
afterAll(() => market.close());

const seller = (wallet: string) => getAddress(walletAddress('touchstone', wallet, 'eip155:8453'));
const balanceOf = (wallet: string) => balanceReader(market.economy.chain)(seller(wallet));

describe('an agent pays over TLS, and the money arrives', () => {
  test.each([
    ['skyfall-current', 'version 2', 'skyfall', 2_000n],
    ['cryptick-price', 'version 1', 'cryptick', 500n],
    ['fxline-convert', 'both versions', 'fxline', 1_000n],
    ['pixelforge-images-generate', 'POST', 'pixelforge', 40_000n],
    ['chainlens-tokens-risk', 'the one of two networks that it can pay on', 'chainlens', 50_000n],
    ['lexbase-contracts-review', 'a high price', 'lexbase', 25_000_000n],
    ['trickle-seismic-events', 'a slow drip', 'trickle', 2_000n],
  ])('%s, which asks with %s', async (...[endpoint, , wallet, amount]) => {
    const before = await balanceOf(wallet);
    const entry = await market.buy(endpoint);
    expect(entry).toMatchObject({ endpoint, amount: String(amount), wash: false });
    expect(getAddress(entry?.payTo ?? '')).toBe(seller(wallet));
    expect((await balanceOf(wallet)) - before).toBe(amount);
  });

  test('side by side, each exactly once', async () => {
    const before = await balanceOf('skyfall');
    const wallets = ['agent 1', 'agent 2', 'agent 3', 'agent 4'];
    const entries = await Promise.all(wallets.map((wallet) => market.buy('skyfall-forecast', wallet)));
    expect(new Set(entries.map((entry) => entry?.transaction)).size).toBe(4);
    expect((await balanceOf('skyfall')) - before).toBe(16_000n);
  });
});

describe('nothing is paid', () => {
  test.each([
    ['crashlab-simulations-run', 'is broken'],
    ['opendata-elevation', 'is free'],
    ['statbureau-tables-population', 'asks so lengthily that the payment, which repeats it, is refused'],
    ['misnamed-colors-palette', 'names the wrong EIP-712 domain, so that the signature does not fit'],
  ])('to %s, which %s', async (endpoint) => {
    expect(await market.buy(endpoint)).toBeNull();
  });

  test.each([
    ['goldrush-airdrops-check', 'wants a token that only calls itself USDC'],
    ['quotable-equities-quote', 'wants to be paid on another chain'],
    ['garble-passwords-audit', 'asks in a way that nobody can read'],
    ['bodyguard-background-check', 'hides its terms where the stock client does not look'],
  ])('to %s, which %s: the client refuses', async (endpoint) => {
    await expect(market.buy(endpoint)).rejects.toThrow();
  });
});
