import { describe, expect, it } from 'vitest';
import { formatDiscordMessage, formatSlackMessage } from './chat-messages.ts';
import { createDelivery, event } from '../testing/delivery.ts';
import { AT, CONTEXT } from '../testing/entries.ts';
import { createTestSender, DISCORD, SLACK, startReceiver, type Response } from '../testing/receiver.ts';
import { deliver, type DeliveryResult } from './deliver.ts';

describe('Slack', () => {
  it('gets one text without a signature', async () => {
    await using receiver = await startReceiver(SLACK.ok);
    expect(await deliver(receiver.send, createDelivery('slack'))).toMatchObject({
      outcome: 'delivered',
      reply: 'ok',
    });
    const [request] = receiver.received;
    expect(JSON.parse(request?.body ?? '')).toEqual(
      formatSlackMessage({ watchId: CONTEXT.watchId, events: [event] }),
    );
    expect(Object.keys(request?.headers ?? {}).filter((name) => /signature|webhook/.test(name))).toEqual([]);
  });

  it.each([
    ['a removed webhook', SLACK.noService, { outcome: 'gone', nextAttemptAt: null }],
    ['a removed workspace', SLACK.noTeam, { outcome: 'gone', nextAttemptAt: null }],
    ['an archived channel', SLACK.archived, { outcome: 'gone', nextAttemptAt: null }],
    ['a code of Discord', DISCORD.unknownWebhook, { outcome: 'retry' }],
    ['a restriction of the workspace', SLACK.prohibited, { outcome: 'retry', error: 'http-403' }],
    ['a rejected payload', SLACK.invalidPayload, { outcome: 'retry', nextAttemptAt: AT + 5_000 }],
    ['a rate limit', SLACK.rateLimited, { outcome: 'retry', nextAttemptAt: AT + 30_000 }],
  ])('is understood: %s', async (_, response, expected) => {
    await using receiver = await startReceiver(response);
    const result = await deliver(receiver.send, createDelivery('slack'));
    expect(result).toMatchObject({ ...expected, httpStatus: response.status });
  });
});

describe('Discord', () => {
  it.each([
    ['a success', DISCORD.ok, { outcome: 'delivered', nextAttemptAt: null }],
    ['a removed webhook', DISCORD.unknownWebhook, { outcome: 'gone', nextAttemptAt: null }],
    ['a rejected payload', DISCORD.invalidBody, { outcome: 'retry', nextAttemptAt: AT + 5_000 }],
    [
      'a rate limit in fractions of seconds',
      DISCORD.rateLimited,
      { outcome: 'retry', nextAttemptAt: AT + 64_570 },
    ],
  ])('is understood: %s', async (_, response, expected) => {
    await using receiver = await startReceiver(response);
    const result = await deliver(receiver.send, createDelivery('discord'));
    expect(result).toMatchObject({ ...expected, httpStatus: response.status });
    const [request] = receiver.received;
    expect(JSON.parse(request?.body ?? '')).toEqual(
      formatDiscordMessage({ watchId: CONTEXT.watchId, events: [event] }),
    );
  });

  it.each([{ retry_after: 'soon' }, { retry_after: -1 }, []])(
    'waits as scheduled after an unreadable pause: %j',
    async (body) => {
      await using receiver = await startReceiver({ status: 429, body });
      expect(await deliver(receiver.send, createDelivery('discord'))).toMatchObject({
        nextAttemptAt: AT + 5_000,
      });
    },
  );
});

describe.each(['slack', 'discord'] as const)('a response to %s that the chat did not write', (channel) => {
  it.each<[string, Response, Partial<DeliveryResult>]>([
    ['a 404 text of a proxy', { status: 404, body: '404 page not found\n' }, { outcome: 'retry' }],
    ['a 404 page of a proxy', { status: 404, body: '<html>no_service</html>' }, { outcome: 'retry' }],
    ['a 404 without a body', { status: 404 }, { outcome: 'retry', error: 'http-404' }],
    [
      'a login page',
      { status: 200, body: '\n<!DOCTYPE html><title>Sign in</title>' },
      { outcome: 'retry', error: 'not-accepted', phase: 'response', nextAttemptAt: AT + 5_000 },
    ],
    ['ok: false', { status: 200, body: { ok: false } }, { outcome: 'retry', error: 'not-accepted' }],
    ['success: false', { status: 200, body: { success: false } }, { outcome: 'retry' }],
    ['the code of a success', { status: 200, body: { ok: true, code: 200 } }, { outcome: 'delivered' }],
    ['a code of another meaning', { status: 200, body: { code: 10_015 } }, { outcome: 'delivered' }],
    ['success: true', { status: 200, body: { success: true } }, { outcome: 'delivered', error: null }],
    ['an empty body', { status: 200 }, { outcome: 'delivered' }],
    ['another text', { status: 202, body: 'queued <html>' }, { outcome: 'delivered' }],
  ])('is understood: %s', async (_, response, expected) => {
    await using receiver = await startReceiver(response);
    expect(await deliver(receiver.send, createDelivery(channel))).toMatchObject(expected);
  });
});

const MATTERMOST = 'https://receiver.example/hooks/abc';
const UNKNOWN = DISCORD.unknownWebhook;

describe('the words of one service', () => {
  it.each<[string, Response, Partial<DeliveryResult>]>([
    ['https://discord.com/api/webhooks/1/a/slack', UNKNOWN, { outcome: 'gone' }],
    [MATTERMOST, UNKNOWN, { outcome: 'retry' }],
    [MATTERMOST, SLACK.noService, { outcome: 'retry' }],
    ['https://hooks.slack.com./services/a', SLACK.noService, { outcome: 'gone' }],
    [MATTERMOST, { status: 401, body: { error: 'invalid_token' } }, { outcome: 'retry' }],
    [MATTERMOST, { status: 200, body: { errcode: 310_000 } }, { outcome: 'delivered' }],
    ['https://open.feishu.cn/hook/a', { status: 200, body: { code: 19_002 } }, { error: 'not-accepted' }],
    ['https://open.feishu.cn/hook/a', { status: 200, body: { code: 0 } }, { outcome: 'delivered' }],
    ['https://oapi.dingtalk.com./a', { status: 200, body: { errcode: 310_000 } }, { error: 'not-accepted' }],
  ])('count only from its host: %s %j', async (url, response, expected) => {
    await using receiver = await startReceiver(response);
    expect(await deliver(receiver.send, createDelivery('slack', { url }))).toMatchObject(expected);
  });
});

describe('secrets', () => {
  it.each(['slack', 'discord', 'webhook'] as const)(
    'of the URL are in no part of the result: %s',
    async (channel) => {
      await using receiver = await startReceiver((request, response) => {
        const path = request.url ?? '';
        const escaped = path.replaceAll('/', '\\/');
        response.writeHead(404).end(`Cannot POST ${path}\u0000\n${escaped} ${path.repeat(100)}`);
      });
      const results: DeliveryResult[] = [];
      results.push(await deliver(receiver.send, createDelivery(channel)));
      results.push(await deliver(createTestSender(1), createDelivery(channel)));
      const text = JSON.stringify(results);
      expect(results[0]?.reply).toMatch(/^Cannot POST \//);
      const secrets = /slackSecret|T0001AAAA|B0002BBBB|discordSecret|123456789012|webhook-secret/;
      expect(text).not.toMatch(secrets);
    },
  );
});
