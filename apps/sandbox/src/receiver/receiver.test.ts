import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test, describe } from 'vitest';
import { z } from 'zod';
import { expectResponse } from '../testing/story-requests.ts';
import { useTestSandbox } from '../testing/test-sandbox.ts';
import { createReceiver, parseFailingPath } from './receiver.ts';

function createRequest(url: string): IncomingMessage {
  const message = { method: 'POST', url, headers: {} };
  // The cast is safe, because the receiver reads only the body and these members.
  return Object.assign(Readable.from([Buffer.from('{}')]), message) as unknown as IncomingMessage;
}

test.each([
  ['/fail/503', { kind: 503, acceptsFirst: false }],
  ['/fail/302/second', { kind: 302, acceptsFirst: false }],
  ['/gone', { kind: 'removed', acceptsFirst: false }],
  ['/rate-limited/hook', { kind: 'rate-limited', acceptsFirst: false }],
  ['/accept-one/gone', { kind: 'removed', acceptsFirst: true }],
  ['/accept-one/fail/500/hook', { kind: 500, acceptsFirst: true }],
])('the path %s fails', (path, expected) => {
  expect(parseFailingPath(path)).toEqual(expected);
});

test.each([
  '/',
  '/hooks/me',
  '/fail',
  '/fail/200',
  '/fail/600',
  '/fail/5030',
  '/goner',
  '/accept-one',
  '/a/gone',
])('the path %s accepts every message', (path) => {
  expect(parseFailingPath(path)).toBeNull();
});

const WEBHOOK = 'https://receiver.sandbox.test';
const SLACK = 'https://slack.sandbox.test';
const DISCORD = 'https://discord.sandbox.test';

const deliveriesSchema = z.strictObject({
  deliveries: z.array(
    z.strictObject({
      id: z.int(),
      at: z.iso.datetime(),
      channel: z.enum(['webhook', 'slack', 'discord']),
      host: z.string(),
      path: z.string(),
      status: z.int(),
      type: z.string().nullable(),
      text: z.string().nullable(),
      headers: z.record(z.string(), z.string()),
      body: z.string(),
    }),
  ),
});

const sandbox = useTestSandbox();

function post(url: string, body: unknown) {
  return expectResponse(
    sandbox.request(url, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }),
  );
}

async function listDeliveries() {
  return deliveriesSchema.parse(await (await fetch(`${sandbox.ready.receiverUrl}/deliveries`)).json())
    .deliveries;
}

async function readLast() {
  return (await listDeliveries())[0];
}

describe('the receiver of webhooks', () => {
  test('accepts and records every POST request, newest first', async () => {
    const body = '{"type":"price_change", "data":{"summary":"The price is ten times as high."}}';
    expect((await post(`${WEBHOOK}/hooks/me?a=b`, body)).status).toBe(200);
    expect((await post(`${WEBHOOK}/`, 'not JSON')).status).toBe(200);
    const [second, first] = await listDeliveries();
    expect(first).toMatchObject({
      channel: 'webhook',
      host: 'receiver.sandbox.test',
      path: '/hooks/me?a=b',
      status: 200,
      type: 'price_change',
      text: 'The price is ten times as high.',
      body,
    });
    expect(first?.headers).toMatchObject({
      host: 'receiver.sandbox.test',
      'content-type': 'application/json',
    });
    expect(second).toMatchObject({ id: (first?.id ?? 0) + 1, type: null, text: null });
    expect(Math.abs(Date.parse(first?.at ?? '') - Date.now())).toBeLessThan(60_000);
  });

  test.each([
    ['/fail/503', 503],
    ['/fail/404/mine', 404],
    ['/gone', 410],
  ])('fails on the path %s with status %d and records the delivery', async (path, status) => {
    expect((await post(`${WEBHOOK}${path}`, {})).status).toBe(status);
    expect(await readLast()).toMatchObject({ path, status });
  });

  test('redirects on request', async () => {
    const { status, headers } = await post(`${WEBHOOK}/fail/307`, {});
    expect([status, headers.location]).toEqual([307, 'https://receiver.sandbox.test/redirected']);
  });

  test('accepts the first message on a path that fails later', async () => {
    const url = `${WEBHOOK}/accept-one/gone`;
    expect([(await post(url, {})).status, (await post(url, {})).status]).toEqual([200, 410]);
    expect((await post(`${url}/other`, {})).status).toBe(200);
  });

  test('accepts one message in two seconds on the path /rate-limited', async () => {
    let now = 0;
    const receiver = createReceiver(() => now);
    const receive = () => receiver.receive('receiver.sandbox.test', createRequest('/rate-limited/one'));
    expect((await receive()).status).toBe(200);
    now = 1_999;
    expect(await receive()).toMatchObject({ status: 429 });
    now = 2_000;
    expect((await receive()).status).toBe(200);
  });

  test('accepts only POST, and bodies up to its limit', async () => {
    const { id } = (await readLast()) ?? {};
    expect(await sandbox.request(`${WEBHOOK}/`)).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    expect((await post(WEBHOOK, 'x'.repeat(262_145))).status).toBe(413);
    expect((await readLast())?.id).toBe(id);
  });
});

