import { RATE_POLICIES, SCHEMAS, TOOLS } from '@touchstone/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createProcessCounter } from '../../api/rate-limit/process-counter.ts';
import { getProcessValue } from '../../platform/process-value.ts';
import { SNAPSHOT_ROW } from '../../testing/database-rows.ts';
import { useTestDatabase } from '../../testing/test-database.ts';

const REVISION = '2026-07-28';

const responseSchema = z.object({
  result: z
    .looseObject({
      isError: z.boolean().optional(),
      structuredContent: z.record(z.string(), z.unknown()).optional(),
      content: z.array(z.object({ text: z.string() })).optional(),
      tools: z.array(z.object({ name: z.string() })).optional(),
    })
    .optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});

const { database, getModules } = useTestDatabase(() => {
  vi.stubEnv('TRUSTED_PROXIES', '1');
  vi.stubEnv('SITE_INSTANCES', '2');
  return import('../../app/mcp/route.ts');
});
beforeEach(() => database.reset());
afterEach(() => {
  vi.stubEnv('BASE_URL', 'https://touchstone.example');
});

const post = (body: string | Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}) =>
  Promise.resolve(
    getModules().POST(
      new Request('https://touchstone.example/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body,
      }),
    ),
  );

/** Sends a message of the MCP revision that has no sessions. Returns the parsed response. */
async function send(
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    // PHP encodes an empty object as a list.
    'io.modelcontextprotocol/clientCapabilities': [],
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } });
  const name: Record<string, string> =
    typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {};
  const response = await post(body, {
    'mcp-protocol-version': REVISION,
    'mcp-method': method,
    ...name,
    ...headers,
  });
  return { response, ...responseSchema.parse(await response.json()) };
}

describe('/mcp', () => {
  it('lists the tools for any origin, without a database call', async () => {
    const { response, result } = await send('tools/list', {}, { origin: 'https://agent.example' });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(result?.tools?.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
    expect(database.listCalls()).toEqual([]);
    expect(database.listLimitKeys()).toEqual([]);
  });

  it('runs the handlers of the HTTP route with the limiter of its client', async () => {
    const { result } = await send(
      'tools/call',
      { name: 'x402_summary', arguments: { resource: SNAPSHOT_ROW.resource, payTo: '0xAb' } },
      { 'x-forwarded-for': '203.0.113.9' },
    );
    expect(result?.isError).not.toBe(true);
    const summary = SCHEMAS['endpoint-summary'].schema.parse(JSON.parse(result?.content?.[0]?.text ?? ''));
    expect(summary).toMatchObject({ requested: { payTo: '0xAb' }, endpoint: { grade: 'A' } });
    expect(database.listLimitKeys()).toEqual(['summary 203.0.113.9']);
  });

  it('returns the problem of a paid tool while payments are disabled', async () => {
    const { result } = await send('tools/call', {
      name: 'x402_trust_score',
      arguments: { resource: SNAPSHOT_ROW.resource },
    });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { code: 'payment-unavailable', notCharged: true, instance: '/v1/x402-trust' },
    });
    expect(result?.content?.[0]?.text).toContain('Nothing was charged.');
    expect(result?.content?.[0]?.text).toContain('X402_PAY_TO');
  });

  it('reads llms.txt of this service as a resource', async () => {
    const { result } = await send(
      'resources/read',
      { uri: 'touchstone://llms.txt' },
      { 'mcp-name': 'touchstone://llms.txt' },
    );
    expect(JSON.stringify(result)).toContain('https://touchstone.example/v1/x402-trust');
  });

  it.each(['GET', 'DELETE', 'PUT', 'PATCH'] as const)('refuses %s', async (method) => {
    const request = new Request('https://touchstone.example/mcp', { method });
    expect((await getModules()[method](request)).status).toBe(405);
  });

  it('allows the headers of MCP in a preflight', async () => {
    const requested = 'content-type, mcp-protocol-version, mcp-method, mcp-name';
    const headers = { origin: 'https://agent.example', 'access-control-request-headers': requested };
    const response = await getModules().OPTIONS(
      new Request('https://touchstone.example/mcp', { method: 'OPTIONS', headers }),
    );
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-headers')).toBe(requested);
  });
});

