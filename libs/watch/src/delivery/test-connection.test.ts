import { REFUSAL, webhookMessageSchema } from '@touchstone/contract';
import type { Outcome, Probe, SendRequest } from '@touchstone/probe';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createWatchSecret } from '../secrets/watch-secret.ts';
import { CONTEXT } from '../testing/entries.ts';
import { DISCORD, SLACK, startReceiver, UNANSWERED, type Receiver } from '../testing/receiver.ts';
import { testConnection, type ConnectionTestRequest } from './test-connection.ts';

const { signingKey, webhookSecret } = createWatchSecret();

/** Creates a request whose clock advances only while the request sleeps. `pauses` collects the pauses. */
function createRequest(extra: Partial<ConnectionTestRequest> = {}) {
  const pauses: number[] = [];
  let at = Date.now();
  const request: ConnectionTestRequest = {
    channel: 'webhook',
    url: 'https://receiver.example/hook',
    signingKey,
    watchId: CONTEXT.watchId,
    resource: CONTEXT.resource,
    baseUrl: 'https://touchstone.example',
    now: () => at,
    startedAt: at,
    sleep: (ms) => {
      pauses.push(ms);
      at += ms;
      return Promise.resolve();
    },
    ...extra,
  };
  return { request, pauses };
}

/**
 * Runs a test in which no try gets a response. `spend` returns the duration of a try with a given timeout, in
 * milliseconds.
 */
async function runUnanswered(
  outcome: Outcome,
  spend: (timeoutMs: number) => number,
  { code = 'ECODE', fileMs = 0 } = {},
) {
  const { request } = createRequest();
  const { startedAt } = request;
  let at = startedAt + fileMs;
  const send = ({ url, timeoutMs }: SendRequest): Promise<Probe> => {
    const totalMs = spend(timeoutMs);
    at += totalMs;
    return Promise.resolve({
      ...UNANSWERED,
      url,
      outcome,
      totalMs,
      failure: { phase: 'tls', code, message: '' },
    });
  };
  const sleep = (ms: number) => Promise.resolve((at += ms));
  const result = await testConnection(send, { ...request, now: () => at, sleep });
  return { result, durationMs: at - startedAt };
}

function readBodies({ received }: Receiver): readonly unknown[] {
  return received.map(({ headers, body }) => {
    const single = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, String(text)]));
    return new Webhook(webhookSecret).verify(body, single);
  });
}

