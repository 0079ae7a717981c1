import { wrapFetchWithPayment } from '@x402/fetch';
import { describe, expect, it } from 'vitest';
import type { PaymentOutcome } from '../outcome/outcome.ts';
import { refuse, setUp as setUpClient, type Setup } from '../testing/guarded-client.ts';
import { closeServersAfterEach } from '../testing/listen.ts';
import { encode } from '../testing/seller.ts';
import type { HookRequest } from './attach-hooks.ts';

closeServersAfterEach();

/** Attaches a guard to the stock client, which pays with a `fetch` function that is not wrapped. */
async function setUp({ request, ...setup }: Setup & { request?: (url: string) => HookRequest } = {}) {
  const world = await setUpClient(setup);
  const url = `${world.seller.url}/v2/weather`;
  const client = world.guard.attachTo(world.client, request?.(url));
  const send = wrapFetchWithPayment(fetch, client);
  return { ...world, url, pay: () => send(url) };
}

const known = (url: string) => ({ url, method: 'GET' });
const receipt = { success: true, transaction: `0x${'ab'.repeat(32)}`, network: 'eip155:8453' };

describe('attachTo', () => {
  it.each([200, 500])(
    'takes a settlement that the seller claims with status %s as no delivery',
    async (status) => {
      const clock = { offset: 0 };
      const outcomes: PaymentOutcome[] = [];
      const onOutcome = (outcome: PaymentOutcome) => void outcomes.push(outcome);
      const options = { onOutcome, now: () => Date.now() + clock.offset, cacheSeconds: 86_400 };
      const { pay, seller, guard } = await setUp({ request: known, options });
      seller.deliver = (response) =>
        void response.writeHead(status, { 'payment-response': encode(receipt) }).end('the weather');
      expect((await pay()).status).toBe(status);
      await expect(pay()).rejects.toThrow('the seller reported the settlement');
      expect(seller.payments).toHaveLength(1);
      for (const offset of [11_000, 22_000]) {
        clock.offset = offset;
        expect((await pay()).status).toBe(status);
      }
      expect(outcomes).toMatchObject([1, 2, 3].map(() => ({ delivered: null, httpStatus: null })));
      expect((await guard.spending()).hosts).toMatchObject([{ payments: 3, delivered: 0, usd: '0.03' }]);
    },
  );

  it.each([known, undefined])('counts a payment once that a wrapper sends, too', async (request) => {
    const outcomes: PaymentOutcome[] = [];
    const options = { onOutcome: (outcome: PaymentOutcome) => void outcomes.push(outcome) };
    const { guard, client, url, seller } = await setUp({ options, ...(request && { request }) });
    const pay = wrapFetchWithPayment(guard.wrapFetch(fetch), client);
    seller.deliver = (response) =>
      void response.writeHead(200, { 'payment-response': encode(receipt) }).end('the weather');
    expect(await (await pay(url)).text()).toBe('the weather');
    const { totalUsd, lastDay } = await guard.spending();
    expect([totalUsd, lastDay]).toMatchObject(['0.01', { payments: 1, delivered: 1 }]);
    expect(outcomes).toMatchObject([{ delivered: true, httpStatus: 200 }]);
  });

  it('refuses a second payment while the first one is open', async () => {
    const { pay, seller } = await setUp({ request: known });
    seller.deliver = (response) => void response.destroy();
    await expect(pay()).rejects.toThrow();
    await expect(pay()).rejects.toThrow('can still be settled until');
    expect(seller.payments).toHaveLength(1);
  });

  it('holds budgets for requests that it cannot tell apart', async () => {
    const options = { policy: { maxUsdPerDay: '0.02' } };
    const { pay, seller } = await setUp({ options });
    for (const status of [200, 200]) expect((await pay()).status).toBe(status);
    await expect(pay()).rejects.toThrow('policy.maxUsdPerDay');
    expect(seller.payments).toHaveLength(2);
  });

  it('pays an unknown endpoint at the URL that the program names, and not at a claimed URL', async () => {
    const answer = () => ({ endpoint: null });
    const named = await setUp({ answer, request: known });
    expect(await refuse(named.pay())).toBe('status 200');
    const claimed = await setUp({ answer });
    await expect(claimed.pay()).rejects.toThrow('the URL that the seller claims');
    expect(claimed.countSignatures()).toBe(0);
  });
});
