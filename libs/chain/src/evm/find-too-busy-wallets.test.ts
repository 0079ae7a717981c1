import { afterEach, describe, expect, test } from 'vitest';
import type { Hex } from 'viem';
import { readSettlements } from '../index.ts';
import { closeServers, ORDER, serve } from '../testing/busy-chain.ts';
import { toTestAddress, createFakeChain } from '../testing/fake-chain.ts';

afterEach(closeServers);

const [exchange, shop] = [toTestAddress(1), toTestAddress(2)];

/** A chain of 1,000 blocks on which the exchange got so many transfers, and the shop ten that were signed. */
async function stepOf(count: number, signed: boolean, maxRows = 5_000) {
  const chain = createFakeChain({ head: 1_000 });
  const pay = (index: number, to: Hex, isSigned: boolean) =>
    chain.add({
      block: index % 1_000,
      from: toTestAddress(100 + (index % 50)),
      to,
      amount: 5n,
      signed: isSigned,
    });
  for (let index = 0; index < count; index += 1) pay(index, exchange, signed);
  for (let index = 0; index < 10; index += 1) pay(index * 100, shop, true);
  const { opened, providers } = await serve(chain, null);
  const wallets = [exchange, shop];
  const step = await readSettlements({ ...ORDER, network: 'eip155:8453', wallets, maxRows, providers });
  const calls = opened[0]?.calls ?? [];
  const lookups = calls.filter(({ method }) => /^eth_getTransaction(ByHash|Receipt)$/.test(method)).length;
  const to = (payTo: string) => step.settlements.filter((row) => row.payTo === payTo).length;
  return { step, lookups, exchange: to(exchange), shop: to(shop) };
}

describe('a wallet that gets thousands of plain transfers', () => {
  test('is set aside, and nothing of it is kept or looked up', async () => {
    const { step, lookups, ...rows } = await stepOf(3_001, false);
    expect(step).toMatchObject({ tooBusy: [exchange], caughtUp: true });
    expect(rows).toEqual({ exchange: 0, shop: 10 });
    expect(lookups).toBeLessThanOrEqual(3);
  });

  test('is set aside when it alone cuts every step short, too', async () => {
    const { step, exchange: kept } = await stepOf(3_001, false, 100);
    expect(step.tooBusy).toEqual([exchange]);
    expect([kept, step.caughtUp]).toEqual([0, false]);
    // The next step is no shorter for it.
    expect(step.cursor.span).toBe(9_000);
  });

  test('is read as any other when they were signed, or when they are few', async () => {
    const paid = await stepOf(1_501, true);
    expect([paid.step.tooBusy, paid.exchange]).toEqual([undefined, 1_501]);
    const quiet = await stepOf(401, false);
    expect([quiet.step.tooBusy, quiet.exchange]).toEqual([undefined, 401]);
  });
});
