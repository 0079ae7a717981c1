import { createHash, createHmac } from 'node:crypto';
import type { WatchCreated } from '@touchstone/contract';
import { readReceiptHeader } from '@touchstone/payment/testing';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, it, vi, type TestContext } from 'vitest';
import type { SandboxDelivery } from './testing/sandbox-requests.ts';
import { openWatchSandbox, type WatchSandbox } from './testing/watch-sandbox.ts';

const ENDPOINT = 'https://skyfall.sandbox.test/v2/current';
/** Endpoint without a watch. */
const REPORTED_ENDPOINT = 'https://cryptick.sandbox.test/v1/price';
/** USDC of Base Sepolia, on which the service of this test sells. */
const USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
const OTHER_ENDPOINT = 'https://skyfall.sandbox.test/v2/forecast';
/** Paths of destinations that accept every message. */
const PATHS = { hook: '/hooks/one', slack: '/services/T1/B1/one', discord: '/api/webhooks/1/one' };
/** Paths of destinations of which Slack removes the hook, and Discord limits the rate. */
const OTHER_PATHS = { hook: '/hooks/two', slack: '/accept-one/gone/two', discord: '/rate-limited/two' };

/** Time in which the rate-limited path accepts one message, in milliseconds of real time. */
const RATE_INTERVAL_MS = 2_000;

const toRequest = (endpoint: string, { hook, slack, discord }: typeof PATHS) => ({
  endpoint,
  delivery: {
    webhook_url: `https://receiver.sandbox.test${hook}`,
    slack_urls: [`https://slack.sandbox.test${slack}`, `https://discord.sandbox.test${discord}`],
  },
});

let world: WatchSandbox;
/** Watches of both endpoints; null on platforms for which npm has no anvil, the program that runs the chain. */
let watches: readonly [WatchCreated, WatchCreated] | null;
beforeAll(async () => {
  world = await openWatchSandbox({ host: 'skyfall.sandbox.test' });
  await world.observeFirst();
  // Payments need the real time, so both watches are bought before the clock is advanced.
  watches = world.buyer && [
    await world.buyer.buyWatch(toRequest(ENDPOINT, PATHS)),
    await world.buyer.buyWatch(toRequest(OTHER_ENDPOINT, OTHER_PATHS)),
  ];
}, 120_000);
afterEach(() => void vi.useRealTimers());
afterAll(() => world.close());

const getWatches = ({ skip }: TestContext) =>
  watches ?? skip(world.sandbox.chainMissing ?? 'there is no chain');

/** Checks `x-signature` as the specification defines it: HMAC-SHA256 of the body, keyed by the hex SHA-256 of the secret. */
function expectSpecifiedSignature({ headers, body }: SandboxDelivery, secret: string): void {
  const key = createHash('sha256').update(secret).digest('hex');
  const signature = createHmac('sha256', key).update(body).digest('hex');
  expect(headers['x-signature']).toBe(`sha256=${signature}`);
}

/** Checks the headers of Standard Webhooks with its package, at the time of the attempt. */
function expectStandardSignature({ headers, body }: SandboxDelivery, webhookSecret: string): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Number(headers['webhook-timestamp']) * 1_000 });
  expect(new Webhook(webhookSecret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Webhook(webhookSecret).verify(`${body} `, headers)).toThrow('No matching signature');
  vi.useRealTimers();
}

type WatchEvent = Awaited<ReturnType<WatchSandbox['poll']>>['events'][number];

/** Returns the wallets that received payments before and after an event. */
const listWallets = (event: WatchEvent | undefined): (string | undefined)[] =>
  [event?.data.before, event?.data.after].map((state) =>
    state && 'options' in state ? state.options[0]?.pay_to : undefined,
  );

/** Checks the messages to a webhook: one for each event, in the same order, each with two valid signatures. */
function expectWebhooks(
  messages: readonly SandboxDelivery[],
  events: readonly WatchEvent[],
  watch: WatchCreated,
) {
  expect(messages.map(({ body }) => JSON.parse(body) as unknown)).toEqual(
    events.map(({ event_id, type, severity, endpoint, observed_at_iso, data }) => ({
      type,
      timestamp: observed_at_iso,
      data: { watch_id: watch.watch_id, event_id, severity, endpoint, ...data },
    })),
  );
  expect(messages.map(({ headers }) => headers['webhook-id'])).toEqual(
    events.map(({ event_id }) => event_id),
  );
  for (const message of messages) {
    expectSpecifiedSignature(message, watch.secret);
    expectStandardSignature(message, watch.webhook_secret);
  }
}

