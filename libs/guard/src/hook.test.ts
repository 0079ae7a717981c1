import type { x402Client } from '@x402/fetch';
import { expect, it } from 'vitest';
import { setUp } from './testing/guarded-client.ts';
import { closeServersAfterEach } from './testing/listen.ts';
import { createRequirements, createRequirementsV1, type Terms } from './testing/seller.ts';
import { OTHER_PAY_TO, USDC, type Answer } from './testing/touchstone.ts';

const URL_IN_CHALLENGE = 'https://api.example.com/v1/weather?city=berlin';

closeServersAfterEach();

async function createClient(answer?: (url: URL) => Answer) {
  const world = await setUp(answer === undefined ? {} : { answer });
  world.client.onBeforePaymentCreation(world.guard.beforePayment);
  return world;
}

function createChallenge(version: number, terms: Terms = {}) {
  return version === 2
    ? {
        x402Version: 2,
        resource: { url: URL_IN_CHALLENGE, description: '', mimeType: '' },
        accepts: [createRequirements(terms)],
      }
    : { x402Version: 1, accepts: [createRequirementsV1(URL_IN_CHALLENGE, terms)] };
}

/** Lets the real client create a payment for a challenge. The client declares challenges of version 2 only. */
function pay(client: x402Client, challenge: object) {
  return client.createPaymentPayload(challenge as Parameters<x402Client['createPaymentPayload']>[0]);
}

it.each([1, 2])('lets the x402 client sign a good payment (version %i)', async (version) => {
  const { client, touchstone } = await createClient();
  const { payload } = await pay(client, createChallenge(version));
  expect(payload).toHaveProperty('signature');
  expect(touchstone.lookups.map(({ searchParams }) => searchParams.get('resource'))).toEqual([
    'https://api.example.com/v1/weather',
  ]);
});

it.each([1, 2])('stops the x402 client before it signs a bad payment (version %i)', async (version) => {
  const { client } = await createClient();
  await expect(pay(client, createChallenge(version, { payTo: OTHER_PAY_TO }))).rejects.toThrow(
    /^Payment creation aborted: The payment was refused\. The recipient 0x1{40} was never observed at this endpoint\.$/,
  );
  await expect(pay(client, createChallenge(version, { amount: '60001' }))).rejects.toThrow(
    'more than 2 times $0.02, the highest price of the last 30 days',
  );
});

it('lets a payment with a warning pass', async () => {
  const { client } = await createClient(() => ({ endpoint: { recommendation: 'caution' } }));
  expect(await pay(client, createChallenge(2))).toHaveProperty('payload');
});

it('stops a payment to a URL that Touchstone does not know, because the seller can claim any URL', async () => {
  const { client, guard } = await createClient(() => ({ endpoint: null }));
  await expect(pay(client, createChallenge(2))).rejects.toThrow(
    'Touchstone does not know https://api.example.com/v1/weather, the URL that the seller claims.',
  );
  const payment = { network: 'base', asset: USDC, amount: '10000', payTo: OTHER_PAY_TO };
  expect((await guard.check({ url: URL_IN_CHALLENGE, ...payment })).action).toBe('warn');
});

it('refuses contexts without a URL, without terms and of other versions', async () => {
  const { guard, touchstone } = await createClient();
  const selectedRequirements = createRequirements();
  for (const paymentRequired of [
    {},
    { x402Version: 2 },
    { x402Version: 3, resource: { url: URL_IN_CHALLENGE } },
  ])
    expect(await guard.beforePayment({ paymentRequired, selectedRequirements })).toMatchObject({
      abort: true,
    });
  const paymentRequired = createChallenge(2);
  expect(await guard.beforePayment({ paymentRequired, selectedRequirements: {} })).toMatchObject({
    abort: true,
  });
  expect(touchstone.lookups).toEqual([]);
});
