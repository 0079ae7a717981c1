import { createHash, createHmac } from 'node:crypto';
import type { PrivateKeyAccount } from 'viem/accounts';
import { z } from 'zod';
import { createPayment, post } from '../support/payment/buyer.ts';
import { createWallet, readBalance } from '../support/payment/chain.ts';
import { formatRequest, sendRaw } from '../support/raw-request.ts';
import { expect, test } from '../support/shared-service.ts';
import {
  buyWatch,
  callWatch,
  CREATE_PATH,
  createdSchema,
  createReceiverUrls,
  listReceived,
  WATCHED_ENDPOINT,
  type ReceivedMessage,
} from '../support/watches.ts';

/** Price of a watch and of a renewal, in atomic units of USDC. */
const PRICE = 200_000n;
const FUNDS = 5n * PRICE;
const DAY_MS = 86_400_000;
/** Maximum time until the service has sent an event, in milliseconds. It starts a delivery run every 5 seconds. */
const DELIVERY_TIMEOUT_MS = 60_000;
const UNKNOWN_ID = `w_${'a'.repeat(26)}`;
const OTHER_SECRET = `wsk_${'A'.repeat(43)}`;

const problemSchema = z.looseObject({ code: z.string(), instance: z.string() });
const watchSchema = z.looseObject({ status: z.string(), expires_at: z.iso.datetime() });
const eventSchema = z.looseObject({ event_id: z.string(), type: z.string() });
const eventsSchema = z.object({
  events: z.array(eventSchema),
  next_cursor: z.string(),
  watch_events: z.array(eventSchema),
  watch_events_cursor: z.string(),
});

/** Buys with a wallet that no other test uses. Returns the response and the headers with the payment. */
async function buy(account: PrivateKeyAccount, path: string, body: unknown) {
  const payment = await createPayment(account, path, body);
  return { payment, response: await post(path, body, payment) };
}

/** Expects an error response that says that nothing was charged, and an unchanged balance on the chain. */
async function expectNotCharged(
  response: Response,
  account: PrivateKeyAccount,
  expected: Readonly<Record<string, unknown>>,
): Promise<void> {
  expect(await response.json()).toMatchObject({ ...expected, status: response.status, notCharged: true });
  expect(response.headers.has('payment-response')).toBe(false);
  expect(await readBalance(account)).toBe(FUNDS);
}

/** Headers that differ between two responses to the same request. */
const VARYING_HEADERS = ['date', 'ratelimit', 'x-request-id'];

/** Returns the parts of an error response that depend neither on the path of the request nor on the time. */
async function readComparable(response: Response) {
  const body = problemSchema.parse(await response.json());
  const headers = [...response.headers].filter(([name]) => !VARYING_HEADERS.includes(name));
  return { status: response.status, headers, body: { ...body, instance: '' } };
}

const readEvents = async (id: string, secret: string, query = '') =>
  eventsSchema.parse(await (await callWatch({ id, secret, path: `/events${query}` })).json());

/**
 * Checks both signatures of a message by their specifications: `x-signature` is the HMAC of the body, keyed by the hex
 * SHA-256 of the secret. `webhook-signature` is that of Standard Webhooks.
 */
function expectSigned({ headers, body }: ReceivedMessage, secret: string, webhookSecret: string): void {
  const key = createHash('sha256').update(secret).digest('hex');
  const signature = createHmac('sha256', key).update(body).digest('hex');
  expect(headers['x-signature']).toBe(`sha256=${signature}`);
  const signed = `${headers['webhook-id'] ?? ''}.${headers['webhook-timestamp'] ?? ''}.${body}`;
  const standardKey = Buffer.from(webhookSecret.replace('whsec_', ''), 'base64');
  const standard = createHmac('sha256', standardKey).update(signed).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${standard}`);
}

test('a bought watch tests its URLs with signed messages, and delivers its events to them', async () => {
  const account = await createWallet(FUNDS);
  const { path, webhook, slack, discord } = createReceiverUrls();
  const delivery = { webhook_url: webhook, slack_urls: [slack, discord] };
  const { response } = await buy(account, CREATE_PATH, { endpoint: WATCHED_ENDPOINT, delivery });
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toContain('no-store');
  expect(await readBalance(account)).toBe(FUNDS - PRICE);
  const created: unknown = await response.json();
  expect(created).toMatchObject({
    endpoint: WATCHED_ENDPOINT,
    liveness_sensitivity_n: 2,
    delivery: {
      connection_test: [
        { url: webhook, ok: true, status: 200, error: null },
        // The URLs of chats are secrets, so they are shortened.
        { url: `https://slack.sandbox.test/…${path.slice(-4)}`, ok: true, status: 200 },
        { url: `https://discord.sandbox.test/…${path.slice(-4)}`, ok: true, status: 204 },
      ],
    },
  });
  const { watch_id: id, secret, webhook_secret: webhookSecret } = createdSchema.parse(created);
  const tests = await listReceived(path);
  expect(tests.map(({ channel }) => channel).toSorted()).toEqual(['discord', 'slack', 'webhook']);
  const [connectionTest] = tests.filter(({ channel }) => channel === 'webhook');
  if (connectionTest === undefined) throw new Error('The webhook received no connection test');
  expect(connectionTest).toMatchObject({ type: 'connection_test', status: 200 });
  expectSigned(connectionTest, secret, webhookSecret);

  await callWatch({ id, secret, method: 'DELETE' });
  await expect(async () => {
    const later = (await listReceived(path)).slice(tests.length);
    expect(later.map(({ channel }) => channel).toSorted()).toEqual(['discord', 'slack', 'webhook']);
    const [message] = later.filter(({ channel }) => channel === 'webhook');
    if (message === undefined) throw new Error('The webhook received no event');
    expect(JSON.parse(message.body)).toMatchObject({
      type: 'cancelled',
      data: { watch_id: id, sequence: 2 },
    });
    expectSigned(message, secret, webhookSecret);
  }).toPass({ timeout: DELIVERY_TIMEOUT_MS });
});

