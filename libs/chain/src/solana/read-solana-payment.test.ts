import { expect, test } from 'vitest';
import { readPaymentStatus } from '../index.ts';
import { serve } from '../testing/busy-chain.ts';
import { createFakeSolana, createWallet, SOLANA, toSlotTime, USDC_MINT } from '../testing/fake-solana.ts';
import { openTestProviders } from '../testing/read-all.ts';

const [ann, seller, sponsor] = [createWallet('ann'), createWallet('seller'), createWallet('sponsor')];
const account = createWallet('tokens of seller');
const payment = { slot: 10, payer: ann, account, owner: seller, amount: 5n, feePayer: sponsor };

/** Serves a chain with one payment, and returns its transaction and a reader of its state. */
async function pay(change: Partial<typeof payment & { failed: boolean; mint: string }> = {}) {
  const chain = createFakeSolana({ head: 1_000 });
  chain.pay({ ...payment, ...change });
  const [{ signature }] = chain.respond('getSignaturesForAddress', [account, {}]) as [{ signature: string }];
  const { opened } = await serve(chain, null);
  const { providers } = openTestProviders([opened[0]?.url ?? ''], SOLANA);
  const read = (by: { transaction?: string; payer?: string | null } = {}) =>
    readPaymentStatus(providers, { by: { transaction: signature, payer: null, ...by } });
  return { signature, providers, read };
}

test('reads the payment of a transaction by its signature', async () => {
  const { signature, read } = await pay();
  const settled = {
    ...{ state: 'settled', reason: 'confirmed' },
    block: { block: 10, at: toSlotTime(10), confirmations: 990 },
    payments: [
      {
        ...{ kind: 'transaction', nonce: null, transaction: signature, sender: sponsor, payer: ann },
        ...{ payTo: seller, amount: 5n, asset: USDC_MINT, at: toSlotTime(10) },
      },
    ],
  };
  expect(await read()).toEqual(settled);
  expect(await read({ payer: ann })).toEqual(settled);
});

test('a payment after the last finalized slot is unconfirmed', async () => {
  const { read } = await pay({ slot: 1_001 });
  expect(await read()).toMatchObject({
    state: 'settled',
    reason: 'unconfirmed',
    block: { confirmations: 0 },
  });
});

test('finds no payment of another payer, token or transaction, or in a failed transaction', async () => {
  const { read } = await pay();
  const none = { state: 'unknown', reason: 'no-payment', payments: [] };
  expect(await read({ payer: seller })).toMatchObject(none);
  expect(await read({ transaction: `${ann}${ann}` })).toMatchObject({
    ...none,
    reason: 'absent',
    block: null,
  });
  expect(await (await pay({ mint: createWallet('another mint') })).read()).toMatchObject(none);
  expect(await (await pay({ failed: true })).read()).toMatchObject({ ...none, reason: 'reverted' });
});

test('refuses a nonce', async () => {
  const { providers } = await pay();
  const by = { payer: '0x1', nonce: 7n, validBefore: null, since: 0 } as const;
  await expect(readPaymentStatus(providers, { by })).rejects.toThrow(
    new TypeError('Payments on Solana have no nonce.'),
  );
});
