import { problemOf, problemSchema } from '@touchstone/contract';
import { describe, expect, it, vi } from 'vitest';
import { jsonAnswer, problemAnswer } from './answers.ts';
import { route } from './route.ts';

const request = (method = 'GET', path = '/v1/thing?secret=1') =>
  new Request(`http://localhost${path}`, { method });
const thing = route({ GET: () => jsonAnswer({ a: 1 }, 60), POST: () => jsonAnswer({ b: 2 }, 0) });

describe('route', () => {
  it('answers what it has a handler for, to pages of any origin', async () => {
    const answer = await thing.GET(request());
    expect(await answer.json()).toEqual({ a: 1 });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-expose-headers')).toContain('PAYMENT-REQUIRED');
    expect(answer.headers.get('access-control-expose-headers')).toContain('RateLimit');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
    expect((await thing.POST(request('POST'))).headers.get('cache-control')).toBe('no-store');
  });

  it('says what is allowed to a browser that asks before', async () => {
    const answer = await thing.OPTIONS(request('OPTIONS'));
    expect(answer.status).toBe(204);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, OPTIONS');
    expect(answer.headers.get('access-control-allow-headers')).toContain('PAYMENT-SIGNATURE');
  });

  it.each(['PUT', 'PATCH', 'DELETE'] as const)('refuses %s with what is allowed', async (method) => {
    const answer = await thing[method](request(method));
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(problemSchema.parse(await answer.json())).toMatchObject({
      code: 'method-not-allowed',
      instance: '/v1/thing',
    });
  });

  it('does not know HEAD where it does not know GET', async () => {
    const bought = route({ POST: () => jsonAnswer({}, 0) }, { paid: true });
    const answer = await bought.HEAD(request('HEAD'));
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST, OPTIONS');
    expect(await answer.json()).toMatchObject({ notCharged: true });
  });

  it('tells nobody but the operator what failed inside, and that in one line', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const broken = route({
      GET: () => Promise.reject(new Error('the database at 10.0.0.3\nsaid no')),
    });
    const answer = await broken.GET(request());
    const lines = written.mock.calls.map(([line]) => String(line));
    written.mockRestore();
    expect(answer.status).toBe(500);
    const text = await answer.text();
    expect(text).not.toContain('10.0.0.3');
    expect(problemSchema.parse(JSON.parse(text))).toMatchObject({ code: 'internal', instance: '/v1/thing' });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.trimEnd().split('\n')).toHaveLength(1);
    expect(lines[0]).toContain('10.0.0.3');
    expect(lines[0]).not.toContain('secret=1');
  });

  it('names the path in every problem of a handler', async () => {
    const unknown = route({ GET: () => problemAnswer(problemOf('unknown-resource', 'It is not here.')) });
    expect(await (await unknown.GET(request('GET', '/v1/%E4%B8%AD'))).json()).toMatchObject({
      code: 'unknown-resource',
      instance: '/v1/%E4%B8%AD',
    });
  });

  it('says of a client that asked too often that nothing was charged, where something is sold', async () => {
    const bought = route(
      { POST: () => jsonAnswer({}, 0) },
      { paid: true, limiter: async () => problemAnswer(problemOf('rate-limited', 'Wait.')) },
    );
    expect(await (await bought.POST(request('POST'))).json()).toMatchObject({ notCharged: true });
    const headers = { 'payment-signature': 'eyJ9' };
    const again = new Request('http://localhost/v1/thing', { method: 'POST', headers });
    expect(await (await bought.POST(again)).json()).not.toHaveProperty('notCharged');
  });
});