test('the challenge comes before the validation, and a wrong endpoint is not charged', async () => {
  const { path, webhook } = createReceiverUrls();
  const invalid = { endpoint: 7, delivery: { webhook_url: 'http://127.0.0.1/' } };
  for (const target of [CREATE_PATH, `/v1/watch/${UNKNOWN_ID}/renew`])
    expect([target, (await post(target, invalid)).status]).toEqual([target, 402]);
  const account = await createWallet(FUNDS);
  const refused = await buy(account, CREATE_PATH, invalid);
  await expectNotCharged(refused.response, account, {
    status: 400,
    code: 'invalid-request',
    errors: [{ path: 'endpoint' }, { path: 'delivery.webhook_url' }],
  });
  const body = { endpoint: 'https://nobody.example/', delivery: { webhook_url: webhook } };
  const unknown = await buy(account, CREATE_PATH, body);
  await expectNotCharged(unknown.response, account, { status: 404, code: 'unknown-resource' });
  expect(await listReceived(path)).toEqual([]);
});

test('an unreachable URL is not charged, and the same payment buys the corrected watch once', async () => {
  const account = await createWallet(FUNDS);
  const { path, webhook } = createReceiverUrls();
  const toBody = (url: string) => ({
    endpoint: WATCHED_ENDPOINT,
    delivery: { webhook_urls: [webhook, url] },
  });
  const wrong = toBody('https://receiver.sandbox.test/fail/503');
  const { payment, response } = await buy(account, CREATE_PATH, wrong);
  await expectNotCharged(response, account, {
    status: 422,
    code: 'delivery-unreachable',
    errors: [{ path: 'delivery.webhook_urls.1', message: 'The connection test failed: http-503.' }],
  });

  const corrected = toBody(`${webhook}/other`);
  const first = await post(CREATE_PATH, corrected, payment);
  expect(first.status).toBe(200);
  const text = await first.text();
  const { watch_id: id, secret } = createdSchema.parse(JSON.parse(text));
  // The client lost the response and sends the same request again. It gets the secret again.
  const repeated = await post(CREATE_PATH, corrected, payment);
  expect([repeated.status, await repeated.text()]).toEqual([200, text]);
  expect(repeated.headers.get('payment-response')).toBe(first.headers.get('payment-response'));
  expect(await readBalance(account)).toBe(FUNDS - PRICE);
  expect(await listReceived(path)).toHaveLength(2);
  expect(await listReceived(`${path}/other`)).toHaveLength(1);
  expect((await callWatch({ id, secret })).status).toBe(200);
});

