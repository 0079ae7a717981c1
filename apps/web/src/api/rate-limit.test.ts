import { describe, expect, it } from 'vitest';
import { createLimiter, type Taken } from './rate-limit.ts';

const policy = { name: 'free', limit: 3, windowSeconds: 60 };

/** A counter that several limiters share, as several processes share the database. */
function createCounter() {
  const counts = new Map<string, number>();
  let asked = 0;
  return {
    asked: () => asked,
    take: async (client: string): Promise<Taken> => {
      asked += 1;
      const count = (counts.get(client) ?? 0) + 1;
      counts.set(client, count);
      return { allowed: count <= policy.limit, remaining: policy.limit - count, resetsAt: 42_000 };
    },
  };
}

function createClient(
  take: (client: string) => Promise<Taken | null>,
  countsAfter?: (request: Request) => boolean,
) {
  let now = 0;
  const limiter = createLimiter({
    policy,
    take,
    clientOf: (request) => request.headers.get('client') ?? '',
    now: () => now,
    ...(countsAfter === undefined ? {} : { countsAfter }),
  });
  return {
    later: (seconds: number) => {
      now += seconds * 1000;
    },
    ask: (client = 'one', { status = 200, paid = false } = {}) => {
      const headers = { client, ...(paid ? { paid: 'yes' } : {}) };
      const request = new Request('http://localhost/v1/free?x=1', { headers });
      return limiter(request, async () => new Response('answered', { status }));
    },
  };
}

describe('createLimiter', () => {
  it('answers as often as the policy says and then tells when to come again', async () => {
    const { ask } = createClient(createCounter().take);
    for (const left of [2, 1, 0]) {
      const answer = await ask();
      expect(answer.status).toBe(200);
      expect(answer.headers.get('ratelimit-policy')).toBe('"free";q=3;w=60');
      expect(answer.headers.get('ratelimit')).toBe(`"free";r=${left};t=42`);
    }
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('42');
    expect(refused.headers.get('ratelimit')).toBe('"free";r=0;t=42');
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    expect(await refused.json()).toMatchObject({ code: 'rate-limited', status: 429, instance: '/v1/free' });
  });

  it('counts each client for itself', async () => {
    const { ask } = createClient(createCounter().take);
    for (let time = 0; time < 5; time += 1) await ask('one');
    expect((await ask('other')).status).toBe(200);
  });

  it('holds over several processes that share a counter', async () => {
    const { take } = createCounter();
    const processes = [createClient(take), createClient(take)];
    const statuses: number[] = [];
    for (let time = 0; time < 4; time += 1) {
      for (const { ask } of processes) statuses.push((await ask()).status);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(policy.limit);
  });

  it('asks the counter no more once a window is used up, until it ends', async () => {
    const counter = createCounter();
    const { ask, later } = createClient(counter.take);
    for (let time = 0; time < 50; time += 1) await ask();
    expect(counter.asked()).toBe(policy.limit + 1);
    later(41);
    expect((await ask()).headers.get('retry-after')).toBe('1');
    later(1);
    await ask();
    expect(counter.asked()).toBe(policy.limit + 2);
  });

  it('lets everybody through when the counter cannot be asked', async () => {
    const { ask } = createClient(async () => null);
    for (let time = 0; time < 10; time += 1) {
      const answer = await ask();
      expect(answer.status).toBe(200);
      expect(answer.headers.has('ratelimit')).toBe(false);
    }
  });

  it('bounds nobody to whom it does not apply', async () => {
    const counter = createCounter();
    const limiter = createLimiter({
      policy,
      take: counter.take,
      clientOf: () => 'one',
      now: () => 0,
      applies: (request) => request.headers.has('paid'),
    });
    const ask = (headers: Record<string, string>) =>
      limiter(new Request('http://localhost/', { headers }), async () => new Response('answered'));
    for (let time = 0; time < 5; time += 1) expect((await ask({})).status).toBe(200);
    expect(counter.asked()).toBe(0);
    for (const status of [200, 200, 200, 429]) expect((await ask({ paid: 'yes' })).status).toBe(status);
    expect((await ask({})).status).toBe(200);
  });

  it('says how a client stands with each policy that bounds it', async () => {
    const of = (name: string, limit: number) =>
      createLimiter({
        policy: (client) => ({ name, limit: client === 'one' ? limit : 10 * limit, windowSeconds: 60 }),
        take: async (_, { limit: most }) => ({ allowed: true, remaining: most - 1, resetsAt: 42_000 }),
        clientOf: (request) => request.headers.get('client') ?? '',
        now: () => 0,
      });
    const ask = (client: string) => {
      const request = new Request('http://localhost/', { headers: { client } });
      return of('paid', 7)(request, () => of('unpaid', 5)(request, async () => new Response('')));
    };
    const answer = await ask('one');
    expect(answer.headers.get('ratelimit-policy')).toBe('"unpaid";q=5;w=60, "paid";q=7;w=60');
    expect(answer.headers.get('ratelimit')).toBe('"unpaid";r=4;t=42, "paid";r=6;t=42');
    expect((await ask('crowd')).headers.get('ratelimit')).toBe('"unpaid";r=49;t=42, "paid";r=69;t=42');
  });

  it('counts what is counted by its answer when that was a failure, and nothing that was sold', async () => {
    const counter = createCounter();
    const { ask } = createClient(counter.take, (request) => request.headers.has('paid'));
    for (let time = 0; time < 10; time += 1) expect((await ask('one', { paid: true })).status).toBe(200);
    expect(counter.asked()).toBe(0);
    for (let time = 0; time < 4; time += 1) {
      expect((await ask('one', { paid: true, status: 402 })).status).toBe(402);
    }
    expect((await ask('one', { paid: true })).status).toBe(429);
    expect((await ask('one')).status).toBe(429);
  });
});
