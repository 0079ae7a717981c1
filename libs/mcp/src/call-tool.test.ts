import { createProblem, toToolRequest, TRUST_REPORT_EXAMPLE } from '@touchstone/contract';
import { describe, expect, it } from 'vitest';
import { connectClient, REVISIONS } from './testing/connect-client.ts';

const RESOURCE = 'https://api.example.com/v1/weather';
const OWNER = { watch_id: `w_${'a'.repeat(26)}`, secret: `wsk_${'A'.repeat(43)}` };
const PAYMENT = { x402Version: 2, payload: { signature: '0x2', note: 'é' } };

const respondWithProblem = (problem: ReturnType<typeof createProblem>, headers = {}) =>
  new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  });

describe.each(REVISIONS)('tool calls with MCP %s', (revision) => {
  it('returns the body as text', async () => {
    const send = () => Promise.resolve(Response.json(TRUST_REPORT_EXAMPLE));
    await using server = await connectClient(revision, { send });
    const result = await server.callTool('x402_trust_score', { resource: RESOURCE });
    expect(result).toMatchObject({
      isError: false,
      texts: [JSON.stringify(TRUST_REPORT_EXAMPLE), expect.stringMatching(/^Untrusted text of providers: /)],
    });
    expect(result.meta).not.toHaveProperty('x402/payment-response');
  });

  it('sends the request of the operation', async () => {
    const send = () => Promise.resolve(Response.json(TRUST_REPORT_EXAMPLE));
    await using server = await connectClient(revision, { send });
    const input = { resource: RESOURCE, detail: 'full' };
    await server.callTool('x402_trust_score', input);
    const [call] = server.calls;
    expect(call).toMatchObject({ tool: { name: 'x402_trust_score' } });
    expect(call?.payment).toBeNull();
    expect(call?.httpRequest?.url).toBe('https://touchstone.example/mcp');
    expect(call?.request).toEqual(toToolRequest(call?.tool ?? expect.fail(), input));
  });

  it('returns a problem with the next step and that nothing was charged', async () => {
    const problem = {
      ...createProblem('unknown-resource', 'The URL is unknown.'),
      notCharged: true as const,
    };
    const send = () => Promise.resolve(respondWithProblem(problem));
    await using server = await connectClient(revision, { send });
    const result = await server.callTool('x402_trust_score', { resource: RESOURCE });
    expect(result).toMatchObject({ isError: true, structured: problem });
    const lines = result.texts[0]?.split('\n');
    expect(lines?.[0]).toBe('The URL is unknown.');
    expect(lines?.[1]).toMatch(/^Next: Check the URL\. .*x402_semantic_search/);
    expect(result.structured).toMatchObject({ nextStep: lines?.[1]?.replace('Next: ', '') });
    expect(lines?.[2]).toBe('Nothing was charged.');
  });
});