test('an edit changes only what it names, tests new URLs, and appears after the cursor', async () => {
  const { path, webhook } = createReceiverUrls();
  const { watch_id: id, secret } = await buyWatch({ events: ['payto_change', 'delisting'] });
  const begun = await readEvents(id, secret);
  expect(begun).toMatchObject({ events: [], watch_events: [{ type: 'created' }] });
  const edit = async (body: Readonly<Record<string, unknown>>) => {
    const response = await callWatch({ id, secret, method: 'PATCH', body });
    return { status: response.status, body: z.looseObject({}).parse(await response.json()) };
  };
  expect(await edit({ liveness_sensitivity_n: 5, delivery: { webhook_url: webhook } })).toMatchObject({
    status: 200,
    body: { liveness_sensitivity_n: 5, connection_test: [{ url: webhook, ok: true }] },
  });
  expect((await listReceived(path)).map(({ type }) => type)).toEqual(['connection_test']);
  const before: unknown = await (await callWatch({ id, secret })).json();
  expect(before).toMatchObject({
    status: 'active',
    events: ['payto_change', 'delisting'],
    liveness_sensitivity_n: 5,
    delivery: { webhooks: [{ status: 'active', url: `https://receiver.sandbox.test/…${path.slice(-4)}` }] },
  });
  const unreachable = { webhook_urls: [webhook, 'https://receiver.sandbox.test/gone'] };
  expect(await edit({ events: ['delisting'], delivery: unreachable })).toMatchObject({
    status: 422,
    body: { code: 'delivery-unreachable', errors: [{ path: 'delivery.webhook_urls.1' }] },
  });
  expect(await edit({ liveness_sensitivity_n: 11 })).toMatchObject({ status: 400 });
  expect(await (await callWatch({ id, secret })).json()).toEqual(before);
  expect((await edit({ delivery: { webhook_urls: [] } })).body).toMatchObject({
    delivery: { webhooks: [] },
  });

  const { watch_events_cursor: watchCursor, next_cursor: cursor } = begun;
  const later = await readEvents(id, secret, `?since=${cursor}&watch_since=${watchCursor}`);
  expect(later).toMatchObject({ events: [], watch_events: [{ type: 'edited' }, { type: 'edited' }] });
  const last = await readEvents(id, secret, `?watch_since=${later.watch_events_cursor}`);
  expect(last).toMatchObject({ watch_events: [], watch_events_cursor: later.watch_events_cursor });
  const foreign = `?since=evt_${'a'.repeat(26)}_1`;
  const refused = await callWatch({ id, secret, path: `/events${foreign}` });
  expect(await refused.json()).toMatchObject({ status: 400, code: 'invalid-request' });
});

test('a wrong secret and an unknown watch get the same response', async () => {
  const { watch_id: id, secret } = await buyWatch();
  for (const request of [
    { path: '/events' },
    { path: '' },
    { method: 'PATCH', body: { liveness_sensitivity_n: 3 } },
    { method: 'DELETE' },
  ] as const) {
    const [wrong, unknown] = await Promise.all([
      callWatch({ ...request, id, secret: OTHER_SECRET }).then(readComparable),
      callWatch({ ...request, id: UNKNOWN_ID, secret: OTHER_SECRET }).then(readComparable),
    ]);
    expect(wrong).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    expect(wrong).toEqual(unknown);
  }
  const unchanged = { status: 'active', liveness_sensitivity_n: 2 };
  expect(await (await callWatch({ id, secret })).json()).toMatchObject(unchanged);
});

test('a renewal adds 30 days, and a cancelled watch is not renewed', async () => {
  const account = await createWallet(FUNDS);
  const { watch_id: id, secret, expires_at: expiresAt } = await buyWatch();
  const renewPath = `/v1/watch/${id}/renew`;
  const unknown = await buy(account, `/v1/watch/${UNKNOWN_ID}/renew`, {});
  await expectNotCharged(unknown.response, account, { status: 404, code: 'watch-not-found' });

  const { payment, response } = await buy(account, renewPath, {});
  const renewed = watchSchema.parse(await response.json());
  expect(Date.parse(renewed.expires_at) - Date.parse(expiresAt)).toBe(30 * DAY_MS);
  expect(renewed).not.toHaveProperty('secret');
  expect(await (await post(renewPath, {}, payment)).json()).toEqual(renewed);
  expect(await readBalance(account)).toBe(FUNDS - PRICE);
  const { expires_at: stored } = watchSchema.parse(await (await callWatch({ id, secret })).json());
  expect(stored).toBe(renewed.expires_at);

  const cancelled: unknown = await (await callWatch({ id, secret, method: 'DELETE' })).json();
  expect(cancelled).toMatchObject({ status: 'cancelled' });
  const again = await callWatch({ id, secret, method: 'DELETE' });
  expect([again.status, await again.json()]).toEqual([200, cancelled]);
  const poorer = await createWallet(FUNDS);
  const late = await buy(poorer, renewPath, {});
  await expectNotCharged(late.response, poorer, { status: 409, code: 'watch-not-renewable' });
  const { watch_events: lifecycle } = await readEvents(id, secret);
  expect(lifecycle.map(({ type }) => type)).toEqual(['created', 'renewed', 'cancelled']);
});

test('pages of other origins may edit a watch with its secret', async () => {
  const response = await sendRaw(
    formatRequest('OPTIONS', `/v1/watch/${UNKNOWN_ID}`, [
      'Origin: https://other.example',
      'Access-Control-Request-Method: PATCH',
      'Access-Control-Request-Headers: authorization, content-type',
    ]),
  );
  expect(response.status).toBe(204);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('access-control-allow-methods')?.split(', ')).toContain('PATCH');
  expect(response.headers.get('access-control-allow-headers')).toBe('authorization, content-type');
});
