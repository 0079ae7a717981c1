import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi, type MockInstance } from 'vitest';
import { z } from 'zod';

/** URL on which nothing listens. */
const CLOSED = 'http://127.0.0.1:1';
const ID = 'trace-1';
const RESOURCE = 'https://api.example.com/weather';

const lineSchema = z
  .object({ failed: z.string(), requestId: z.literal(ID) })
  .or(z.object({ paymentError: z.string(), requestId: z.literal(ID) }));

const challengeSchema = z.object({
  x402Version: z.literal(2),
  resource: z.unknown(),
  accepts: z.array(z.object({ payTo: z.string(), amount: z.string() }).loose()).min(1),
});

type Handler = (request: Request) => Response | Promise<Response>;
let routes: Readonly<Record<'mcp' | 'trpc' | 'trust', Handler>>;
let log: MockInstance<typeof process.stderr.write>;
beforeAll(async () => {
  vi.resetModules();
  vi.stubEnv('SUPABASE_URL', CLOSED);
  vi.stubEnv('SUPABASE_PUBLISHABLE_KEY', 'publishable');
  vi.stubEnv('SUPABASE_SECRET_KEY', 'secret');
  vi.stubEnv('BASE_URL', 'https://touchstone.example');
  vi.stubEnv('X402_PAY_TO', `0x${'a1'.repeat(20)}`);
  vi.stubEnv('X402_FACILITATOR_URL', CLOSED);
  vi.stubEnv('RPC_URLS', `eip155:8453=${CLOSED}`);
  routes = {
    mcp: (await import('../app/mcp/route.ts')).POST,
    trpc: (await import('../app/api/trpc/[trpc]/route.ts')).GET,
    trust: (await import('../app/v1/x402-trust/route.ts')).POST,
  };
});
beforeEach(() => {
  log = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => log.mockRestore());
afterAll(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
  globalThis.touchstoneValues = undefined;
});

/** Calls a route of the site with the request id, and returns the response with the lines in the log. */
async function send(name: keyof typeof routes, path: string, init: RequestInit = {}) {
  const request = new Request(`https://touchstone.example${path}`, init);
  request.headers.set('x-request-id', ID);
  if (init.body !== undefined) request.headers.set('content-type', 'application/json');
  const response = await routes[name](request);
  const text = await response.text();
  const lines = log.mock.calls.map(([line]) => lineSchema.parse(JSON.parse(String(line))));
  return { response, text, lines };
}

/** Creates a payment with an invalid signature for the paid operation. The service needs the chain to refuse it. */
async function createPayment() {
  const { response } = await send('trust', '/v1/x402-trust', {
    method: 'POST',
    body: JSON.stringify({ resource: RESOURCE }),
  });
  const header = response.headers.get('payment-required') ?? '';
  const challenge = challengeSchema.parse(JSON.parse(Buffer.from(header, 'base64').toString('utf8')));
  const [accepted] = challenge.accepts;
  const seconds = Math.floor(Date.now() / 1000);
  const authorization = {
    from: `0x${'b2'.repeat(20)}`,
    to: accepted?.payTo,
    value: accepted?.amount,
    validAfter: '0',
    validBefore: String(seconds + 200),
    nonce: `0x${'c3'.repeat(32)}`,
  };
  const payload = { signature: `0x${'11'.repeat(65)}`, authorization };
  return { x402Version: 2, resource: challenge.resource, accepted, payload };
}

it('logs the errors of a procedure with the id of the request', async () => {
  const input = encodeURIComponent(JSON.stringify({ text: 'x' }));
  const { response, lines } = await send('trpc', `/api/trpc/explore.suggest?input=${input}`);
  expect([response.status, response.headers.get('x-request-id')]).toEqual([500, ID]);
  expect(lines).toMatchObject([{ failed: '/api/trpc/explore.suggest', requestId: ID }]);
});

it('logs the errors of a tool call with the id of the request', async () => {
  const payment = await createPayment();
  const params = {
    name: 'x402_trust_score',
    arguments: { resource: RESOURCE },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'x402/payment': payment,
    },
  };
  const { text, lines } = await send('mcp', '/mcp', {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': params.name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  expect(text).toContain('internal');
  expect(lines.some((line) => 'paymentError' in line)).toBe(true);
});