describe('results', () => {
  const revision = '2026-07-28';

  it.each([
    [
      createProblem('payment-in-progress', 'It is being processed.'),
      '7',
      'Wait 7 seconds. Next: Call x402_ecosystem_stats',
    ],
    // The text does not repeat the seconds.
    [createProblem('rate-limited', 'Wait 52 seconds.'), '52', 'Wait 52 seconds.\nNext:'],
  ])('name the seconds to wait once', async (problem, seconds, text) => {
    const send = () => Promise.resolve(respondWithProblem(problem, { 'retry-after': seconds }));
    await using server = await connectClient(revision, { send });
    const { texts } = await server.callTool('x402_ecosystem_stats', {});
    expect(texts[0]).toContain(text);
    expect(texts[0]?.split(seconds)).toHaveLength(2);
    expect(texts[0]).not.toContain('Nothing was charged');
  });

  it.each([
    ['unauthorized', [], 'No watch has this `watch_id` and this `secret`.'],
    [
      'invalid-payment',
      [{ path: 'payload', message: '`payload` is missing.' }],
      'The payment in `_meta["x402.payment"]` is not valid. `payload` is missing.',
    ],
  ] as const)('names no HTTP header in the problem %s', async (code, errors, detail) => {
    const sent = 'The PAYMENT-SIGNATURE header or Authorization: Bearer is wrong. Nothing was charged.';
    const problem = { ...createProblem(code, sent, { errors: [...errors] }), notCharged: true as const };
    await using server = await connectClient(revision, {
      send: () => Promise.resolve(respondWithProblem(problem)),
    });
    const meta = { 'x402.payment': '' };
    const result = await server.callTool('x402_trust_score', { resource: RESOURCE }, { meta });
    expect(result.structured).toEqual({ ...problem, detail, nextStep: expect.any(String) as string });
    expect(result.texts[0]).toMatch(/\nNothing was charged\.$/);
    expect(JSON.stringify(result)).not.toMatch(/header|Bearer|PAYMENT-SIGNATURE/);
  });

  it('names tools instead of HTTP requests in a problem', async () => {
    const problem = createProblem('unknown-resource', 'Describe it with POST /v1/semantic-search.', {
      errors: [
        {
          path: '',
          message: 'Renew it (POST /v1/watch/{id}/renew), or GET /v1/other, or GET /openapi.json.',
        },
      ],
    });
    await using server = await connectClient(revision, {
      send: () => Promise.resolve(respondWithProblem(problem)),
    });
    const { structured } = await server.callTool('x402_find_alternatives', { resource: RESOURCE });
    expect(structured).toMatchObject({
      detail: 'Describe it with x402_semantic_search.',
      errors: [{ path: '', message: 'Renew it (x402_watch_renew), or GET /v1/other, or GET /openapi.json.' }],
    });
  });

  it('says what to do if a watch cannot be edited', async () => {
    const problem = createProblem('invalid-request', 'The watch is cancelled, so it cannot be edited.');
    await using server = await connectClient(revision, {
      send: () => Promise.resolve(respondWithProblem(problem)),
    });
    const edit = { ...OWNER, liveness_sensitivity_n: 5 };
    const { texts } = await server.callTool('x402_watch_edit', edit);
    expect(texts[0]).toContain('Next: Call x402_watch_show');
    expect(texts[0]).toContain('x402_watch_create');
    expect(texts[0]).not.toContain('Correct the arguments');
  });

  it('refuses arguments that the API would refuse after the payment because of their size', async () => {
    await using server = await connectClient(revision);
    const resources = Array.from({ length: 500 }, (_, at) => `${RESOURCE}/${'x'.repeat(150)}${String(at)}`);
    const result = await server.callTool('x402_trust_bulk', { resources });
    expect(server.calls).toEqual([]);
    expect(result).toMatchObject({
      isError: true,
      structured: { code: 'body-too-large', notCharged: true },
    });
    expect(result.texts[0]).toContain('The arguments are larger than 64 KiB as JSON. Nothing was charged.');
  });

  it.each([{}, { 'x402/payment': PAYMENT }])(
    'refuses invalid arguments without a request: %j',
    async (meta) => {
      await using server = await connectClient(revision);
      const members = { resource: RESOURCE, days: 120, dayz: 1 };
      const result = await server.callTool('x402_endpoint_history', members, { meta });
      expect(server.calls).toEqual([]);
      expect(result).toMatchObject({
        isError: true,
        structured: {
          code: 'invalid-request',
          status: 400,
          errors: [
            { path: 'days', message: '`days` must be a whole number from 1 to 90; received 120.' },
            { path: '', message: expect.stringMatching(/^`dayz` is not a field/) as string },
          ],
        },
      });
      expect(result.texts[0]).toContain('- `dayz` is not a field');
      const isPaid = 'x402/payment' in meta;
      expect(/notCharged|nothing was charged/i.test(JSON.stringify(result))).toBe(!isPaid);
      expect(result.texts[0]).toContain('Next: Correct the arguments and call x402_endpoint_history again.');
    },
  );

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['x402_endpoint_history', { days: '7', from: null, toolCallId: 'call_1' }, { days: 7 }],
    ['x402_endpoint_history', { days: 7, _meta: {}, sessionId: null, task_progress: '' }, { days: 7 }],
    ['x402_endpoint_history', { days: 'None' }, {}],
    ['x402_trust_score', { detail: '' }, {}],
    ['x402_find_alternatives', { limit: ' 5 ', chatInput: 'a', action: 'send', tool: 'a' }, { limit: 5 }],
    ['x402_summary', { payTo: 'null', _meta: {}, toolCallId: 'call_1', action: 'send' }, {}],
  ])('understands what clients of %s send: %j', async (name, sent, meant) => {
    const send = () => Promise.reject(new Error('enough'));
    await using server = await connectClient(revision, { send });
    await server.callTool(name, { resource: RESOURCE, ...sent });
    await server.callTool(name, { resource: RESOURCE, ...meant });
    const [understood, declared] = server.calls;
    // Equal requests have equal bodies, to which payments are bound.
    expect(understood?.request).toEqual(declared?.request);
    const { body, query } = declared?.request ?? expect.fail();
    expect(body ?? query).toMatchObject(meant);
  });

  it.each([
    [{}, 'daily'],
    [{ resolution: '' }, 'daily'],
    [{ resolution: 'all' }, 'all'],
  ])('ask for the daily history unless told otherwise: %j', async (members, resolution) => {
    await using server = await connectClient(revision, { send: () => Promise.reject(new Error('enough')) });
    await server.callTool('x402_endpoint_history', { resource: RESOURCE, ...members });
    expect(server.calls[0]?.request.query).toEqual({ resolution });
  });

  it('understands lists and objects as JSON text, and null in them', async () => {
    const send = () => Promise.reject(new Error('enough'));
    await using server = await connectClient(revision, { send });
    await server.callTool('x402_trust_bulk', { resources: JSON.stringify([RESOURCE]) });
    const delivery = { webhook_url: 'https://hook.example.com/', slack_url: null, webhook_urls: null };
    await server.callTool('x402_watch_create', { endpoint: RESOURCE, delivery: JSON.stringify(delivery) });
    expect(server.calls.map(({ request }) => request.body)).toMatchObject([
      { resources: [RESOURCE] },
      { endpoint: RESOURCE, delivery: { webhook_url: 'https://hook.example.com/' } },
    ]);
  });

  it.each([
    [
      'x402_watch_create',
      { endpoint: RESOURCE, webhook_url: 'https://a.example', duration_days: 7 },
      /^`webhook_url`, `duration_days` are not fields of .* x402_watch_create accepts `endpoint`, .*`delivery`\. Nothing/,
    ],
    [
      'x402_endpoint_history',
      { resource: RESOURCE, period: '7d' },
      /^`period` is not .* accepts .*`resource`, `days`\./,
    ],
    ['x402_semantic_search', { query: 'weather', _limit: 3 }, /^`_limit` is not a field/],
    ['x402_summary', { resource: RESOURCE, pay_to: '0x1' }, /^`pay_to` is not .*, `payTo`, `network`\.$/],
    [
      'x402_endpoint_history',
      { resource: RESOURCE, days: '7 days' },
      /^`days` must be a whole number .* "7 days"\./,
    ],
    [
      'x402_endpoint_history',
      { resource: RESOURCE, days: '120' },
      /^`days` must be a whole number .* received 120\./,
    ],
    ['x402_endpoint_history', { resource: null, toolCallId: 'call_1' }, /^`resource` is missing/],
    [
      'x402_watch_renew',
      { id: `w_${'a'.repeat(26)}` },
      /^`watch_id` is missing.* `errors` lists the mistakes/,
    ],
    [
      'x402_watch_create',
      { endpoint: RESOURCE, delivery: { discord: 'https://a.example' } },
      /^`discord` is not a field of `delivery`/,
    ],
  ])('refuses what is wrong: %s %j', async (name, members, message) => {
    await using server = await connectClient(revision);
    const { structured } = await server.callTool(name, members);
    expect(structured).toMatchObject({ detail: expect.stringMatching(message) as string });
    expect(server.calls).toEqual([]);
  });

  it('names the settings of which an edit needs one', async () => {
    await using server = await connectClient(revision);
    const { structured } = await server.callTool('x402_watch_edit', OWNER);
    const message =
      'The arguments must contain at least one of `events`, `liveness_sensitivity_n` and `delivery`.';
    expect(structured).toMatchObject({ detail: message, errors: [{ path: '', message }] });
  });

  it('does not repeat a secret that it refuses', async () => {
    await using server = await connectClient(revision);
    const result = await server.callTool('x402_watch_show', { watch_id: 'w', secret: 'wsk_almost-a-secret' });
    expect(result.isError).toBe(true);
    // The tool is free, so the result does not speak of a charge.
    expect(result.structured).not.toHaveProperty('notCharged');
    expect(JSON.stringify(result)).not.toContain('almost-a-secret');
  });

  it('returns the message of an error that `send` throws', async () => {
    const send = () => Promise.reject(new Error('The limit of $1 is reached.'));
    await using server = await connectClient(revision, { send });
    const result = await server.callTool('x402_ecosystem_stats', {});
    expect(result).toMatchObject({ isError: true, texts: ['The limit of $1 is reached.'] });
  });

  it.each([
    ['HTML', new Response('<html>', { status: 502 })],
    ['a quote that is not Base64', new Response('{}', { status: 402, headers: { 'payment-required': '%' } })],
    ['a list', Response.json([])],
    ['an error without a code', Response.json({ error: 'no' }, { status: 500 })],
  ])('returns an error for %s', async (_, response) => {
    const send = () => Promise.resolve(response.clone());
    await using server = await connectClient(revision, { send });
    const result = await server.callTool('x402_ecosystem_stats', {});
    expect(result).toMatchObject({ isError: true, structured: { code: 'internal' } });
    expect(result.texts[0]).toContain(`unreadable response with status ${String(response.status)}`);
  });
});