describe('the test of a webhook', () => {
  it('sends a signed connection_test that follows the schema', async () => {
    await using receiver = await startReceiver({ status: 204 });
    const { request, pauses } = createRequest();
    const { ms, ...result } = await testConnection(receiver.send, request);
    expect(result).toEqual({ ok: true, status: 204, error: null, tries: 1, messages: 1 });
    expect(Number.isInteger(ms)).toBe(true);
    const [body] = readBodies(receiver);
    expect(webhookMessageSchema.parse(body)).toMatchObject({
      type: 'connection_test',
      data: {
        watch_id: CONTEXT.watchId,
        endpoint: CONTEXT.resource,
        sender_page: 'https://touchstone.example/docs#watch-messages',
        refusal: REFUSAL,
      },
    });
    expect(pauses).toEqual([]);
  });

  it('is repeated twice with the same id and a new signature', async () => {
    await using receiver = await startReceiver({ status: 500 }, { status: 503 }, { status: 200 });
    const { request, pauses } = createRequest();
    expect(await testConnection(receiver.send, request)).toMatchObject({ ok: true, status: 200, tries: 3 });
    expect(pauses).toEqual([1_000, 1_000]);
    expect(readBodies(receiver)).toHaveLength(3);
    const read = (name: string) => receiver.received.map(({ headers }) => headers[name]);
    expect(new Set(read('webhook-id')).size).toBe(1);
    expect(new Set(read('webhook-timestamp')).size).toBe(3);
  });

  it.each([
    [301, 1],
    [404, 1],
    [408, 3],
    [425, 3],
    [429, 3],
    [502, 3],
  ])('with status %d ends after %d tries', async (status, tries) => {
    await using receiver = await startReceiver({ status });
    const { request } = createRequest();
    const result = await testConnection(receiver.send, request);
    expect(result).toMatchObject({ ok: false, status, error: `http-${status}`, tries, messages: tries });
  });

  it('waits as long as the receiver requests, if another try then fits in 11 seconds', async () => {
    await using receiver = await startReceiver({ status: 429, headers: { 'retry-after': '9' } });
    const { request, pauses } = createRequest();
    expect(await testConnection(receiver.send, request)).toMatchObject({ ok: false, status: 429, tries: 2 });
    expect(pauses).toEqual([9_000]);
  });

  it('gives each try 5 seconds and all of them 11', async () => {
    const timeouts: number[] = [];
    await runUnanswered('timeout', (timeoutMs) => {
      timeouts.push(timeoutMs);
      return timeoutMs;
    });
    expect(timeouts).toEqual([5_000, 5_000]);
  });

  it('counts the messages to a server that closes each connection without a response', async () => {
    await using receiver = await startReceiver((_, response) => response.destroy());
    const { request } = createRequest();
    const result = await testConnection(receiver.send, request);
    expect(result).toMatchObject({ status: null, error: 'no-response', messages: 3 });
    expect(receiver.received).toHaveLength(3);
  });

  it.each([
    ['dns-error', 20],
    ['connect-error', 1],
    ['connect-error', 4_000],
    ['tls-error', 30],
    ['timeout', 5_000],
    ['protocol-error', 40],
    ['refused-address', 0],
    ['self-failure', 0],
    ['timeout', 5_000, 2_000],
  ] as const)(
    'does not show that there was no response because of a %s after %d ms',
    async (outcome, ms, fileMs?: number) => {
      const spend = (timeoutMs: number) => Math.min(ms, timeoutMs);
      const { result, durationMs } = await runUnanswered(outcome, spend, { fileMs: fileMs ?? 0 });
      expect(result).toMatchObject({ ok: false, status: null, ms: 0, error: 'no-response', messages: 0 });
      expect(durationMs).toBe(12_000);
    },
  );

  it('ends for a URL with a port to which no request is sent', async () => {
    await using receiver = await startReceiver({ status: 204 });
    const { request, pauses } = createRequest({ url: 'https://receiver.example:25/hook' });
    expect(await testConnection(receiver.send, request)).toMatchObject({ error: 'invalid-url', tries: 1 });
    expect(pauses).toEqual([]);
  });

  it('ends when its sender does not allow a further connection to the address', async () => {
    const { result, durationMs } = await runUnanswered('self-failure', () => 0, {
      code: 'ERR_CONNECTION_LIMIT',
    });
    expect(result).toMatchObject({ ok: false, status: null, error: 'too-many-connections', tries: 1 });
    expect(durationMs).toBe(0);
  });
});

describe('the test of a chat', () => {
  it.each([
    ['slack', 'https://hooks.slack.com/services/T1/B2/secret', [SLACK.ok, 'text']],
    ['discord', 'https://discord.com/api/webhooks/1/secret', [DISCORD.ok, 'content']],
  ] as const)('sends a short text to %s', async (channel, url, [response, member]) => {
    await using receiver = await startReceiver(response);
    const { request } = createRequest({ channel, url });
    expect(await testConnection(receiver.send, request)).toMatchObject({ ok: true, tries: 1 });
    const [received] = receiver.received;
    const message = z.record(z.string(), z.unknown()).parse(JSON.parse(received?.body ?? ''));
    expect(message[member]).toMatch(
      /^Connection test: alerts on `https:.*` will arrive here\.\nWatch `w_.*Touchstone.*410\.$/,
    );
    expect(received?.headers).not.toHaveProperty('webhook-id');
  });

  it('fails for a login page, after three tries', async () => {
    await using receiver = await startReceiver({ status: 200, body: '<html>Sign in</html>' });
    const { request } = createRequest({ channel: 'slack' });
    expect(await testConnection(receiver.send, request)).toMatchObject({
      ...{ ok: false, status: 200, error: 'not-accepted', tries: 3 },
    });
  });

  it('sends nothing to Discord at a URL that shows only events of GitHub', async () => {
    await using receiver = await startReceiver(DISCORD.ok);
    const url = 'https://discord.com/api/webhooks/1/a/github';
    const { request } = createRequest({ channel: 'discord', url });
    expect(await testConnection(receiver.send, request)).toEqual({
      ...{ ok: false, status: null, ms: 0, error: 'github-only-url', tries: 0, messages: 0 },
    });
    expect(receiver.received).toEqual([]);
  });
});
