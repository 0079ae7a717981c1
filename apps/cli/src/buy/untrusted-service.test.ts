import { describe, expect, it } from 'vitest';
import { openBuyer, RESOURCE } from '../testing/buyer.ts';
import {
  respond,
  createChallenge,
  encodeHeader,
  openSeller,
  SELLER_WALLET,
  SETTLED,
} from '../testing/seller.ts';

const trust = (service: string, ...more: readonly string[]) => [
  'buy',
  'trust',
  '--yes',
  '--json',
  '--service',
  service,
  ...more,
  RESOURCE,
];
const problem = (code: string, extra: Record<string, unknown> = {}) => ({
  type: 'about:blank',
  title: 'Something',
  code,
  detail: 'What happened.',
  ...extra,
});

describe('an untrusted service', () => {
  it.each([
    ['overcharges', { amount: '5000000' }, 'price of $5 is above the limit of $0.05'],
    ['swaps the token', { asset: SELLER_WALLET }, 'is not the USDC'],
    ['swaps the network', { network: 'eip155:1' }, 'network is eip155:1; expected eip155:8453'],
  ])('gets no signature when it %s', async (_, option, reason) => {
    using buyer = openBuyer();
    await using seller = await openSeller({ challenge: (url) => createChallenge(url, option) });
    const { code, stdout, stderr } = await buyer.run(trust(seller.base));
    expect([code, stdout, seller.signatures, buyer.listStoredPayments()]).toEqual([2, '', [], []]);
    expect(stderr).toContain(reason);
  });

  it('gets no signature for another URL', async () => {
    using buyer = openBuyer();
    await using seller = await openSeller({ challenge: () => createChallenge('https://elsewhere.example/') });
    expect((await buyer.run(trust(seller.base))).stderr).toContain('it is for https://elsewhere.example/');
    expect(seller.signatures).toEqual([]);
  });

  it('gets one payment of the confirmed price, even if it changes the quote later', async () => {
    using buyer = openBuyer();
    let price = 5_000;
    await using seller = await openSeller({
      challenge: (url) => createChallenge(url, { amount: String(price) }),
      onPaid: ({ request, response }) => {
        price = 50_000;
        response.statusCode = 402;
        const url = `http://${request.headers.host ?? ''}/v1/x402-trust`;
        response.setHeader('payment-required', encodeHeader(createChallenge(url, { amount: String(price) })));
        respond(response, { notCharged: true });
      },
    });
    const { code, stderr } = await buyer.run(trust(seller.base));
    expect(code).toBe(2);
    expect(stderr).toContain('refused the payment of $0.005');
    expect(stderr).toContain('Nothing was charged');
    expect([seller.signatures.length, seller.unpaid(), buyer.listStoredPayments()]).toEqual([1, 1, []]);
    expect(Buffer.from(seller.signatures[0] ?? '', 'base64').toString()).toContain('"value":"5000"');
  });

  it('cannot print control characters', async () => {
    using buyer = openBuyer();
    await using seller = await openSeller({
      challenge: (url) =>
        createChallenge(
          url,
          {},
          { serviceName: '\u001b[2Jfree\u202e', description: 'line\r\nTo      0xevil' },
        ),
      onPaid: ({ response }) => {
        response.statusCode = 422;
        respond(
          response,
          problem('not-probeable', { detail: '\u001b]0;title\u0007gone\u009b2J', notCharged: true }),
        );
      },
    });
    const { stdout, stderr } = await buyer.run(trust(seller.base));
    expect(stdout + stderr).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(stderr).not.toMatch(/^To/m);
    expect(stderr).toContain('gone');
  });

  it('gets no signature for an invalid challenge', async () => {
    using buyer = openBuyer();
    await using seller = await openSeller({ challenge: () => 'pay me' });
    expect((await buyer.run(trust(seller.base))).stderr).toContain('not valid for x402');
    expect(seller.signatures).toEqual([]);
  });
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
    using buyer = openBuyer();
    await using seller = await openSeller({
      onPaid: ({ response }) => {
        response.statusCode = status;
        respond(response, body);
      },
    });
    const { code, stdout, stderr } = await buyer.run(trust(seller.base));
    expect([code, stdout, buyer.listStoredPayments()]).toEqual([2, '', []]);
    expect(stderr).toContain(description);
  });

  it('is described with the error code of the PAYMENT-RESPONSE header', async () => {
    using buyer = openBuyer();
    await using seller = await openSeller({
      onPaid: ({ response }) => {
        response.statusCode = 402;
        const receipt = {
          success: false,
          errorReason: 'insufficient_funds',
          transaction: '',
          network: 'eip155:8453',
        };
        respond(response, { notCharged: true }, receipt);
      },
    });
    const { stderr } = await buyer.run(trust(seller.base));
    expect(stderr).toContain(
      `refused the payment of $0.005 (insufficient_funds). Make sure that ${buyer.address} holds at least $0.005 ` +
        'in USDC on eip155:8453 before the next attempt. Nothing was charged.',
    );
  });
});