describe('the imitation of Slack', () => {
  const url = `${SLACK}/services/T1/B1/secret`;
  const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });

  test('accepts a message and records the text that a reader sees', async () => {
    const blocks = [
      { type: 'header', text: { type: 'plain_text', text: 'Price changed' } },
      section('*Skyfall* &lt;weather&gt; &amp;lt; <https://a.test/b|Endpoint page> <!channel>'),
      { type: 'divider' },
      { type: 'context', elements: [{ type: 'mrkdwn', text: '<https://a.test/c>' }] },
    ];
    const { status, body } = await post(url, { text: 'fallback', blocks });
    expect([status, body]).toEqual([200, 'ok']);
    expect(await readLast()).toMatchObject({
      channel: 'slack',
      text: 'Price changed\n*Skyfall* <weather> &lt; Endpoint page (https://a.test/b) <!channel>\nhttps://a.test/c',
    });
    await post(url, { text: 'Only text' });
    expect(await readLast()).toMatchObject({ text: 'Only text' });
  });

  test.each([
    ['invalid JSON', '{', 'invalid_payload'],
    ['another JSON value', '[]', 'invalid_payload'],
    ['a message without text', '{}', 'no_text'],
    ['an empty text', '{"text":""}', 'no_text'],
    ['a text that is too long', { blocks: [section('x'.repeat(3_001))] }, 'invalid_blocks'],
    ['too many blocks', { blocks: Array.from({ length: 51 }, () => section('x')) }, 'invalid_blocks'],
    ['an unknown block', { text: 'a', blocks: [{ type: 'title' }] }, 'invalid_blocks'],
  ])('rejects %s', async (_what, body, reply) => {
    const response = await post(url, body);
    expect([response.status, response.body]).toEqual([400, reply]);
  });

  test.each([
    ['/fail/403', 403, 'action_prohibited'],
    ['/gone', 404, 'no_service'],
    ['/fail/500', 500, 'rollup_error'],
  ])('responds on the path %s with %d %s', async (path, status, reply) => {
    const response = await post(`${SLACK}${path}`, { text: 'a' });
    expect([response.status, response.body]).toEqual([status, reply]);
  });

  test('limits the rate with the header Retry-After', async () => {
    await post(`${SLACK}/rate-limited`, { text: 'a' });
    const { status, headers } = await post(`${SLACK}/rate-limited`, { text: 'a' });
    expect([status, headers['retry-after']]).toEqual([429, expect.stringMatching(/^[12]$/)]);
  });
});

describe('the imitation of Discord', () => {
  const url = `${DISCORD}/api/webhooks/1/secret`;

  test('accepts a message and records its text', async () => {
    const embed = {
      title: 'Price changed',
      description: 'Ten times',
      url: 'https://a.test/b',
      fields: [{ name: 'Before', value: '$1' }],
      footer: { text: 'watch w_1' },
    };
    const { status, body } = await post(url, { content: 'Alert', embeds: [embed] });
    expect([status, body]).toEqual([204, '']);
    expect(await readLast()).toMatchObject({
      channel: 'discord',
      text: 'Alert\nPrice changed\nTen times\nBefore: $1\nwatch w_1',
    });
  });

  test.each([
    ['invalid JSON', '{', 50_109],
    ['an empty message', '{}', 50_006],
    ['another JSON value', '[]', 50_035],
    ['a content that is too long', { content: 'x'.repeat(2_001) }, 50_035],
    [
      'embeds that are too long together',
      { embeds: [{ description: 'x'.repeat(4_096) }, { description: 'x'.repeat(1_905) }] },
      50_035,
    ],
  ])('rejects %s', async (_what, body, code) => {
    const response = await post(url, body);
    expect([response.status, JSON.parse(response.body)]).toEqual([400, expect.objectContaining({ code })]);
  });

  test('responds like Discord after the webhook was removed', async () => {
    const response = await post(`${DISCORD}/gone`, { content: 'a' });
    expect([response.status, JSON.parse(response.body)]).toEqual([
      404,
      { message: 'Unknown Webhook', code: 10_015 },
    ]);
  });

  test('limits the rate with retry_after in the body', async () => {
    await post(`${DISCORD}/rate-limited`, { content: 'a' });
    const { status, headers, body } = await post(`${DISCORD}/rate-limited`, { content: 'a' });
    expect([status, headers['retry-after']]).toEqual([429, expect.stringMatching(/^[12]$/)]);
    const { retry_after } = z.object({ retry_after: z.number() }).parse(JSON.parse(body));
    expect(Math.ceil(retry_after)).toBe(Number(headers['retry-after']));
  });
});

test('the last 500 deliveries are kept', async () => {
  const receiver = createReceiver();
  for (let sent = 0; sent < 501; sent += 1)
    await receiver.receive('receiver.sandbox.test', createRequest('/'));
  expect(receiver.list().map(({ id }) => id)).toEqual(Array.from({ length: 500 }, (_, index) => 501 - index));
});
