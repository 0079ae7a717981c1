import { createProblem, problemSchema, markNotCharged } from '@touchstone/contract';
import { describe, expect, it, vi } from 'vitest';
import { createJsonResponse, createProblemResponse } from './responses.ts';
import { refuseRequest, route } from './route.ts';

const createRequest = (method = 'GET', path = '/v1/thing?secret=1') =>
  new Request(`http://localhost${path}`, { method });
const thing = route({
  GET: () => createJsonResponse({ a: 1 }, 60),
  POST: () => createJsonResponse({ b: 2 }, 0),
});

describe('route', () => {
  it('calls the handler of a method, for any origin', async () => {
    const response = await thing.GET(createRequest());
    expect(await response.json()).toEqual({ a: 1 });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-expose-headers')).toContain('PAYMENT-REQUIRED');
    expect(response.headers.get('access-control-expose-headers')).toContain('RateLimit');
    expect(response.headers.get('cache-control')).toBe('public, max-age=60');
    expect((await thing.POST(createRequest('POST'))).headers.get('cache-control')).toBe('no-store');
  });

  it('lists the allowed methods in the response to a preflight', async () => {
    const response = await thing.OPTIONS(createRequest('OPTIONS'));
    expect(response.status).toBe(204);
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    expect(response.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, OPTIONS');
    expect(response.headers.get('access-control-allow-headers')).toContain('PAYMENT-SIGNATURE');
  });

  it('refuses methods without a handler, lists the allowed methods, and completes the problem', async () => {
    const response = await thing.PUT(createRequest('PUT'));
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    expect(problemSchema.parse(await response.json())).toMatchObject({
      ...{ status: 405, code: 'method-not-allowed', instance: '/v1/thing' },
      detail: 'Method not allowed. Use GET or POST.',
    });
    const paid = route({ POST: () => createJsonResponse({}, 0) }, { completeProblem: markNotCharged });
    const refused = await paid.HEAD(createRequest('HEAD'));
    expect(await refused.json()).toMatchObject({
      ...{ status: 405, detail: 'Method not allowed. Use POST. Nothing was charged.', notCharged: true },
    });
  });

  it('logs an internal error in one line and does not send its cause', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const broken = route({
      GET: () => Promise.reject(new Error('the database at 10.0.0.3\nsaid no')),
    });
    const response = await broken.GET(createRequest());
    const lines = written.mock.calls.map(([line]) => String(line));
    written.mockRestore();
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(text).not.toContain('10.0.0.3');
    expect(problemSchema.parse(JSON.parse(text))).toMatchObject({ code: 'internal', instance: '/v1/thing' });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.trimEnd().split('\n')).toHaveLength(1);
    expect(lines[0]).toContain('10.0.0.3');
    expect(lines[0]).not.toContain('secret=1');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ requestId: response.headers.get('x-request-id') });
  });

  it('has the id of the request in responses that are not cached, except payment challenges', async () => {
    const request = (method: string) =>
      new Request('http://localhost/v1/thing', { method, headers: { 'x-request-id': 'trace-1' } });
    expect((await thing.POST(request('POST'))).headers.get('x-request-id')).toBe('trace-1');
    expect((await thing.PUT(request('PUT'))).headers.get('x-request-id')).toBe('trace-1');
    expect((await thing.GET(request('GET'))).headers.has('x-request-id')).toBe(false);
    const paid = route({
      POST: () => new Response(null, { status: 402, headers: { 'cache-control': 'no-store' } }),
    });
    expect((await paid.POST(request('POST'))).headers.has('x-request-id')).toBe(false);
    const sold = route({
      POST: () => new Response('{}', { headers: { 'cache-control': 'private, no-store' } }),
    });
    expect((await sold.POST(request('POST'))).headers.get('x-request-id')).toBe('trace-1');
  });

  it('has the id of the request in the refusal of a request that reaches no route', () => {
    const request = new Request('http://localhost/v1/thing', { headers: { 'x-request-id': 'trace-2' } });
    const response = refuseRequest(request, ['unknown-resource', 'No such route.']);
    expect(response.headers.get('x-request-id')).toBe('trace-2');
  });

  it('adds the path to every problem of a handler', async () => {
    const unknown = route({
      GET: () => createProblemResponse(createProblem('unknown-resource', 'It is not here.')),
    });
    expect(await (await unknown.GET(createRequest('GET', '/v1/%E4%B8%AD'))).json()).toMatchObject({
      code: 'unknown-resource',
      instance: '/v1/%E4%B8%AD',
    });
  });

  it('completes the problem of a rate limiter and of an internal error', async () => {
    const limited = route(
      { POST: () => createJsonResponse({}, 0) },
      {
        completeProblem: markNotCharged,
        limiter: async () => createProblemResponse(createProblem('rate-limited', 'Wait.')),
      },
    );
    expect(await (await limited.POST(createRequest('POST'))).json()).toMatchObject({ notCharged: true });
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const broken = route(
      { POST: () => Promise.reject(new Error('no')) },
      { completeProblem: markNotCharged },
    );
    const response = await broken.POST(createRequest('POST'));
    written.mockRestore();
    expect(await response.json()).toMatchObject({ code: 'internal', notCharged: true });
  });
});
