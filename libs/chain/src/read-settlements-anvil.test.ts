import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findAnvil, startAnvil } from './testing/anvil.ts';
import { toTestAddress } from './testing/fake-chain.ts';
import { openTestProviders, readAll } from './testing/read-all.ts';

const binary = findAnvil();
const [seller, other, ann, bob] = [1, 2, 50, 51].map(toTestAddress);
if (!seller || !other || !ann || !bob) throw new TypeError('addresses are missing');

// npm provides anvil for common platforms only. On other platforms these tests are skipped.
describe.skipIf(binary === null)('readSettlements on anvil', () => {
  let chain: Awaited<ReturnType<typeof startAnvil>>;
  beforeAll(async () => {
    chain = await startAnvil(binary ?? '');
  });
  afterAll(() => chain.stop());

  const order = { wallets: [seller, other], cursor: null, since: 0, confirmations: 2, maxSpan: 10 } as const;

  test('returns exact amounts, also after a reorg and after a revert to a snapshot', async () => {
    const { providers } = openTestProviders([chain.url]);
    await chain.mine(30);
    const batch = await chain.pay(
      { from: ann, to: seller, value: 1_000n, signed: true },
      { from: bob, to: toTestAddress(900), value: 9_000n, signed: true },
      { from: ann, to: seller, value: 25_000n, signed: false },
      { from: bob, to: other, value: 2n ** 255n, signed: true },
    );
    await chain.mine();
    await chain.pay({ from: seller, to: seller, value: 5n, signed: true });
    await chain.mine(3);
    const first = await readAll(providers, order);
    const listRows = () =>
      [...first.kept.values()].map(({ payer, payTo, amount, kind }) => [payer, payTo, amount, kind]);
    expect(listRows()).toEqual([
      [ann, seller, 1_000n, 'x402'],
      [ann, seller, 25_000n, 'transfer'],
      [bob, other, 2n ** 255n, 'x402'],
      [seller, seller, 5n, 'x402'],
    ]);
    expect([...first.kept.values()][0]).toMatchObject({ transaction: batch, blockNumber: 31n });

    // Blocks were read after two confirmations, and the reorg replaces the last three blocks. They contain the
    // self-payment, but not the batch of payments.
    await chain.call('anvil_reorg', 3, []);
    await chain.mine(2);
    const second = await readAll(providers, { ...order, cursor: first.cursor }, first.kept);
    expect(second.removals).toHaveLength(1);
    expect(second.kept.size).toBe(3);

    const snapshot = await chain.call('evm_snapshot');
    await chain.pay({ from: bob, to: seller, value: 77n, signed: true });
    await chain.mine(4);
    const third = await readAll(providers, { ...order, cursor: second.cursor }, first.kept);
    expect(third.kept.size).toBe(4);
    await chain.call('evm_revert', snapshot);
    await chain.pay({ from: bob, to: other, value: 78n, signed: true });
    await chain.mine(6);
    await readAll(providers, { ...order, cursor: third.cursor }, first.kept);
    expect(listRows().map(([, , amount]) => amount)).toEqual([1_000n, 25_000n, 2n ** 255n, 78n]);
  });

  test('does not return unconfirmed payments', async () => {
    const { providers } = openTestProviders([chain.url]);
    await chain.mine(2);
    const { cursor } = await readAll(providers, order);
    await chain.pay({ from: ann, to: seller, value: 3n, signed: true });
    await chain.mine(2);
    const early = await readAll(providers, { ...order, cursor });
    expect(early.settlements).toEqual([]);
    await chain.mine();
    expect((await readAll(providers, { ...order, cursor: early.cursor })).settlements).toMatchObject([
      { amount: 3n, kind: 'x402', payer: ann },
    ]);
  });
});
