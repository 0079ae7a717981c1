import { describe, expect, it } from 'vitest';
import { openBuyer, RESOURCE } from '../testing/buyer.ts';
import { openPurchaseTest, refuse } from '../testing/purchase-test.ts';
import { createChallenge, respond, SETTLED } from '../testing/seller.ts';
import { startServer } from '../testing/serve.ts';

const problem = (code: string, extra: Record<string, unknown> = {}) => ({
  type: 'about:blank',
  title: 'Something',
  code,
  detail: 'What happened.',
  ...extra,
});

describe('an untrusted service', () => {
  it('gets no signature when it overcharges', async () => {
    await using shop = await openPurchaseTest({
      challenge: (url) => createChallenge(url, { amount: '5000000' }),
    });
    const { code, stdout, stderr } = await shop.buyTrust();
    expect([code, stdout, shop.seller.signatures, shop.buyer.listStoredPayments()]).toEqual([2, '', [], []]);
    expect(stderr).toContain('price of $5.00 is above the limit of $0.05');
  });

  it('gets one payment of the confirmed price, even if it changes the quote later', async () => {
    await using shop = await openPurchaseTest({
      challenge: (url) => createChallenge(url, { amount: '5000' }),
      onPaid: (sale) => refuse(sale, 'Payment required'),
    });
    const { code, stderr } = await shop.buyTrust();
    expect(code).toBe(2);
    expect(stderr).toContain('refused the payment of $0.005');
    expect(stderr).toContain('Nothing was charged');
    const { signatures, unpaid } = shop.seller;
    expect([signatures.length, unpaid(), shop.buyer.listStoredPayments()]).toEqual([1, 1, []]);
    expect(Buffer.from(signatures[0] ?? '', 'base64').toString()).toContain('"value":"5000"');
  });

  it('cannot print control characters', async () => {
    const texts = { serviceName: '\u001b[2Jfree\u202e', description: 'line\r\nTo      0xevil' };
    await using shop = await openPurchaseTest({
      challenge: (url) => createChallenge(url, {}, texts),
      onPaid: ({ response }) => {
        response.statusCode = 422;
        const detail = '\u001b]0;title\u0007gone\u009b2J';
        respond(response, problem('not-probeable', { detail, notCharged: true }));
      },
    });
    const { stdout, stderr } = await shop.buyTrust();
    expect(stdout + stderr).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(stderr).not.toMatch(/^To/m);
    expect(stderr).toContain('gone');
  });
});

it('a service that returns an error instead of a quote gets no signature', async () => {
  using buyer = openBuyer();
  await using server = await startServer((_, response) => {
    response.statusCode = 503;
    respond(response, problem('search-unavailable', { notCharged: true }));
  });
  const args = ['search', '--service', `http://127.0.0.1:${String(server.port)}`, '--yes', 'weather'];
  const { code, stdout, stderr } = await buyer.run(args);
  expect([code, stdout, buyer.listStoredPayments()]).toEqual([2, '', []]);
  expect(stderr).toContain('503 search-unavailable: What happened. Nothing was signed or charged.');
});

describe('an error response to a payment', () => {
  it.each([
    [
      422,
      problem('not-probeable', { notCharged: true }),
      'The service returned 422 not-probeable: What happened. Nothing was charged.',
    ],
    [409, problem('payment-reused', { notCharged: true }), 'Nothing more was charged'],
    [
      400,
      problem('invalid-request', { errors: [{ path: 'resource', message: 'Too long' }], notCharged: true }),
      'resource: Too long. Nothing was charged.',
    ],
  ])('of status %i is described in one line', async (status, body, description) => {
    await using shop = await openPurchaseTest({
      onPaid: ({ response }) => {
        response.statusCode = status;
        respond(response, body);
      },
    });
    const { code, stdout, stderr } = await shop.buyTrust();
    expect([code, stdout, shop.buyer.listStoredPayments()]).toEqual([2, '', []]);
    expect(stderr).toContain(description);
  });

  it('is described with the error code of the PAYMENT-RESPONSE header', async () => {
    await using shop = await openPurchaseTest({
      onPaid: ({ response }) => {
        response.statusCode = 402;
        const receipt = { success: false, errorReason: 'insufficient_funds', transaction: '' };
        respond(response, { notCharged: true }, { ...receipt, network: 'eip155:8453' });
      },
    });
    expect((await shop.buyTrust()).stderr).toContain(
      `refused the payment of $0.005 (insufficient_funds). Make sure that ${shop.buyer.address} holds at least $0.005 ` +
        'in USDC on eip155:8453 before the next attempt. Nothing was charged.',
    );
  });

  it('is described with the code and the explanation in the new challenge', async () => {
    const detail = 'The payer does not hold enough USDC for this payment. Nothing was charged.';
    await using shop = await openPurchaseTest({
      onPaid: (sale) => refuse(sale, 'invalid_exact_evm_insufficient_balance', { detail, notCharged: true }),
    });
    const { stderr } = await shop.buyTrust();
    expect(stderr).toContain(
      '(invalid_exact_evm_insufficient_balance). The payer does not hold enough USDC for this payment. Make sure that',
    );
    expect(stderr.match(/Nothing was charged/g)).toHaveLength(1);
  });
});

describe('a connection that fails after the payment', () => {
  it('is retried with the same payment, also when it fails during the response', async () => {
    await using shop = await openPurchaseTest({
      onPaid: ({ paidBefore, response }) => {
        if (paidBefore === 0) response.socket?.destroy();
        else if (paidBefore > 1) respond(response, { sold: true }, SETTLED);
        else {
          response.writeHead(200, { 'content-length': '1000' });
          response.write('{"sold":', () => response.socket?.destroy());
        }
      },
    });
    const { stdout, stderr } = await shop.buyTrust();
    expect(JSON.parse(stdout)).toEqual({ sold: true });
    expect(stderr).toContain('The same payment is sent again');
    const { signatures, unpaid } = shop.seller;
    expect([signatures.length, new Set(signatures).size, unpaid()]).toEqual([3, 1, 1]);
    expect(shop.buyer.listStoredPayments()).toEqual([]);
  });

  it('leaves the payment stored for the next run, which signs no new payment', async () => {
    let works = false;
    await using shop = await openPurchaseTest({
      onPaid: ({ response }) => {
        if (works) respond(response, { sold: true }, SETTLED);
        else response.writeHead(503).end(JSON.stringify(problem('payment-unavailable')));
      },
    });
    const { buyer, seller } = shop;
    const first = await shop.buyTrust();
    expect([first.code, first.stdout, buyer.listStoredPayments().length]).toEqual([2, '', 1]);
    expect(first.stderr).toContain('It is unknown whether $0.005 was charged. Run the same command again');
    expect(seller.signatures).toHaveLength(5);
    works = true;
    // Only a purchase of the same order by the same buyer sends this payment again.
    expect((await shop.run(['buy', 'trust', `${RESOURCE}/2`])).stderr).not.toContain('sent again');
    using other = openBuyer();
    const args = ['buy', 'trust', '--yes', '--service', seller.base, RESOURCE];
    expect((await other.run(args)).stderr).not.toContain('sent again');
    const unpaid = seller.unpaid();
    const second = await shop.buyTrust();
    expect(JSON.parse(second.stdout)).toEqual({ sold: true });
    expect(second.stderr).toContain('no new payment is signed');
    expect([seller.unpaid(), seller.signatures.at(-1)]).toEqual([unpaid, seller.signatures[0]]);
    expect(buyer.listStoredPayments()).toEqual([]);
  });
});
