import { webhookMessageSchema } from '@touchstone/contract';
import { createSender, type Probe, type SendRequest } from '@touchstone/probe';
import { serveTcp } from '@touchstone/probe/testing';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createDelivery, event, webhookSecret } from '../testing/delivery.ts';
import { AT, CONTEXT } from '../testing/entries.ts';
import { createTestSender, startReceiver, UNANSWERED } from '../testing/receiver.ts';
import { toWebhookBody } from '../messages/webhook-message.ts';
import { deliver } from './deliver.ts';

describe('a webhook', () => {
  it('gets the event with valid signatures, and the same id in each attempt', async () => {
    await using receiver = await startReceiver({ status: 500 }, { status: 202, body: 'queued' });
    const now = Date.now();
    const first = await deliver(receiver.send, createDelivery('webhook', { now: () => now }));
    const second = await deliver(
      receiver.send,
      createDelivery('webhook', { attempt: 2, now: () => now + 5_000 }),
    );
    expect(first).toMatchObject({
      outcome: 'retry',
      httpStatus: 500,
      error: 'http-500',
      nextAttemptAt: now + 5_000,
    });
    expect(second).toMatchObject({
      at: now + 5_000,
      outcome: 'delivered',
      httpStatus: 202,
      reply: 'queued',
      error: null,
      phase: null,
      nextAttemptAt: null,
    });
    const bodies = receiver.received.map(({ headers, body }) => {
      const single = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, String(text)]));
      return new Webhook(webhookSecret).verify(body, single);
    });
    const body: unknown = JSON.parse(toWebhookBody(event, CONTEXT.watchId));
    expect(bodies).toEqual([body, body]);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([
      event.event_id,
      event.event_id,
    ]);
    expect(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).toEqual([
      String(Math.floor(now / 1_000)),
      String(Math.floor(now / 1_000) + 5),
    ]);
  });

  it('gets a signed digest instead of events, whose id names the events', async () => {
    await using receiver = await startReceiver({ status: 200 });
    const range = { firstSequence: 3, lastSequence: 4, lastAt: AT, counts: { payto_change: 2 } };
    const digest = { ...CONTEXT, ...range, pollUrl: 'https://touchstone.example/v1/watch/w_1/events' };
    const extra = { events: [], digest, now: Date.now };
    expect(await deliver(receiver.send, createDelivery('webhook', extra))).toMatchObject({
      outcome: 'delivered',
    });
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
    expect(headers['webhook-id']).toBe(`digest_${CONTEXT.watchId.slice(2)}_3_4`);
    const single = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, String(text)]));
    const message = webhookMessageSchema.parse(new Webhook(webhookSecret).verify(body, single));
    expect(message).toMatchObject({
      type: 'delivery_digest',
      data: {
        watch_id: CONTEXT.watchId,
        severity: 'critical',
        poll_url: digest.pollUrl,
        first_sequence: 3,
        last_sequence: 4,
        sender_page: 'https://touchstone.example/docs#watch-messages',
      },
    });
  });

  it('gets exactly one event', async () => {
    await using receiver = await startReceiver({ status: 200 });
    for (const events of [[], [event, event]])
      await expect(deliver(receiver.send, createDelivery('webhook', { events }))).rejects.toThrow(
        'exactly one event',
      );
    expect(receiver.received).toEqual([]);
  });

  it.each([
    [410, 'gone', null],
    // A redirect is not followed.
    [308, 'retry', AT + 5_000],
    [404, 'retry', AT + 5_000],
    [299, 'delivered', null],
  ] as const)('with status %d is %s', async (status, outcome, nextAttemptAt) => {
    const headers = { location: 'https://receiver.example/other' };
    await using receiver = await startReceiver({ status, headers }, { status: 200 });
    const result = await deliver(receiver.send, createDelivery('webhook'));
    expect(result).toMatchObject({ httpStatus: status, outcome, nextAttemptAt });
    expect(result.error).toBe(outcome === 'delivered' ? null : `http-${status}`);
  });

  it('is exhausted after the tenth failed attempt', async () => {
    await using receiver = await startReceiver({ status: 500 });
    const send = (attempt: number) => deliver(receiver.send, createDelivery('webhook', { attempt }));
    expect(await send(9)).toMatchObject({ outcome: 'retry', nextAttemptAt: AT + 86_400_000 });
    expect(await send(10)).toMatchObject({ outcome: 'exhausted', nextAttemptAt: null });
  });

  it.each([
    [429, '600', 600_000],
    [503, '1', 5_000],
    [429, '86400', 3_600_000],
    [429, 'soon', 5_000],
    [500, '600', 5_000],
  ])(
    'with status %d and Retry-After %s waits at least as long, at most one hour',
    async (status, value, delayMs) => {
      const headers = { 'retry-after': value, date: new Date(AT).toUTCString() };
      await using receiver = await startReceiver({ status, headers });
      const result = await deliver(receiver.send, createDelivery('webhook'));
      expect(result).toMatchObject({ outcome: 'retry', nextAttemptAt: AT + delayMs });
    },
  );
});

