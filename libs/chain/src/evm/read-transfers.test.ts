import { describe, expect, test } from 'vitest';
import type { Hex } from 'viem';
import { readSettlements } from '../index.ts';
import { ORDER, serve } from '../testing/busy-chain.ts';
import { toTestAddress, createFakeChain } from '../testing/fake-chain.ts';

const [exchange, seller] = [toTestAddress(1), toTestAddress(2)];

/** Reads 1,000 blocks with `count` transfers to an exchange and ten authorized transfers to a seller. */
async function readStep(count: number, signed: boolean, maxRows = 5_000) {
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
  for (let index = 0; index < 10; index += 1) pay(index * 100, seller, true);
  const { opened, providers } = await serve(chain, null);
  const wallets = [exchange, seller];
  const step = await readSettlements({ ...ORDER, network: 'eip155:8453', wallets, maxRows, providers });
  const calls = opened[0]?.calls ?? [];
  const lookups = calls.filter(({ method }) => /^eth_getTransaction(ByHash|Receipt)$/.test(method)).length;
  const countTo = (payTo: string) => step.settlements.filter((row) => row.payTo === payTo).length;
  return { step, lookups, exchange: countTo(exchange), seller: countTo(seller) };
}

describe('a wallet with thousands of plain transfers', () => {
  test('is too busy: its transfers are neither returned nor looked up', async () => {
    const { step, lookups, ...rows } = await readStep(3_001, false);
    expect(step).toMatchObject({ tooBusy: [exchange], caughtUp: true });
    expect(rows).toEqual({ exchange: 0, seller: 10 });
    // Three samples of the exchange, and the last payment to the seller.
    expect(lookups).toBeLessThanOrEqual(4);
  });

  test('is too busy when it alone shortens every step', async () => {
    const { step, exchange: kept } = await readStep(3_001, false, 100);
    expect(step.tooBusy).toEqual([exchange]);
    expect([kept, step.caughtUp]).toEqual([0, false]);
    // The transfers of the exchange do not reduce the number of blocks of the next step.
    expect(step.cursor.span).toBe(9_000);
  });

  test('is not too busy when the transfers are signed or few', async () => {
    const paid = await readStep(1_501, true);
    expect([paid.step.tooBusy, paid.exchange]).toEqual([undefined, 1_501]);
    const quiet = await readStep(401, false);
    expect([quiet.step.tooBusy, quiet.exchange]).toEqual([undefined, 401]);
  });
});

describe('a wallet with thousands of outgoing transfers', () => {
  const readSent = async (payments: number) => {
    const chain = createFakeChain({ head: 1_000 });
    for (let index = 0; index < 1_501; index += 1)
      chain.add({ block: index % 1_000, from: seller, to: toTestAddress(100), amount: 5n });
    for (let index = 0; index < payments; index += 1)
      chain.add({ block: index, from: toTestAddress(101), to: seller, amount: 5n, signed: true });
    const { opened, providers } = await serve(chain, null);
    const step = await readSettlements({ ...ORDER, network: 'eip155:8453', wallets: [seller], providers });
    const logCalls = (opened[0]?.calls ?? []).filter(({ method }) => method === 'eth_getLogs').length;
    return { tooBusy: step.tooBusy, rows: step.settlements.length, logCalls };
  };

  test.each([
    ['is too busy', 10, { tooBusy: [seller], rows: 0 }],
    // Three calls read known logs; the others read both directions and the authorizations.
    ['is read when its payments explain them', 60, { rows: 1_561, logCalls: 6 }],
  ])('%s', async (_, payments, expected) => {
    expect(await readSent(payments)).toMatchObject(expected);
  });
});
