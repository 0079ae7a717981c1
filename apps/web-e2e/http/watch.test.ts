import { createHash, createHmac } from 'node:crypto';
import type { PrivateKeyAccount } from 'viem/accounts';
import { expect, it, vi } from 'vitest';
import { createPayment, post } from '../support/payment/buyer.ts';
import { createWallet, readBalance } from '../support/payment/chain.ts';
import {
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
/**
 * Maximum time until the service has sent an event, in milliseconds. The service starts a delivery run every 5 seconds.
 */
const DELIVERY_TIMEOUT_MS = 60_000;

/** Buys with a wallet that no other test uses. Returns the response and the headers with the payment. */
async function buy(account: PrivateKeyAccount, path: string, body: unknown) {
  const payment = await createPayment(account, path, body);
  return { payment, response: await post(path, body, payment) };
}

/** Expects an error response and an unchanged balance on the chain. The error must state that nothing was charged. */
async function expectNotCharged(
  response: Response,
  account: PrivateKeyAccount,
  expected: Readonly<Record<string, unknown>>,
): Promise<void> {
  expect(await response.json()).toMatchObject({ ...expected, status: response.status, notCharged: true });
  expect(response.headers.has('payment-response')).toBe(false);
  expect(await readBalance(account)).toBe(FUNDS);
}

/**
 * Checks both signatures of a message by their specifications. `x-signature` is the HMAC of the body, keyed by the hex
 * SHA-256 of the secret. `webhook-signature` follows the specification of Standard Webhooks.
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

it('a bought watch tests its URLs with signed messages, and delivers its events to them', async () => {
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
        // Chat URLs are secret, so the response shows only their last four characters.
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
  await vi.waitFor(
    async () => {
      const later = (await listReceived(path)).slice(tests.length);
      expect(later.map(({ channel }) => channel).toSorted()).toEqual(['discord', 'slack', 'webhook']);
      const [message] = later.filter(({ channel }) => channel === 'webhook');
      if (message === undefined) throw new Error('The webhook received no event');
      expect(JSON.parse(message.body)).toMatchObject({
        type: 'cancelled',
        data: { watch_id: id, sequence: 2 },
      });
      expectSigned(message, secret, webhookSecret);
    },
    { timeout: DELIVERY_TIMEOUT_MS, interval: 100 },
  );
});

it('an unreachable URL is not charged, and the same payment buys the corrected watch once', async () => {
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
  // The client lost the response. It sends the same request again, and gets the secret again.
  const repeated = await post(CREATE_PATH, corrected, payment);
  expect([repeated.status, await repeated.text()]).toEqual([200, text]);
  expect(repeated.headers.get('payment-response')).toBe(first.headers.get('payment-response'));
  expect(await readBalance(account)).toBe(FUNDS - PRICE);
  expect(await listReceived(path)).toHaveLength(2);
  expect(await listReceived(`${path}/other`)).toHaveLength(1);
  expect((await callWatch({ id, secret })).status).toBe(200);
});
