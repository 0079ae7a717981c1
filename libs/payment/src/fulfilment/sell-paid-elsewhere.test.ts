import { createProviders, type Providers } from '@touchstone/chain';
import { createProblem } from '@touchstone/contract';
import type { PaymentPayload } from '@x402/core/types';
import { beforeEach, describe, expect, test } from 'vitest';
import { createFacilitator, reconcilePayments } from '../index.ts';
import { createPayment, encodePayment, post, readReceiptHeader, type Reply } from '../testing/buyer.ts';
import { respondWith, type Fault } from '../testing/facilitator-proxy.ts';
import { BODY, toStatusAndCode, useTestService } from '../testing/test-service.ts';

const OTHER_WALLET = '0x00000000000000000000000000000000000000a2';

const service = useTestService();
let payer: typeof service.payer;
beforeEach(async () => {
  payer = await service.world.createWallet();
});

/** Settles a payment at the facilitator without the seller, as a third party does. */
const settleElsewhere = async (
  payload: PaymentPayload,
  changed: { payTo?: string; amount?: string } = {},
) => {
  const facilitator = createFacilitator({ url: service.world.facilitatorUrl });
  const { success, transaction } = await facilitator.settle(payload, { ...payload.accepted, ...changed });
  expect(success).toBe(true);
  return transaction;
};

const refuse = (invalidReason: string): Fault => respondWith('/verify', { isValid: false, invalidReason });

/** Returns providers that change the responses of the chain. */
const openProviders = (change: (method: string, text: string) => string): Providers =>
  createProviders({
    network: service.world.network,
    urls: [service.world.chainUrl],
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      // The cast is safe, because the providers send JSON texts.
      const { method = '' } = JSON.parse(init?.body as string) as { method?: string };
      return new Response(change(method, await response.text()), { status: response.status });
    },
    sleep: () => Promise.resolve(),
    now: Date.now,
  });

/** Providers of a node that has not received the last blocks: every nonce is unused. */
const openBehind = (isOnDemand: boolean): Providers =>
  openProviders((method, text) => {
    if (method === 'eth_call') return text.replace(/"0x0*1"/, `"0x${'0'.repeat(64)}"`);
    if (isOnDemand) return text;
    if (method === 'web3_clientVersion') return text.replace('anvil/', 'Geth/');
    return text.replace(/"timestamp":"0x[0-9a-f]+"/, '"timestamp":"0x6a000000"');
  });

const unreadable = (): Providers => openProviders(() => 'no JSON');

/** Checks that the one transfer of a payer is delivered, and that its row is settled. */
const expectDelivered = async (reply: Reply, nonce: string, run: number) => {
  expect(reply).toMatchObject({ status: 200, body: { about: BODY.resource, run } });
  const transfers = (await service.world.listTransfersTo(service.payTo)).filter(
    (transfer) => transfer.payer === payer.address.toLowerCase(),
  );
  expect(transfers).toHaveLength(1);
  expect(readReceiptHeader(reply)).toMatchObject({ success: true, transaction: transfers[0]?.transaction });
  const row = await service.findPaymentRow(nonce);
  expect(row).toMatchObject({ state: 'settled', transaction: transfers[0]?.transaction });
};