/** Returns the text of a chat message without the format of values. */
const toPlainText = ({ text }: SandboxDelivery): string => (text ?? '').replaceAll(/[`\u200b]/g, '');

/** Checks the messages to a chat: one for each event, in the same order, with its summary. */
function expectChat(messages: readonly SandboxDelivery[], events: readonly WatchEvent[]) {
  expect(messages).toHaveLength(events.length);
  for (const [index, { data, endpoint }] of events.entries()) {
    const text = messages[index] ? toPlainText(messages[index]) : '';
    expect(text).toContain(data.summary);
    expect(text).toContain(endpoint);
    expect(text).toContain(data.endpoint_page);
  }
}

/** Causes the changes one after another, with probes and deliveries after each of them. */
async function causeChanges(): Promise<void> {
  for (const change of ['payto', 'price', 'asset', 'challenge'] as const) {
    await world.change(ENDPOINT, change);
    await world.observe();
    await world.run('deliver');
  }
  await world.change(ENDPOINT, 'listing');
  await world.discover();
  await world.discover();
  await world.run('deliver');
  await world.restore(ENDPOINT);
  await world.observe();
  await world.change(ENDPOINT, 'outage');
  await world.observe();
  await world.observe();
  await world.run('deliver');
  await world.restore(ENDPOINT);
  await world.observe();
  await world.run('deliver');
}

it('sells a report on Base Sepolia, and reads the settlement from its chain', async ({ skip }) => {
  const { buyer, sandbox, db } = world;
  if (buyer === null) return skip(sandbox.chainMissing ?? 'there is no chain');
  // Both watches were sold before, for $0.20 each.
  expect(await world.readSellerBalance()).toBe(400_000n);
  const { challenge, response } = await buyer.buyReport(REPORTED_ENDPOINT);
  const domain = { name: 'USDC', version: '2' };
  expect(challenge.accepts).toMatchObject([{ network: 'eip155:84532', asset: USDC, extra: domain }]);
  expect([response.status, await response.json()]).toMatchObject([200, { resource: REPORTED_ENDPOINT }]);
  const receipt = readReceiptHeader(response);
  expect(receipt).toMatchObject({ success: true, network: 'eip155:84532' });
  expect(await world.readSellerBalance()).toBe(405_000n);
  const { transaction } = receipt;
  const { data } = await db
    .from('payments')
    .select('network, state, transaction')
    .eq('resource', REPORTED_ENDPOINT);
  expect(data).toEqual([{ network: 'eip155:84532', state: 'settled', transaction }]);
});

it('reports each change once and in order on webhook, Slack, Discord and poll', async (test) => {
  const [watch] = getWatches(test);
  await causeChanges();

  const { events, watch_events: lifecycle, status } = await world.poll(watch);
  const [wallet, otherWallet] = listWallets(events[0]);
  expect(wallet).not.toBe(otherWallet);
  const original = [{ network: 'eip155:8453', amount: '2000', pay_to: wallet }];
  expect(events).toMatchObject([
    {
      type: 'payto_change',
      severity: 'critical',
      data: { before: { options: original }, after: { options: [{ amount: '2000', pay_to: otherWallet }] } },
    },
    {
      type: 'price_change',
      data: { before: { options: [{ amount: '2000' }] }, after: { options: [{ amount: '20000' }] } },
    },
    {
      type: 'asset_network_change',
      data: { after: { options: [{ network: 'eip155:137', amount: '20000' }] } },
    },
    { type: 'spec_regression', data: { before: { compliance: 'pass' }, after: { compliance: 'unpayable' } } },
    { type: 'delisting', data: { after: { listing_status: 'delisted' } } },
    // The end of the changes restores the token and the wallet.
    { type: 'asset_network_change', data: { after: { options: original } } },
    { type: 'payto_change', data: { after: { options: original } } },
    { type: 'liveness_down', data: { after: { liveness: 'down', missed_probes: 2, http_status: 503 } } },
    { type: 'liveness_recovered', severity: 'info', data: { after: { liveness: 'up' } } },
  ]);
  expect(events.map(({ data }) => data.sequence)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect([status, lifecycle.map(({ type }) => type)]).toEqual(['active', ['created']]);

  const { hook, slack, discord } = PATHS;
  const [connectionTest, ...webhooks] = await world.listDeliveries(hook);
  expect(connectionTest).toMatchObject({ type: 'connection_test', status: 200 });
  expectWebhooks(webhooks, events, watch);
  for (const path of [slack, discord]) expectChat((await world.listDeliveries(path)).slice(1), events);

  await world.observe();
  await world.run('deliver');
  expect((await world.poll(watch)).events).toEqual(events);
  for (const path of [hook, slack, discord]) expect(await world.listDeliveries(path)).toHaveLength(10);
}, 120_000);

it('stops deliveries to a removed chat, reports it elsewhere, and waits for a rate limit', async (test) => {
  const [, watch] = getWatches(test);
  const { hook, slack, discord } = OTHER_PATHS;
  await world.change(OTHER_ENDPOINT, 'price');
  await world.observe();
  const countAccepted = async () =>
    (await world.listDeliveries(discord)).filter(({ status }) => status === 204).length;
  await expect
    .poll(
      async () => {
        await world.run('deliver');
        world.advance(10_000);
        return countAccepted();
      },
      { timeout: 30_000, interval: RATE_INTERVAL_MS },
    )
    .toBe(3);

  const { events, watch_events: lifecycle } = await world.poll(watch);
  expect(events.map(({ type }) => type)).toEqual(['price_change']);
  const disabled = lifecycle.find(({ type }) => type === 'delivery_disabled');
  expect(disabled?.data).toMatchObject({ channel: 'slack', reason: 'gone', sequence: 3 });
  const types = (await world.listDeliveries(hook)).map(({ type }) => type);
  expect(types).toEqual(['connection_test', 'price_change', 'delivery_disabled']);
  expect((await world.listDeliveries(slack)).map(({ status }) => status)).toEqual([200, 404]);
  const limited = await world.listDeliveries(discord);
  expect(limited.map(({ status }) => status)).toContain(429);
  const accepted = limited.filter(({ status }) => status === 204).map(toPlainText);
  expect(accepted[1]).toContain(events[0]?.data.summary);
  expect(accepted[2]).toContain(disabled?.data.summary);
}, 120_000);
