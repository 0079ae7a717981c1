import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from '@x402/core/schemas';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  answered,
  askStory,
  challengeHeader,
  challengeOn,
  decoded,
  scenario,
  told,
} from './test-endpoints.ts';
import { onDay, openTestWorld } from './test-world.ts';
import type { Outcome, TestWorld } from './test-world.ts';

let world: TestWorld;
beforeAll(async () => {
  world = await openTestWorld();
});
beforeEach(() => world.setClock(onDay(0.01)));
afterAll(() => world.close());

describe('every endpoint that is healthy on the first day', () => {
  const healthy = scenario.endpoints.filter((each) => each.behaviour.kind === 'healthy' && each.listed);
  const outcomes = new Map<string, Promise<Outcome>>();
  beforeAll(() => {
    for (const { url, method } of healthy) outcomes.set(url, world.ask(url, { method }));
  });

  test.each(healthy.map((endpoint) => [endpoint.name, endpoint] as const))(
    '%s can be paid',
    async (_, { url, protocol }) => {
      const { status, headers, body } = await answered(outcomes.get(url) ?? world.ask(url));
      expect(status).toBe(402);
      if (protocol !== 'v2') {
        const challenge = PaymentRequiredV1Schema.parse(JSON.parse(body));
        expect(challenge.accepts.map(({ resource }) => resource)).toEqual([url]);
      }
      if (protocol === 'v1') {
        expect(headers).not.toHaveProperty('payment-required');
        return;
      }
      const challenge = PaymentRequiredV2Schema.parse(decoded(String(headers['payment-required'])));
      expect(challenge.resource.url).toBe(url);
      for (const { payTo } of challenge.accepts)
        expect(payTo).toMatch(/^0x[0-9a-f]{40}$|^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
      expect(headers['cache-control']).toBe('no-store');
      if (protocol === 'v2') expect(body).toBe('{}');
    },
  );
});

describe('a challenge with a fault', () => {
  test('bad base64 breaks the alphabet', async () => {
    expect(challengeHeader(await answered(askStory(world, 'bad-base64')))).not.toMatch(
      /^[A-Za-z0-9+/]*={0,2}$/,
    );
  });

  test('base64url decodes leniently and is not standard base64', async () => {
    const header = challengeHeader(await answered(askStory(world, 'base64url')));
    expect(header).toMatch(/^[\w-]+$/);
    expect(header).toMatch(/[-_]/);
    const challenge: unknown = JSON.parse(Buffer.from(header, 'base64url').toString('utf8'));
    expect(PaymentRequiredV2Schema.safeParse(challenge).success).toBe(true);
  });

  test('truncated JSON is sound base64', async () => {
    const header = challengeHeader(await answered(askStory(world, 'truncated-json')));
    expect(header).toMatch(/^[A-Za-z0-9+/]*={0,2}$/);
    expect(() => decoded(header)).toThrow(SyntaxError);
  });

  test('an HTML 402 has no envelope', async () => {
    const { status, headers, body } = await answered(askStory(world, 'html-402'));
    expect([status, headers['content-type'], headers['payment-required']]).toEqual([
      402,
      'text/html; charset=utf-8',
      undefined,
    ]);
    expect(body).toMatch(/^<!DOCTYPE html>/);
  });

  test.each(['no-pay-to', 'no-amount', 'amount-number', 'no-accepts', 'no-resource'])(
    '%s is refused by the reference schema',
    async (story) => {
      const challenge = decoded(challengeHeader(await answered(askStory(world, story))));
      expect(PaymentRequiredV2Schema.safeParse(challenge).success).toBe(false);
    },
  );

  test('an offer without EIP-712 domain, and a v1 offer without MIME type', async () => {
    const v2 = PaymentRequiredV2Schema.parse(
      decoded(challengeHeader(await answered(askStory(world, 'no-eip712-domain')))),
    );
    expect(v2.accepts[0]).not.toHaveProperty('extra');
    const v1 = PaymentRequiredV1Schema.parse(
      JSON.parse((await answered(askStory(world, 'v1-no-mime-type'))).body),
    );
    expect(v1.accepts[0]).not.toHaveProperty('mimeType');
  });

  test('an oversized header is a valid challenge of about 40 KiB', async () => {
    const header = challengeHeader(await answered(askStory(world, 'oversized-header')));
    expect(header.length).toBeGreaterThan(36 * 1_024);
    expect(header.length).toBeLessThan(48 * 1_024);
    expect(PaymentRequiredV2Schema.safeParse(decoded(header)).success).toBe(true);
  });

  test('a v2 envelope only in the body', async () => {
    const { status, headers, body } = await answered(askStory(world, 'v2-body-only'));
    expect([status, headers['payment-required']]).toEqual([402, undefined]);
    expect(PaymentRequiredV2Schema.safeParse(JSON.parse(body)).success).toBe(true);
  });

  test('a header by another name', async () => {
    const { status, headers } = await answered(askStory(world, 'renamed-header'));
    expect([status, headers['payment-required']]).toEqual([402, undefined]);
    expect(PaymentRequiredV2Schema.safeParse(decoded(String(headers['x-payment-required']))).success).toBe(
      true,
    );
  });
});

describe('terms that change', () => {
  test('a price moves in steps, or spikes twentyfold', async () => {
    expect(await challengeOn(world, 'price-steps', 3)).toMatchObject({ accepts: [{ amount: '10000' }] });
    expect(await challengeOn(world, 'price-steps', 8)).toMatchObject({ accepts: [{ amount: '15000' }] });
    expect(await challengeOn(world, 'price-spike', 12.9)).toMatchObject({ accepts: [{ amount: '20000' }] });
    expect(await challengeOn(world, 'price-spike', 13)).toMatchObject({ accepts: [{ amount: '400000' }] });
  });

  test.each([
    ['payto-swap-early', 3],
    ['payto-swap-recent', 10],
  ])('%s pays another wallet from day %d', async (story, day) => {
    const payTo = async (at: number) =>
      PaymentRequiredV2Schema.parse(await challengeOn(world, story, at)).accepts[0]?.payTo;
    const [first, last, swapped] = [await payTo(0), await payTo(day - 0.01), await payTo(day)];
    expect(last).toBe(first);
    expect(swapped).not.toBe(first);
  });

  test('an asset and a network are exchanged', async () => {
    expect(await challengeOn(world, 'asset-change', 6.9)).toMatchObject({
      accepts: [{ extra: { name: 'USD Coin' } }],
    });
    expect(await challengeOn(world, 'asset-change', 7)).toMatchObject({
      accepts: [{ extra: { name: 'EURC' } }],
    });
    expect(await challengeOn(world, 'network-change', 4.9)).toMatchObject({
      accepts: [{ network: 'eip155:8453' }],
    });
    expect(await challengeOn(world, 'network-change', 5)).toMatchObject({
      accepts: [{ network: 'eip155:137' }],
    });
  });

  test('a template answers for its items, each under its own URL', async () => {
    const answer = await answered(world.ask('https://profilehub.sandbox.test/v1/users/77?fields=all'));
    expect(decoded(challengeHeader(answer))).toMatchObject({
      resource: { url: 'https://profilehub.sandbox.test/v1/users/77' },
      extensions: { bazaar: { routeTemplate: '/v1/users/:userId' } },
    });
  });
});

test('two worlds of one seed and epoch answer byte for byte alike', async () => {
  const twin = await openTestWorld();
  await Promise.all([world.setClock(onDay(3.21)), twin.setClock(onDay(3.21))]);
  for (const { url, method } of ['price-steps', 'v1-only', 'dual-protocol', 'template-colon'].map(told)) {
    const [one, other] = await Promise.all(
      [world, twin].map(({ ask: put }) => answered(put(url, { method }))),
    );
    expect([other?.status, other?.headers, other?.body]).toEqual([one?.status, one?.headers, one?.body]);
  }
  await twin.close();
});
