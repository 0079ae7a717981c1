import { TOOLS, toToolRequest } from '@touchstone/contract';
import type { ToolCall } from '@touchstone/mcp';
import { describe, expect, it } from 'vitest';
import { toHttpRequest } from './handle-mcp.ts';

const RESOURCE = 'https://api.example.com/weather?city=Zürich&unit=c#now';
const WATCH_ID = 'w_0123456789abcdef';
const PAYMENT = { member: 'x402/payment', headers: { 'x-payment': 'e30=' } } as const;

/** Creates the HTTP request of a tool call. */
function create(
  name: string,
  input: Record<string, unknown>,
  extra: { payment?: ToolCall['payment']; headers?: HeadersInit } = {},
) {
  const tool = TOOLS.find((each) => each.name === name) ?? expect.fail();
  const { payment = null, headers } = extra;
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
    expect(request.headers.get('x-payment')).toBe('e30=');
  });

  it('creates the request of a free operation', () => {
    const free = create('x402_summary', { resource: RESOURCE });
    expect(new URL(free.url).searchParams.get('resource')).toBe(RESOURCE);
    expect(free.body).toBeNull();
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
    const request = create('x402_ecosystem_stats', {}, { headers });
    expect(Object.fromEntries(request.headers)).toEqual({
      accept: 'application/json',
      'x-forwarded-for': '1.2.3.4',
      'x-vercel-forwarded-for': '5.6.7.8',
    });
  });
});
