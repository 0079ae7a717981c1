import { describe, expect, test } from 'vitest';
import { createFacilitator } from '../index.ts';
import { buy, readChallengeHeader, createPayment, post, readReceiptHeader } from '../testing/buyer.ts';
import { respondWith, cutConnection, type Fault } from '../testing/facilitator-proxy.ts';
import { BODY, toStatusAndCode, useTestService } from '../testing/test-service.ts';

const OTHER_WALLET = '0x00000000000000000000000000000000000000a2';
/** Response of a facilitator that refuses to settle a payment from an empty wallet. */
const REFUSED = {
  success: false,
  errorReason: 'insufficient_funds',
  transaction: '',
  network: 'eip155:8453',
};

const service = useTestService();

/** Opens a seller with the given timeouts of facilitator calls, and a seller with the default timeouts of the tests. */
const openTwoSellers = async (impatient: { verifyMs: number } | { settleMs: number } | null) => {
  const timeouts = { verifyMs: 4_000, settleMs: 4_000, ...impatient };
  const facilitator = createFacilitator({ url: service.proxy.url, timeouts });
  return [await service.openSeller({ facilitator }), await service.openSeller()] as const;
};

describe('a facilitator', () => {
  test.each<[string, Fault, { verifyMs: number }?]>([
    ['closes the connection', cutConnection('/verify', 'before')],
    ['sends no JSON', respondWith('/verify', '<html>')],
    ['sends another JSON', respondWith('/verify', { isValid: 'yes' })],
    ['responds with 500', respondWith('/verify', { isValid: false, invalidReason: 'x' }, 500)],
    ['requires a key', respondWith('/verify', { error: 'unauthorized' }, 401)],
    ['refuses our key', respondWith('/verify', { isValid: false, invalidReason: 'forbidden' }, 403)],
    ['limits our requests', respondWith('/verify', { isValid: false, invalidReason: 'slow_down' }, 429)],
    ['does not respond in time', () => new Promise<boolean>(() => undefined), { verifyMs: 200 }],
    ['names another payer', respondWith('/verify', { isValid: true, payer: OTHER_WALLET })],
  ])(
    'that %s during verification: nothing is charged, and the payment can be sent again',
    async (_, fault, impatient) => {
      const [seller, other] = await openTwoSellers(impatient ?? null);
      const { payment } = await createPayment(service.payer, seller.trust, BODY);
      service.proxy.setFault(fault);
      const reply = await service.expectNotCharged(() => post(seller.trust, BODY, { payment }));
      expect(toStatusAndCode(reply)).toEqual([503, 'payment-unavailable']);
      expect(reply.headers.get('retry-after')).toBe('10');
      expect(service.workedFor).toEqual([]);
      expect((await post(seller.trust, BODY)).status).toBe(402);
      service.proxy.setFault(null);
      expect((await post(other.trust, BODY, { payment })).status).toBe(200);
    },
  );

  test('that refuses with an HTTP error refuses the payment, and its internal URLs are not published', async () => {
    const seller = await service.openSeller();
    service.proxy.setFault(respondWith('/verify', { isValid: false, invalidReason: 'blocked_address' }, 400));
    expect(
      toStatusAndCode(await service.expectNotCharged(() => buy(service.payer, seller.trust, BODY))),
    ).toEqual([402, 'blocked_address']);
    service.proxy.setFault(
      respondWith('/verify', { isValid: false, invalidReason: 'failed: http://10.0.0.1/key' }),
    );
    expect(
      toStatusAndCode(await service.expectNotCharged(() => buy(service.payer, seller.trust, BODY))),
    ).toEqual([402, 'invalid_payment']);
  });

  test.each<[string, Fault, number, { settleMs: number }?]>([
    ['loses its response after the settlement', cutConnection('/settle', 'after'), 1],
    ['loses its connection before the settlement', cutConnection('/settle', 'before'), 0],
    ['sends no JSON', respondWith('/settle', 'oops', 502), 0],
    [
      'does not respond in time',
      (call) => (call.path === '/settle' ? new Promise<boolean>(() => undefined) : false),
      0,
      { settleMs: 200 },
    ],
    [
      'claims success without a transaction',
      respondWith('/settle', { success: true, transaction: '', network: 'eip155:8453' }),
      0,
    ],
    [
      'settles on another network',
      respondWith('/settle', { success: true, transaction: `0x${'1'.repeat(64)}`, network: 'eip155:1' }),
      0,
    ],
    [
      'settles for another payer',
      respondWith('/settle', {
        success: true,
        transaction: `0x${'1'.repeat(64)}`,
        network: 'eip155:8453',
        payer: OTHER_WALLET,
      }),
      0,
    ],
    ['limits our requests', respondWith('/settle', REFUSED, 429), 0],
    ['refuses our key', respondWith('/settle', REFUSED, 403), 0],
    [
      'reports a failed transaction, which may still be mined',
      respondWith('/settle', { ...REFUSED, errorReason: 'invalid_exact_evm_transaction_failed' }),
      0,
    ],
    ['refuses with an unknown reason', respondWith('/settle', { ...REFUSED, errorReason: 'oh_no' }), 0],
    [
      'reports a pending transaction',
      respondWith('/settle', {
        success: false,
        errorReason: 'settlement_pending',
        transaction: `0x${'1'.repeat(64)}`,
        network: 'eip155:8453',
      }),
      0,
    ],
  ])('that %s: the repeated request is charged once and delivered', async (...row) => {
    const [, fault, moved, impatient] = row;
    const [seller, other] = await openTwoSellers(impatient ?? null);
    const { payment } = await createPayment(service.payer, seller.trust, BODY);
    const before = await service.countTransfers();
    service.proxy.setFault(fault);
    const unknown = await post(seller.trust, BODY, { payment });
    expect(toStatusAndCode(unknown)).toEqual([503, 'payment-unavailable']);
    expect(unknown.body).not.toHaveProperty('notCharged');
    expect(unknown.headers.get('retry-after')).toBe('5');
    expect((await service.countTransfers()) - before).toBe(moved);
    service.proxy.setFault(null);
    const reply = await post(other.trust, BODY, { payment });
    expect(reply).toMatchObject({ status: 200, body: { run: 1 } });
    const last = (await service.world.listTransfersTo(service.payTo)).at(-1);
    expect(readReceiptHeader(reply)).toMatchObject({ success: true, transaction: last?.transaction });
    expect([service.workedFor.length, (await service.countTransfers()) - before]).toEqual([1, 1]);
  });

  test('that refuses to settle: the result is kept, and the work is repeated for the same payment', async () => {
    const seller = await service.openSeller();
    const { payment, nonce } = await createPayment(await service.world.createWallet(), seller.trust, BODY);
    service.proxy.setFault(respondWith('/settle', REFUSED));
    const refused = await service.expectNotCharged(() => post(seller.trust, BODY, { payment }));
    expect(toStatusAndCode(refused)).toEqual([402, 'insufficient_funds']);
    expect(readReceiptHeader(refused)).toMatchObject({ success: false, errorReason: 'insufficient_funds' });
    expect(readChallengeHeader(refused).accepts).toHaveLength(1);
    expect(await service.findPaymentRow(nonce)).toMatchObject({
      ...{ state: 'failed', result: JSON.stringify({ about: BODY.resource, run: 1 }) },
    });
    service.proxy.setFault(null);
    expect(await post(seller.trust, BODY, { payment })).toMatchObject({ status: 200, body: { run: 2 } });
  });

  test('that refused to settle: the payment stays failed until it is verified again', async () => {
    const seller = await service.openSeller();
    const { payment, nonce } = await createPayment(await service.world.createWallet(), seller.trust, BODY);
    service.proxy.setFault(respondWith('/settle', REFUSED));
    expect((await post(seller.trust, BODY, { payment })).status).toBe(402);
    const before = await service.findPaymentRow(nonce);
    const states: unknown[] = [];
    service.proxy.setFault(async ({ path }) => {
      // A claim that ran at the same time as the verification would be stored within these 300 milliseconds.
      if (path === '/verify') await new Promise((done) => setTimeout(done, 300));
      if (path === '/verify') states.push((await service.findPaymentRow(nonce))?.state);
      return false;
    });
    expect((await post(seller.trust, BODY, { payment })).status).toBe(200);
    expect(states).toEqual(['failed']);
    expect(await service.findPaymentRow(nonce)).toMatchObject({ created_at: before?.created_at });
  });

  test('that refuses after a lost response: the outcome stays unknown and the result is kept', async () => {
    const { seller, payment } = await service.preparePayment();
    service.proxy.setFault(cutConnection('/settle', 'before'));
    expect((await post(seller.trust, BODY, { payment })).status).toBe(503);
    service.proxy.setFault(respondWith('/settle', REFUSED));
    const unknown = await post(seller.trust, BODY, { payment });
    expect(toStatusAndCode(unknown)).toEqual([503, 'payment-unavailable']);
    expect(unknown.body).not.toHaveProperty('notCharged');
    service.proxy.setFault(null);
    expect(await post(seller.trust, BODY, { payment })).toMatchObject({ status: 200, body: { run: 1 } });
  });

  test('gets at most 20 settlement requests; after that only the chain is queried', async () => {
    const { seller, payment } = await service.preparePayment();
    service.proxy.setFault(cutConnection('/settle', 'before'));
    for (let attempt = 1; attempt <= 25; attempt += 1) {
      expect((await post(seller.trust, BODY, { payment })).status).toBe(503);
    }
    expect(service.proxy.calls.filter((path) => path === '/settle')).toHaveLength(20);
    expect(service.workedFor).toHaveLength(1);
  });

  test('is not needed at the start, nor for a challenge', async () => {
    const seller = await service.openSeller({
      facilitator: createFacilitator({ url: 'http://127.0.0.1:1' }),
    });
    expect((await post(seller.trust, BODY)).status).toBe(402);
    expect(
      toStatusAndCode(await service.expectNotCharged(() => buy(service.payer, seller.trust, BODY))),
    ).toEqual([503, 'payment-unavailable']);
  });
});