describe('messages', () => {
  const PROMPT = { url: 'https://api.example.com/weather', max_usd: null };
  const INITIALIZE = { protocolVersion: '2025-06-18', clientInfo: { name: 'test', version: '1' } };
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

  it.each([
    ['a body that is not JSON', '{', { status: 400, code: -32_700 }],
    ['a body that is not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), { status: 400, code: -32_700 }],
    ['a member that occurs twice', '{"id":1,"id":2}', { status: 400, code: -32_600 }],
    [
      'a message of more than 96 KiB',
      JSON.stringify({ ...ping, params: { a: 'x'.repeat(98_304) } }),
      { status: 413, code: -32_000 },
    ],
    [
      'a batch of 11 messages',
      JSON.stringify(Array.from({ length: 11 }, () => ping)),
      { status: 400, code: -32_600 },
    ],
  ])('refuses %s', async (_, body, { status, code }) => {
    const response = await post(body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code }, id: null });
  });

  const members = (length: number) =>
    Object.fromEntries(Array.from({ length }, (_, index) => [`k${index}`, 1]));
  it.each([
    ['initialize', { clientInfo: { icons: Array.from({ length: 8_000 }, () => ({})) } }],
    ['prompts/get', { name: 'should_i_pay', arguments: members(200) }],
    [
      'tools/call',
      { name: 'x402_trust_bulk', arguments: { resources: Array.from({ length: 40_000 }, () => 1) } },
    ],
    ['tools/call', { name: 'x'.repeat(80_000) }],
    ['resources/read', { uri: `touchstone://schemas/${'x'.repeat(80_000)}` }],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'x'.repeat(80_000) } }],
    ['x'.repeat(80_000), {}],
  ])('refuses %.20s with too many or too long values with a short error', async (method, params) => {
    const response = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    expect(response.status).toBe(400);
    expect((await response.text()).length).toBeLessThan(200);
  });

  it('describes 10 of 500 invalid arguments', async () => {
    const params = {
      name: 'x402_trust_bulk',
      arguments: { resources: Array.from({ length: 500 }, () => 'x'.repeat(150)) },
    };
    const response = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
    const text = await response.text();
    expect(text).toContain('490 more mistakes are not listed.');
    expect(text.length).toBeLessThan(6_000);
  });

  it('counts each message of a batch', async () => {
    const batch = JSON.stringify(Array.from({ length: 10 }, (_, id) => ({ ...ping, id })));
    const headers = { 'mcp-protocol-version': '2025-03-26', 'x-forwarded-for': '203.0.113.60' };
    const { limit } = RATE_POLICIES.mcp;
    expect((await post(batch, headers)).headers.get('ratelimit')).toContain(`r=${limit - 10};`);
    const counter = getProcessValue('rate-limit-counter', () => createProcessCounter(Date.now));
    counter.count('203.0.113.60', RATE_POLICIES.mcp, limit - 11);
    const refused = await post(batch, headers);
    expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'application/json']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32_000 }, id: null });
    expect((await post(JSON.stringify(ping), { ...headers, 'x-forwarded-for': '203.0.113.61' })).status).toBe(
      200,
    );
  });

  it('accepts a batch of 10 messages of the revision that has batches', async () => {
    const batch = Array.from({ length: 10 }, (_, id) => ({ ...ping, id }));
    const response = await post(JSON.stringify(batch), { 'mcp-protocol-version': '2025-03-26' });
    expect(response.status).toBe(200);
    expect((await response.text()).match(/"id":\d/g)).toHaveLength(10);
  });

  it.each(['application/json', '*/*', '', 'application/json;q=0.9, */*'])(
    'sends JSON to a client that accepts "%s"',
    async (accept) => {
      for (const [message, expected] of [
        [ping, { id: 1, result: {} }],
        [
          [ping, { ...ping, id: 2 }],
          [{ id: 1 }, { id: 2 }],
        ],
        [
          { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'none' } },
          { id: 1, error: {} },
        ],
      ] as const) {
        const version: Record<string, string> = Array.isArray(message)
          ? { 'mcp-protocol-version': '2025-03-26' }
          : {};
        const response = await post(JSON.stringify(message), { accept, ...version });
        expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
        expect(await response.json()).toMatchObject(expected);
      }
      expect((await post('{"jsonrpc":"2.0","method":"notifications/initialized"}', { accept })).status).toBe(
        202,
      );
    },
  );

  it.each(['text/event-stream', 'application/json, text/event-stream'])(
    'sends a stream of events to a client that accepts "%s"',
    async (accept) => {
      const response = await post(JSON.stringify(ping), { accept });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    },
  );

  it.each([
    [{ method: 'ping', params: null }, {}],
    [{ method: 'ping', params: [] }, {}],
    [{ method: 'prompts/list', params: { cursor: null, _meta: { progressToken: null } } }, { prompts: [{}] }],
    [
      { method: 'tools/call', params: { name: 'x402_summary', arguments: null, _meta: null } },
      { structuredContent: { detail: expect.stringMatching(/^`resource` is missing/) as string } },
    ],
    [{ method: 'tools/call', params: { name: 'x402_summary', arguments: [] } }, { isError: true }],
    [{ method: 'prompts/get', params: { name: 'should_i_pay', arguments: PROMPT } }, { messages: [{}] }],
    [{ method: 'initialize', params: { ...INITIALIZE, capabilities: [] } }, { serverInfo: {} }],
    [{ method: 'initialize', params: { ...INITIALIZE, capabilities: { roots: [] } } }, { serverInfo: {} }],
  ])('reads null in %j as absent, and an empty list as an object', async (message, result) => {
    const response = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }), { accept: '*/*' });
    expect(await response.json()).toMatchObject({ id: 1, result });
  });

  it('responds to deeply nested messages', async () => {
    const nest = (start: string, end: string) => `${start.repeat(5_000)}{}${end.repeat(5_000)}`;
    expect((await post(nest('[', ']'))).status).toBe(400);
    for (const member of ['_meta', 'capabilities']) {
      const params = nest(`{"${member}":`, '}');
      const response = await post(`{"jsonrpc":"2.0","id":1,"method":"ping","params":${params}}`);
      expect(response.status).toBe(400);
    }
  });

  it('refuses a body of another type', async () => {
    expect((await post('a=b', { 'content-type': 'text/plain' })).status).toBe(415);
  });
});

describe('a service on a loopback address', () => {
  beforeEach(() => {
    vi.stubEnv('BASE_URL', 'http://localhost:3000');
  });

  it.each([
    { host: 'attacker.example' },
    { host: 'localhost:3000', origin: 'https://attacker.example' },
    { host: 'localhost:3000', origin: 'null' },
  ])('refuses %j', async (headers) => {
    const { response } = await send('tools/list', {}, headers);
    expect(response.status).toBe(403);
  });

  it.each([
    { host: 'localhost:3000' },
    { host: '127.0.0.1:3000', origin: 'http://localhost:5173' },
    { host: '[::1]:3000' },
  ])('accepts %j', async (headers) => {
    const { response } = await send('tools/list', {}, headers);
    expect(response.status).toBe(200);
  });
});
