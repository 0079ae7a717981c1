import { describe, expect, it } from 'vitest';
import { createLimiter, type WindowState } from './create-limiter.ts';

const policy = { name: 'free', limit: 3, windowSeconds: 60 };

/** Creates a counter in memory. Several limiters can share the counter, as several processes share the database. */
function createCounter() {
  const counts = new Map<string, number>();
  let calls = 0;
  return {
    calls: () => calls,
    take: async (client: string): Promise<WindowState> => {
      calls += 1;
      const count = (counts.get(client) ?? 0) + 1;
      counts.set(client, count);
      return { allowed: count <= policy.limit, remaining: policy.limit - count, resetsAt: 42_000 };
    },
  };
}

function createClient(
  take: (client: string) => Promise<WindowState | null>,
  countsAfter?: (request: Request) => boolean,
) {
  let now = 0;
  const limiter = createLimiter({
    policy,
    consume: take,
    getClient: (request) => request.headers.get('client') ?? '',
    now: () => now,
    ...(countsAfter === undefined ? {} : { countsAfterResponse: countsAfter }),
  });
  return {
    wait: (seconds: number) => {
      now += seconds * 1000;
    },
    send: (client = 'one', { status = 200, paid = false } = {}) => {
      const headers = { client, ...(paid ? { paid: 'yes' } : {}) };
      const request = new Request('http://localhost/v1/free?x=1', { headers });
      return limiter(request, async () => new Response('response', { status }));
    },
  };
}

describe('createLimiter', () => {
  it('responds up to the limit, then with 429 and Retry-After', async () => {
    const { send } = createClient(createCounter().take);
    for (const left of [2, 1, 0]) {
      const response = await send();
      expect(response.status).toBe(200);
      expect(response.headers.get('ratelimit-policy')).toBe('"free";q=3;w=60');
      expect(response.headers.get('ratelimit')).toBe(`"free";r=${left};t=42`);
    }
    const refused = await send();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('42');
    expect(refused.headers.get('ratelimit')).toBe('"free";r=0;t=42');
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    expect(await refused.json()).toMatchObject({ code: 'rate-limited', status: 429, instance: '/v1/free' });
  });

  it('counts each client separately', async () => {
    const { send } = createClient(createCounter().take);
    for (let time = 0; time < 5; time += 1) await send('one');
    expect((await send('other')).status).toBe(200);
  });

  it('applies one limit to several processes that share a counter', async () => {
    const { take } = createCounter();
    const processes = [createClient(take), createClient(take)];
    const statuses: number[] = [];
    for (let time = 0; time < 4; time += 1) {
      for (const { send } of processes) statuses.push((await send()).status);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(policy.limit);
  });

  it('does not call the counter for a client over its limit until the window ends', async () => {
    const counter = createCounter();
    const { send, wait } = createClient(counter.take);
    for (let time = 0; time < 50; time += 1) await send();
    expect(counter.calls()).toBe(policy.limit + 1);
    wait(41);
    expect((await send()).headers.get('retry-after')).toBe('1');
    wait(1);
    await send();
    expect(counter.calls()).toBe(policy.limit + 2);
  });

  it('refuses no request if the counter is unavailable', async () => {
    const { send } = createClient(async () => null);
    for (let time = 0; time < 10; time += 1) {
      const response = await send();
      expect(response.status).toBe(200);
      expect(response.headers.has('ratelimit')).toBe(false);
    }
  });

  it('does not limit requests to which it does not apply', async () => {
    const counter = createCounter();
    const limiter = createLimiter({
      policy,
      consume: counter.take,
      getClient: () => 'one',
      now: () => 0,
      applies: (request) => request.headers.has('paid'),
    });
    const send = (headers: Record<string, string>) =>
      limiter(new Request('http://localhost/', { headers }), async () => new Response('response'));
    for (let time = 0; time < 5; time += 1) expect((await send({})).status).toBe(200);
    expect(counter.calls()).toBe(0);
    for (const status of [200, 200, 200, 429]) expect((await send({ paid: 'yes' })).status).toBe(status);
    expect((await send({})).status).toBe(200);
  });

  it('lists every applied policy in the headers', async () => {
    const createNamed = (name: string, limit: number) =>
      createLimiter({
        policy: (client) => ({ name, limit: client === 'one' ? limit : 10 * limit, windowSeconds: 60 }),
        consume: async (_, { limit: maximum }) => ({
          allowed: true,
          remaining: maximum - 1,
          resetsAt: 42_000,
        }),
        getClient: (request) => request.headers.get('client') ?? '',
        now: () => 0,
      });
    const send = (client: string) => {
      const request = new Request('http://localhost/', { headers: { client } });
      return createNamed('paid', 7)(request, () =>
        createNamed('unpaid', 5)(request, async () => new Response('')),
      );
    };
    const response = await send('one');
    expect(response.headers.get('ratelimit-policy')).toBe('"unpaid";q=5;w=60, "paid";q=7;w=60');
    expect(response.headers.get('ratelimit')).toBe('"unpaid";r=4;t=42, "paid";r=6;t=42');
    expect((await send('unknown')).headers.get('ratelimit')).toBe('"unpaid";r=49;t=42, "paid";r=69;t=42');
  });

  it('counts requests with countsAfterResponse only after an error response', async () => {
    const counter = createCounter();
    const { send } = createClient(counter.take, (request) => request.headers.has('paid'));
    for (let time = 0; time < 10; time += 1) expect((await send('one', { paid: true })).status).toBe(200);
    expect(counter.calls()).toBe(0);
    for (let time = 0; time < 4; time += 1) {
      expect((await send('one', { paid: true, status: 402 })).status).toBe(402);
    }
    expect((await send('one', { paid: true })).status).toBe(429);
    expect((await send('one')).status).toBe(429);
  });
});
