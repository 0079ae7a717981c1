import { describe, expect, it } from 'vitest';
import { openBuyer, RESOURCE } from '../testing/buyer.ts';
import { answer, challengeFor, header, openSeller, SELLER_WALLET, SETTLED } from '../testing/seller.ts';

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

describe('a hostile service', () => {
  it.each([
    ['overcharges', { amount: '5000000' }, 'costs $5, more than the limit of $0.05'],
    ['swaps the token', { asset: SELLER_WALLET }, 'is not the USDC'],
    ['swaps the network', { network: 'eip155:1' }, 'on eip155:1, not on eip155:8453'],
  ])('gets no signature when it %s', async (_, option, words) => {
    using buyer = openBuyer();
    await using seller = await openSeller({ challenge: (url) => challengeFor(url, option) });
    const { code, stdout, stderr } = await buyer.run(trust(seller.base));
    expect([code, stdout, seller.signatures, buyer.kept()]).toEqual([2, '', [], []]);
    expect(stderr).toContain(words);
  });

  it('gets no signature for another address', async () => {
    using buyer = openBuyer();
    await using seller = await openSeller({ challenge: () => challengeFor('https://elsewhere.example/') });
    expect((await buyer.run(trust(seller.base))).stderr).toContain(
      'to be paid for https://elsewhere.example/',
    );
    expect(seller.signatures).toEqual([]);
  });

  it('is paid what was agreed to once, however it changes the quote afterwards', async () => {
    using buyer = openBuyer();
    let price = 5_000;
    await using seller = await openSeller({
      challenge: (url) => challengeFor(url, { amount: String(price) }),
      onPaid: ({ request, response }) => {
        price = 50_000;
        response.statusCode = 402;
        const url = `http://${request.headers.host ?? ''}/v1/x402-trust`;
        response.setHeader('payment-required', header(challengeFor(url, { amount: String(price) })));
        answer(response, { notCharged: true });
      },
    });
    const { code, stderr } = await buyer.run(trust(seller.base));
    expect(code).toBe(2);
    expect(stderr).toContain('did not take the payment of $0.005');
    expect(stderr).toContain('Nothing was charged');
    expect([seller.signatures.length, seller.unpaid(), buyer.kept()]).toEqual([1, 1, []]);
    expect(Buffer.from(seller.signatures[0] ?? '', 'base64').toString()).toContain('"value":"5000"');
  });

  it('moves no cursor and turns no text', async () => {
    using buyer = openBuyer();
    await using seller = await openSeller({
      challenge: (url) =>
        challengeFor(url, {}, { serviceName: '\u001b[2Jfree\u202e', description: 'line\r\nTo      0xevil' }),
      onPaid: ({ response }) => {
        response.statusCode = 422;
        answer(
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

  it('that answers garbage gets nothing', async () => {
    using buyer = openBuyer();
    await using seller = await openSeller({ challenge: () => 'pay me' });
    expect((await buyer.run(trust(seller.base))).stderr).toContain('not those of x402');
    expect(seller.signatures).toEqual([]);
  });
});

describe('errors of the service after paying', () => {
  it.each([
    [
      422,
      problem('not-probeable', { notCharged: true }),
      'The service answered 422 not-probeable: What happened. Nothing was charged.',
    ],
    [409, problem('payment-reused', { notCharged: true }), 'Nothing more was charged'],
    [
      400,
      problem('invalid-request', { errors: [{ path: 'resource', message: 'Too long' }], notCharged: true }),
      'resource: Too long. Nothing was charged.',
    ],
  ])('%i is told in one sentence', async (status, body, words) => {
    using buyer = openBuyer();
    await using seller = await openSeller({
      onPaid: ({ response }) => {
        response.statusCode = status;
        answer(response, body);
      },
    });
    const { code, stdout, stderr } = await buyer.run(trust(seller.base));
    expect([code, stdout, buyer.kept()]).toEqual([2, '', []]);
    expect(stderr).toContain(words);
  });

  it('names the reason of a payment that was not taken', async () => {
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
        answer(response, { notCharged: true }, receipt);
      },
    });
    const { stderr } = await buyer.run(trust(seller.base));
    expect(stderr).toContain(
      `insufficient_funds. Does ${buyer.address} hold $0.005 in USDC? Nothing was charged.`,
    );
  });
});

describe('a payment that was not taken', () => {
  it('is told with the reason that the new challenge gives', async () => {
    using buyer = openBuyer();
    await using seller = await openSeller({
      onPaid: ({ request, response }) => {
        response.statusCode = 402;
        const url = `http://${request.headers.host ?? ''}/v1/x402-trust`;
        response.setHeader(
          'payment-required',
          header({ ...challengeFor(url), error: 'invalid_exact_evm_insufficient_balance' }),
        );
        answer(response, { notCharged: true });
      },
    });
    const { stderr } = await buyer.run(trust(seller.base));
    expect(stderr).toContain('invalid_exact_evm_insufficient_balance. Does');
  });
});

describe('a connection that is lost after paying', () => {
  it('is no loss: the same payment is sent until there is an answer', async () => {
    using buyer = openBuyer();
    await using seller = await openSeller({
      onPaid: ({ before, response }) => {
        if (before < 2) response.socket?.destroy();
        else answer(response, { sold: true }, SETTLED);
      },
    });
    const { stdout, stderr } = await buyer.run(trust(seller.base));
    expect(JSON.parse(stdout)).toEqual({ sold: true });
    expect(stderr).toContain('the same payment is sent again');
    expect([seller.signatures.length, new Set(seller.signatures).size, seller.unpaid()]).toEqual([3, 1, 1]);
    expect(buyer.kept()).toEqual([]);
  });

  it('in the middle of the answer is none either', async () => {
    using buyer = openBuyer();
    await using seller = await openSeller({
      onPaid: ({ before, response }) => {
        if (before > 0) {
          answer(response, { sold: true }, SETTLED);
          return;
        }
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"sold":', () => response.socket?.destroy());
      },
    });
    expect(JSON.parse((await buyer.run(trust(seller.base))).stdout)).toEqual({ sold: true });
    expect(new Set(seller.signatures).size).toBe(1);
  });

  it('for good leaves the payment to the next run of the same command, which pays nothing new', async () => {
    using buyer = openBuyer();
    let works = false;
    await using seller = await openSeller({
      onPaid: ({ response }) => {
        if (works) {
          answer(response, { sold: true }, SETTLED);
          return;
        }
        response.statusCode = 503;
        response.setHeader('retry-after', '0');
        answer(response, problem('payment-unavailable'));
      },
    });
    const first = await buyer.run(trust(seller.base));
    expect([first.code, first.stdout, buyer.kept().length]).toEqual([2, '', 1]);
    expect(first.stderr).toContain(
      'Whether $0.005 was charged cannot be said here. Run the same command again',
    );
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

    using stranger = openBuyer();
    expect((await stranger.run(trust(seller.base))).stderr).not.toContain('sent again');

    const unpaid = seller.unpaid();
    const second = await buyer.run(trust(seller.base));
    expect(JSON.parse(second.stdout)).toEqual({ sold: true });
    expect(second.stderr).toContain('nothing new is paid');
    expect([seller.unpaid(), seller.signatures.at(-1), buyer.kept()]).toEqual([
      unpaid,
      seller.signatures[0],
      [],
    ]);
  });
});
