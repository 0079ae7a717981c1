import { createSender, type Probe } from '@touchstone/probe';
import { serveTcp } from '@touchstone/probe/testing';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createDelivery, event, URLS, webhookSecret } from '../testing/delivery.ts';
import { AT, CONTEXT } from '../testing/entries.ts';
import { createTestSender, startReceiver } from '../testing/receiver.ts';
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
    expect(bodies[0]).toEqual({
      type: 'payto_change',
      timestamp: '2026-11-23T00:10:00.000Z',
      data: {
        watch_id: CONTEXT.watchId,
        event_id: event.event_id,
        severity: 'critical',
        endpoint: CONTEXT.resource,
        ...event.data,
      },
    });
    expect(bodies[1]).toEqual(bodies[0]);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([
      event.event_id,
      event.event_id,
    ]);
    expect(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).toEqual([
      String(Math.floor(now / 1_000)),
      String(Math.floor(now / 1_000) + 5),
    ]);
  });

  it('gets exactly one event', async () => {
    await using receiver = await startReceiver({ status: 200 });
    for (const events of [[], [event, event]])
      await expect(deliver(receiver.send, createDelivery('webhook', { events }))).rejects.toThrow(
        'exactly one event',
      );
    expect(receiver.received).toEqual([]);
  });

  it('is not followed to the target of a redirect', async () => {
    const location = 'https://receiver.example/other';
    await using receiver = await startReceiver({ status: 308, headers: { location } });
    expect(await deliver(receiver.send, createDelivery('webhook'))).toMatchObject({
      outcome: 'retry',
      httpStatus: 308,
      error: 'http-308',
      phase: 'response',
    });
    expect(receiver.received).toHaveLength(1);
  });

  it.each([
    [410, 'gone', null],
    [404, 'retry', AT + 5_000],
    [299, 'delivered', null],
  ] as const)('with status %d is %s', async (status, outcome, nextAttemptAt) => {
    await using receiver = await startReceiver({ status });
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
  it('is a timeout after 15 seconds', async () => {
    let request: unknown;
    const send = (sent: { readonly timeoutMs: number }): Promise<Probe> => {
      request = sent.timeoutMs;
      return Promise.resolve(TIMEOUT);
    };
    expect(await deliver(send, createDelivery('webhook'))).toMatchObject({
      outcome: 'retry',
      httpStatus: null,
      error: 'timeout',
      phase: 'processing',
      durationMs: 15_000,
      reply: null,
    });
    expect(request).toBe(15_000);
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

const TIMEOUT: Probe = {
  url: URLS.webhook,
  method: 'POST',
  outcome: 'timeout',
  httpStatus: null,
  phases: { resolve: 1, connect: 1, tls: 1, processing: null, transfer: null },
  latencyMs: null,
  totalMs: 15_000.4,
  headers: [],
  body: null,
  bodyTruncated: false,
  remoteAddress: '192.0.2.1',
  retryAfterSeconds: null,
  failure: { phase: 'processing', code: 'ERR_DEADLINE', message: 'not finished', limitMs: 15_000 },
};

describe('the network', () => {
  it('is never a private address, also when the name server changes its response', async () => {
    let connections = 0;
    await using server = await serveTcp(() => (connections += 1));
    const addresses = ['192.0.2.1', '127.0.0.1'];
    const send = createSender({
      resolver: () => {
        const address = addresses.length > 1 ? addresses.shift() : addresses[0];
        return Promise.resolve([{ address: address ?? '', family: 4, port: server.port }]);
      },
      userAgent: 'Touchstone-test/1.0',
    });
    await send({ url: URLS.webhook, method: 'POST', headers: {}, body: '', timeoutMs: 1, maxReplyBytes: 1 });
    expect(await deliver(send, createDelivery('webhook'))).toMatchObject({
      outcome: 'retry',
      httpStatus: null,
      error: 'address-not-public',
    });
    expect(connections).toBe(0);
  });

  it('is a failure of the receiver when it refuses the connection', async () => {
    const server = await serveTcp(() => undefined);
    const { port } = server;
    await server[Symbol.asyncDispose]();
    expect(await deliver(createTestSender(port), createDelivery('webhook'))).toMatchObject({
      outcome: 'retry',
      error: 'connection-refused',
      phase: 'connect',
    });
  });

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