describe('a payment that a third party settled before it was presented', () => {
  test.each<[string, Fault | null, number]>([
    ['refuses the used nonce', null, 0],
    ['refuses the used nonce of an older payment', null, 31],
    ['names insufficient funds', refuse('insufficient_funds'), 0],
    ['names a failed simulation', refuse('invalid_exact_evm_transaction_simulation_failed'), 31],
    ['names an unknown reason', refuse('oh_no'), 0],
    ['sends no usable response', respondWith('/verify', 'oops', 500), 0],
    ['is not called, because the authorization has expired', null, 3_000],
    ['is not called, because the authorization is valid for too long', null, -1_000],
  ])('is delivered and recorded when the facilitator %s', async (_, fault, seconds) => {
    const seller = await service.openSeller();
    const { payload, payment, nonce } = await createPayment(payer, seller.trust, BODY);
    await settleElsewhere(payload);
    service.proxy.setFault(fault);
    service.behavior.clockOffsetMs = seconds * 1_000;
    await expectDelivered(await post(seller.trust, BODY, { payment }), nonce, 1);
    expect(service.proxy.calls).not.toContain('/settle');
    service.behavior.clockOffsetMs = 0;
    expect((await post(seller.trust, BODY, { payment })).body).toMatchObject({ run: 1 });
    expect((await post(seller.history, BODY, { payment })).body).toMatchObject({ code: 'payment-reused' });
  });

  test('is not called uncharged while its request is invalid or its work ends in a problem', async () => {
    const seller = await service.openSeller();
    const { payload, payment, nonce } = await createPayment(payer, seller.trust, BODY);
    await settleElsewhere(payload);
    service.behavior.work = async () => ({ problem: createProblem('not-probeable', 'It gave no answer.') });
    const { accepted, ...incomplete } = payload;
    const replies = [
      await post(seller.trust, '{', { payment }),
      await post(seller.trust, BODY, { payment }),
      await post(seller.trust, BODY, {
        payment: encodePayment({ ...incomplete, accepted: { ...accepted, scheme: 'upto' } }),
      }),
      await post(seller.trust, BODY, {
        payment: encodePayment({ ...payload, resource: { ...payload.resource, url: 'https://x.example' } }),
      }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([400, 422, 422, 400]);
    for (const { text } of replies) expect(text).not.toMatch(/notCharged|nothing was charged/i);
    service.behavior.work = service.defaultWork;
    await expectDelivered(await post(seller.trust, BODY, { payment }), nonce, 1);
  });

  test('is delivered although later payments of its payer are limited', async () => {
    const seller = await service.openSeller();
    const { payload, payment, nonce } = await createPayment(payer, seller.trust, BODY);
    await settleElsewhere(payload);
    const refused = { success: false, errorReason: 'insufficient_funds', transaction: '' };
    service.proxy.setFault(respondWith('/settle', { ...refused, network: service.world.network }));
    for (let count = 1; count <= 3; count += 1) {
      const next = await createPayment(payer, seller.trust, BODY);
      expect((await post(seller.trust, BODY, { payment: next.payment })).status).toBe(402);
    }
    await expectDelivered(await post(seller.trust, BODY, { payment }), nonce, 4);
  });
});

test('a payment whose row was lost with the database is delivered once more, and not charged again', async () => {
  const seller = await service.openSeller();
  const { payment, nonce } = await createPayment(payer, seller.trust, BODY);
  expect((await post(seller.trust, BODY, { payment })).status).toBe(200);
  await service.world.db.from('payments').delete().neq('payer', '');
  expect(await service.findPaymentRow(nonce)).toBeUndefined();
  const restored = await service.openSeller();
  await expectDelivered(await post(restored.trust, BODY, { payment }), nonce, 2);
  // Reconciliation checks the settlement again, because one provider may be wrong.
  expect((await service.findPaymentRow(nonce))?.audited_at).toBeNull();
  expect((await post(restored.history, BODY, { payment })).body).toMatchObject({ code: 'payment-reused' });
});

describe('a refused payment', () => {
  const AGAIN = 'Send the same request with the same payment again.';

  test('whose authorization was canceled or used elsewhere has notCharged', async () => {
    const seller = await service.openSeller();
    const canceled = await createPayment(payer, seller.trust, BODY);
    await service.world.cancelAuthorization(payer, canceled.nonce);
    const moved = await createPayment(payer, seller.trust, BODY);
    const elsewhere = { payTo: OTHER_WALLET };
    await settleElsewhere(await service.world.signAgain(payer, moved.payload, elsewhere), elsewhere);
    for (const { payment } of [canceled, moved]) {
      const reply = await service.expectNotCharged(() => post(seller.trust, BODY, { payment }));
      expect(toStatusAndCode(reply)).toEqual([402, 'invalid_exact_evm_nonce_already_used']);
    }
  });

  test('whose nonce paid another amount has no notCharged, and names the transaction', async () => {
    const seller = await service.openSeller();
    const { payload, payment } = await createPayment(payer, seller.trust, BODY);
    const other = await service.world.signAgain(payer, payload, { amount: 7n });
    const transaction = await settleElsewhere(other, { amount: '7' });
    const reply = await post(seller.trust, BODY, { payment });
    expect(toStatusAndCode(reply)).toEqual([402, 'invalid_exact_evm_nonce_already_used']);
    expect(reply.body).not.toHaveProperty('notCharged');
    expect(reply.body['detail']).toContain(`another amount to our wallet in transaction ${transaction}`);
  });

  test.each([
    ['the chain cannot be read', unreadable],
    ['the last block is old', () => openBehind(false)],
  ])('has no notCharged while %s, and is delivered later', async (_, openChain) => {
    const seller = await service.openSeller();
    const behind = await service.openSeller({ chain: openChain() });
    const { payload, payment, nonce } = await createPayment(payer, seller.trust, BODY);
    await settleElsewhere(payload);
    service.proxy.setFault(refuse('insufficient_funds'));
    const reply = await post(behind.trust, BODY, { payment });
    expect(reply.text).not.toMatch(/notCharged|nothing was charged/i);
    expect(reply.body['detail']).toContain('Send the same request');
    if (reply.status === 402) expect(reply.body['detail']).toContain(AGAIN);
    await expectDelivered(await post(seller.trust, BODY, { payment }), nonce, 1);
  });
});

describe('a settlement that the facilitator made and reported as refused', () => {
  /** Settles the payment, and responds with a refusal. */
  const settleAndRefuse: Fault = async ({ path, forward, response }) => {
    if (path !== '/settle') return false;
    await forward();
    const { network } = service.world;
    const refused = { success: false, errorReason: 'insufficient_funds', transaction: '', network };
    response.end(JSON.stringify(refused));
    return true;
  };
  const buyBehind = async (isOnDemand: boolean) => {
    const behind = await service.openSeller({ chain: openBehind(isOnDemand) });
    const { payment, nonce } = await createPayment(payer, behind.trust, BODY);
    service.proxy.setFault(settleAndRefuse);
    const reply = await post(behind.trust, BODY, { payment });
    service.proxy.setFault(null);
    return { reply, payment, nonce, seller: await service.openSeller() };
  };

  test('while the last block is old: the outcome is unknown, and the retry is delivered', async () => {
    const { reply, payment, nonce, seller } = await buyBehind(false);
    expect(toStatusAndCode(reply)).toEqual([503, 'payment-unavailable']);
    expect(reply.body).not.toHaveProperty('notCharged');
    await expectDelivered(await post(seller.trust, BODY, { payment }), nonce, 1);
  });

  test('and that the providers do not have: the retry gets the stored result', async () => {
    const { reply, payment, nonce, seller } = await buyBehind(true);
    expect(reply.status).toBe(402);
    expect(await service.findPaymentRow(nonce)).toMatchObject({ state: 'failed' });
    await expectDelivered(await post(seller.trust, BODY, { payment }), nonce, 1);
    expect(service.workedFor).toHaveLength(1);
  });

  test('is found by reconciliation, and its result is delivered', async () => {
    const { payment, nonce, seller } = await buyBehind(true);
    const now = () => Date.now() + 3_600_000;
    await reconcilePayments({ db: service.world.db, chain: service.world.providers, now, limit: 1_000 });
    await expectDelivered(await post(seller.trust, BODY, { payment }), nonce, 1);
  });

  test('is not given to a reader of the chain without the secret', async () => {
    const { payment, nonce, seller } = await buyBehind(true);
    // The cast is safe, because `createPayment` encodes a payload.
    const payload = JSON.parse(Buffer.from(payment, 'base64').toString('utf8')) as PaymentPayload;
    const public_ = encodePayment({ ...payload, extensions: {} });
    const refused = await post(seller.trust, BODY, { payment: public_ });
    expect(toStatusAndCode(refused)).toEqual([402, 'invalid_exact_evm_nonce_already_used']);
    expect(refused.body).not.toHaveProperty('notCharged');
    await expectDelivered(await post(seller.trust, BODY, { payment }), nonce, 1);
  });
});
