import { TOOLS, toToolRequest } from '@touchstone/contract';
import { describe, expect, it } from 'vitest';
import { toHttpRequest } from './handle-mcp.ts';

const RESOURCE = 'https://api.example.com/weather?city=Zürich&unit=c#now';
const WATCH_ID = 'w_0123456789abcdef';
const PAYMENT = { x402Version: 2, payload: { signature: '0x1', note: 'é' } };

/** Creates the HTTP request of a tool call. */
function create(
  name: string,
  input: Record<string, unknown>,
  extra: { payment?: unknown; headers?: HeadersInit } = {},
) {
  const tool = TOOLS.find((each) => each.name === name) ?? expect.fail();
  const { payment, headers } = extra;
  const httpRequest = new Request('https://touchstone.example/mcp', headers === undefined ? {} : { headers });
  return toHttpRequest({ request: toToolRequest(tool, input), payment, httpRequest });
}

describe('toHttpRequest', () => {
  it('creates the request of a paid operation with its payment', async () => {
    const request = create('x402_trust_score', { resource: RESOURCE, detail: 'full' }, { payment: PAYMENT });
    expect(request.method).toBe('POST');
    expect(new URL(request.url)).toMatchObject({ pathname: '/v1/x402-trust', search: '?detail=full' });
    expect(await request.json()).toEqual({ resource: RESOURCE });
    expect(request.headers.get('content-type')).toBe('application/json');
    const header = request.headers.get('payment-signature') ?? '';
    expect(JSON.parse(Buffer.from(header, 'base64').toString('utf8'))).toEqual(PAYMENT);
  });

  it.each([[null], ['text'], [[]]])('passes the invalid payment %j on, so that it is refused', (payment) => {
    const request = create('x402_trust_score', { resource: RESOURCE }, { payment });
    const header = request.headers.get('payment-signature') ?? '';
    expect(JSON.parse(Buffer.from(header, 'base64').toString('utf8'))).toEqual(payment);
  });

  it('leaves out a payment for a free operation, and one that was not sent', () => {
    const free = create('x402_summary', { resource: RESOURCE }, { payment: PAYMENT });
    expect(free.headers.has('payment-signature')).toBe(false);
    expect(new URL(free.url).searchParams.get('resource')).toBe(RESOURCE);
    expect(free.body).toBeNull();
    expect(create('x402_trust_score', { resource: RESOURCE }).headers.has('payment-signature')).toBe(false);
  });

  it('sends the secret of a watch as a bearer token', () => {
    const request = create('x402_watch_cancel', { watch_id: WATCH_ID, secret: 'wsk_a' });
    expect(request.method).toBe('DELETE');
    expect(new URL(request.url).pathname).toBe(`/v1/watch/${WATCH_ID}`);
    expect(request.headers.get('authorization')).toBe('Bearer wsk_a');
  });

  it('copies the headers of the client address, and no other', () => {
    const headers = {
      'x-forwarded-for': '1.2.3.4',
      'x-vercel-forwarded-for': '5.6.7.8',
      authorization: 'Bearer other',
      cookie: 'a=b',
      'payment-signature': 'e30=',
    };
    const request = create('x402_stats', {}, { headers });
    expect(Object.fromEntries(request.headers)).toEqual({
      accept: 'application/json',
      'x-forwarded-for': '1.2.3.4',
      'x-vercel-forwarded-for': '5.6.7.8',
    });
  });
});
