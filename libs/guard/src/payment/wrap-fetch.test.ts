import { wrapFetchWithPayment, type SelectPaymentRequirements } from '@x402/fetch';
import { describe, expect, it } from 'vitest';
import { refuse, setUp as setUpClient, type Setup } from '../testing/guarded-client.ts';
import { closeServersAfterEach } from '../testing/listen.ts';
import { createRequirements, encode } from '../testing/seller.ts';
import { OTHER_PAY_TO, PAY_TO } from '../testing/touchstone.ts';

closeServersAfterEach();

async function setUp(setup: Setup = {}) {
  const world = await setUpClient(setup);
  return { ...world, pay: wrapFetchWithPayment(world.guard.wrapFetch(fetch), world.client) };
}

const selectLast: SelectPaymentRequirements = (_version, accepts) => {
  const last = accepts.at(-1);
  if (last === undefined) throw new Error('There is no offer.');
  return last;
};

describe('wrapFetch inside wrapFetchWithPayment', () => {
  it('pays with several offers if one may be paid, and sends no other one', async () => {
    const bad = { amount: '500000' };
    const first = await setUp({ offers: [{}, bad] });
    expect((await first.pay(`${first.seller.url}/v2/weather`)).status).toBe(200);
    for (const version of ['v1', 'v2']) {
      const second = await setUp({ offers: [bad, {}] });
      expect(await refuse(second.pay(`${second.seller.url}/${version}/weather`))).toBe('price-multiple');
      expect(second.seller.payments).toEqual([]);
    }
  });

  it('looks up at most three recipients of one challenge', async () => {
    const offers = Array.from({ length: 30 }, (_, index) => ({
      payTo: `0x${String(index + 10).repeat(20)}`,
    }));
    const { pay, seller, touchstone } = await setUp({ offers });
    expect(await refuse(pay(`${seller.url}/v2/weather`))).toBe('pay-to-mismatch');
    expect(touchstone.lookups).toHaveLength(3);
  });

  it('refuses the URL after a redirect, also another offer that the client chooses there', async () => {
    const unknown = await setUp({
      answer: (url) =>
        url.searchParams.get('resource')?.endsWith('/v2/weather') === true ? { endpoint: null } : {},
      options: { policy: { unknown: 'abort' } },
    });
    expect(await refuse(unknown.pay(`${unknown.seller.url}/moved`))).toBe('unknown-endpoint');
    // The first offer is allowed for both URLs. The client chooses the second offer. The guard refuses this offer after
    // the redirect.
    const other = await setUp({
      offers: [{}, { payTo: OTHER_PAY_TO }],
      answer: (url) =>
        url.searchParams.get('resource')?.endsWith('/moved') === true
          ? { observed: [PAY_TO, OTHER_PAY_TO] }
          : {},
      select: selectLast,
    });
    expect(await refuse(other.pay(`${other.seller.url}/moved`))).toBe('pay-to-mismatch');
    expect(other.seller.payments).toEqual([]);
  });
});

describe('wrapFetch alone', () => {
  const sign = (accepted: object, to: string, value: string) =>
    encode({
      ...{ x402Version: 2, accepted },
      payload: { signature: '0x', authorization: { to, value, validBefore: '1' } },
    });

  it.each<[string, string]>([
    ['another recipient in the transfer', sign(createRequirements(), OTHER_PAY_TO, '10000')],
    ['another amount in the transfer', sign(createRequirements(), createRequirements().payTo, '10001')],
    ['unreadable text', 'signed'],
    [
      'a payment of version 1 without a challenge',
      encode({ x402Version: 1, scheme: 'exact', network: 'base', payload: {} }),
    ],
  ])('sends no payment with %s', async (_name, payment) => {
    const { guard, seller } = await setUp();
    for (const name of ['PAYMENT-SIGNATURE', 'X-PAYMENT']) {
      const request = guard.wrapFetch(fetch)(`${seller.url}/v2/weather`, { headers: { [name]: payment } });
      expect(await refuse(request)).toBe('invalid-payment');
    }
    expect(seller.payments).toEqual([]);
  });

  it('checks payments in the headers of a Request, of init and of both', async () => {
    const { guard, seller } = await setUp();
    const payment = sign(createRequirements({ payTo: OTHER_PAY_TO }), OTHER_PAY_TO, '10000');
    const headers = { 'x-payment': payment };
    const url = `${seller.url}/v2/weather`;
    const guarded = guard.wrapFetch(fetch);
    const requests = [
      guarded(new Request(url, { headers })),
      guarded(new Request(url), { headers }),
      guarded(new URL(url), { headers: new Headers(headers) }),
      guarded(url, { headers: [['x-payment', payment]] }),
    ];
    expect(await Promise.all(requests.map(refuse))).toEqual(requests.map(() => 'pay-to-mismatch'));
    expect(seller.payments).toEqual([]);
  });

  it('passes other responses and other 402 responses on', async () => {
    const { guard, decisions } = await setUp();
    const other = guard.wrapFetch(async () => new Response('Pay by card.', { status: 402 }));
    expect(await (await other('https://a.example/')).text()).toBe('Pay by card.');
    const ok = guard.wrapFetch(async () => new Response('ok', { headers: { 'payment-required': 'x' } }));
    expect(await (await ok('https://a.example/')).text()).toBe('ok');
    expect(decisions).toEqual([]);
  });

  it('does not check payments to the service, unless a redirect leads away from it', async () => {
    const { guard, touchstone, seller } = await setUp({ offers: [{ payTo: OTHER_PAY_TO }] });
    const header = encode({ x402Version: 2, accepts: [createRequirements({ payTo: OTHER_PAY_TO })] });
    touchstone.respond = async (url, _request, response) => {
      if (url.pathname === '/away') response.writeHead(307, { location: `${seller.url}/v2/weather` }).end();
      else response.writeHead(402, { 'payment-required': header }).end();
    };
    const guarded = guard.wrapFetch(fetch);
    expect((await guarded(`${touchstone.url}/v1/x402-trust`)).status).toBe(402);
    expect(await refuse(guarded(`${touchstone.url}/away`))).toBe('unreachable');
  });

  it('stops a payment if onDecision throws', async () => {
    const onDecision = () => {
      throw new Error('stopped');
    };
    const { pay, seller } = await setUp({ options: { onDecision } });
    await expect(pay(`${seller.url}/v2/weather`)).rejects.toThrow('stopped');
    expect(seller.payments).toEqual([]);
  });
});