describe('a receiver that does not respond in time', () => {
  it.each([
    ['dns-error', { phase: 'resolve', code: 'ENOTFOUND' }, 20],
    ['refused-address', { phase: 'resolve', code: 'EPRIVATE' }, 0],
    ['connect-error', { phase: 'connect', code: 'ECONNREFUSED' }, 1],
    ['timeout', { phase: 'connect', code: 'ETIMEDOUT' }, 15_000],
    ['tls-error', { phase: 'tls', code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, 30],
  ] as const)('does not show a %s with %o', async (outcome, cause, totalMs) => {
    let at = AT;
    const send = ({ url }: SendRequest): Promise<Probe> => {
      at += totalMs;
      return Promise.resolve({ ...UNANSWERED, url, outcome, totalMs, failure: { ...cause, message: '' } });
    };
    expect(await deliver(send, createDelivery('webhook', { now: () => at }))).toEqual({
      ...{ at: AT, durationMs: 15_000, phase: null, httpStatus: null, reply: null, error: 'no-response' },
      ...{ outcome: 'retry', nextAttemptAt: AT + 20_000 },
    });
  });

  it('names an error of its certificate', async () => {
    const failure = { phase: 'tls', code: 'CERT_HAS_EXPIRED', message: '' } as const;
    const send = ({ url }: SendRequest): Promise<Probe> =>
      Promise.resolve({ ...UNANSWERED, url, outcome: 'tls-error', totalMs: 30, failure });
    expect(await deliver(send, createDelivery('webhook'))).toMatchObject({
      ...{ durationMs: 30, phase: 'tls', error: 'tls-certificate-expired', nextAttemptAt: AT + 5_000 },
    });
  });

  it('has 15 seconds', async () => {
    await using server = await serveTcp((socket) => void socket.resume());
    const send: ReturnType<typeof createTestSender> = (request) => {
      expect(request.timeoutMs).toBe(15_000);
      return createTestSender(server.port)({ ...request, timeoutMs: 50 });
    };
    expect(await deliver(send, createDelivery('webhook'))).toMatchObject({
      outcome: 'retry',
      httpStatus: null,
      error: 'no-response',
      reply: null,
    });
  });

  it('has the message if its status 2xx arrived, also when its body is endless', async () => {
    await using receiver = await startReceiver((_, response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(1_024)));
        response.once('drain', more);
      };
      more();
    });
    const result = await deliver(receiver.send, createDelivery('webhook'));
    expect(result).toMatchObject({ outcome: 'delivered', httpStatus: 200, reply: 'x'.repeat(1_000) });
  });
});

describe('the network', () => {
  it('is our own failure when our name server refuses the request, and is tried again after 30 seconds', async () => {
    const send = createSender({
      resolver: () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })),
      userAgent: 'Touchstone-test/1.0',
    });
    for (const attempt of [1, 10])
      expect(await deliver(send, createDelivery('webhook', { attempt }))).toMatchObject({
        outcome: 'self-failure',
        error: 'self-failure',
        httpStatus: null,
        nextAttemptAt: AT + 30_000,
      });
  });
});