describe('a refused payment', () => {
  it('is described with the code and the explanation in the new challenge', async () => {
    using buyer = openBuyer();
    await using seller = await openSeller({
      onPaid: ({ request, response }) => {
        response.statusCode = 402;
        const url = `http://${request.headers.host ?? ''}/v1/x402-trust`;
        response.setHeader(
          'payment-required',
          encodeHeader({ ...createChallenge(url), error: 'invalid_exact_evm_insufficient_balance' }),
        );
        respond(response, {
          detail: 'The payer does not hold enough USDC for this payment. Nothing was charged.',
          notCharged: true,
        });
      },
    });
    const { stderr } = await buyer.run(trust(seller.base));
    expect(stderr).toContain(
      '(invalid_exact_evm_insufficient_balance). The payer does not hold enough USDC for this payment. Make sure that',
    );
    expect(stderr.match(/Nothing was charged/g)).toHaveLength(1);
  });
});

describe('a connection that fails after the payment', () => {
  it('is retried with the same payment', async () => {
    using buyer = openBuyer();
    await using seller = await openSeller({
      onPaid: ({ paidBefore: before, response }) => {
        if (before < 2) response.socket?.destroy();
        else respond(response, { sold: true }, SETTLED);
      },
    });
    const { stdout, stderr } = await buyer.run(trust(seller.base));
    expect(JSON.parse(stdout)).toEqual({ sold: true });
    expect(stderr).toContain('The same payment is sent again');
    expect([seller.signatures.length, new Set(seller.signatures).size, seller.unpaid()]).toEqual([3, 1, 1]);
    expect(buyer.listStoredPayments()).toEqual([]);
  });

  it('is retried when it fails during the response', async () => {
    using buyer = openBuyer();
    await using seller = await openSeller({
      onPaid: ({ paidBefore: before, response }) => {
        if (before > 0) {
          respond(response, { sold: true }, SETTLED);
          return;
        }
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"sold":', () => response.socket?.destroy());
      },
    });
    expect(JSON.parse((await buyer.run(trust(seller.base))).stdout)).toEqual({ sold: true });
    expect(new Set(seller.signatures).size).toBe(1);
  });

  it('leaves the payment stored for the next run, which signs no new payment', async () => {
    using buyer = openBuyer();
    let works = false;
    await using seller = await openSeller({
      onPaid: ({ response }) => {
        if (works) {
          respond(response, { sold: true }, SETTLED);
          return;
        }
        response.statusCode = 503;
        response.setHeader('retry-after', '0');
        respond(response, problem('payment-unavailable'));
      },
    });
    const first = await buyer.run(trust(seller.base));
    expect([first.code, first.stdout, buyer.listStoredPayments().length]).toEqual([2, '', 1]);
    expect(first.stderr).toContain('It is unknown whether $0.005 was charged. Run the same command again');
    expect(seller.signatures).toHaveLength(5);

    works = true;
    const other = await buyer.run([
      'buy',
      'trust',
      '--yes',
      '--json',
      '--service',
      seller.base,
      `${RESOURCE}/2`,
    ]);
    expect(other.stderr).not.toContain('sent again');

    using otherBuyer = openBuyer();
    expect((await otherBuyer.run(trust(seller.base))).stderr).not.toContain('sent again');

    const unpaid = seller.unpaid();
    const second = await buyer.run(trust(seller.base));
    expect(JSON.parse(second.stdout)).toEqual({ sold: true });
    expect(second.stderr).toContain('no new payment is signed');
    expect([seller.unpaid(), seller.signatures.at(-1), buyer.listStoredPayments()]).toEqual([
      unpaid,
      seller.signatures[0],
      [],
    ]);
  });
});
