import { describe, expect, it } from 'vitest';
import { createLimiter, type LimiterOptions } from './create-limiter.ts';
import { createProcessCounter, type SharedCount } from './process-counter.ts';

const policy = { name: 'free', limit: 3, windowSeconds: 60 };

/** Creates a counter that several limiters share, as several processes share the database. */
function createSharedCounter() {
  const counts = new Map<string, number>();
  let calls = 0;
  const count: SharedCount = async (client) => {
    calls += 1;
    const used = (counts.get(client) ?? 0) + 1;
    counts.set(client, used);
    return {
      allowed: used <= policy.limit,
      remaining: Math.max(0, policy.limit - used),
      resetsAt: 42_000,
    };
  };
  return { count, calls: () => calls };
}

/**
 * Creates a limiter with a separate counter, like the limiter of a separate process. Also returns a function that sends
 * requests to the limiter.
 */
function createProcess(options: Partial<LimiterOptions> = {}) {
  let now = 0;
  const limiter = createLimiter({
    policy,
    counter: createProcessCounter(() => now),
    getClient: (request) => request.headers.get('client') ?? '',
    now: () => now,
    ...options,
  });
  return {
    wait: (seconds: number) => {
      now += seconds * 1000;
    },
    send: (client = 'one', { status = 200, cost = 1 } = {}) => {
      const request = new Request('http://localhost/v1/free?x=1', { headers: { client } });
      return limiter(request, async () => new Response('response', { status }), cost);
    },
  };
}

/** Sends requests one after the other and returns the status of each response. */
async function sendMany(count: number, send: () => Promise<Response>): Promise<number[]> {
  const statuses: number[] = [];
  for (let sent = 0; sent < count; sent += 1) statuses.push((await send()).status);
  return statuses;
}

describe('createLimiter', () => {
  it('responds up to the limit, then with 429 and Retry-After', async () => {
    const { send } = createProcess();
    for (const left of [2, 1, 0]) {
      const response = await send();
      expect(response.status).toBe(200);
      expect(response.headers.get('ratelimit-policy')).toBe('"free";q=3;w=60');
      expect(response.headers.get('ratelimit')).toBe(`"free";r=${left};t=60`);
    }
    const refused = await send();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(refused.headers.get('ratelimit')).toBe('"free";r=0;t=60');
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    expect(await refused.json()).toMatchObject({ code: 'rate-limited', status: 429, instance: '/v1/free' });
  });

  it('counts each client separately, and starts again after the window', async () => {
    const { send, wait } = createProcess();
    expect(await sendMany(5, send)).toEqual([200, 200, 200, 429, 429]);
    expect((await send('other')).status).toBe(200);
    wait(59.5);
    expect((await send()).headers.get('retry-after')).toBe('1');
    wait(0.5);
    expect(await sendMany(4, send)).toEqual([200, 200, 200, 429]);
  });

  it('names the limit of the IPv6 network that is over its limit', async () => {
    const { send } = createProcess();
    const toClient = (index: number) => `2001:db8:1:${(0x100 * index).toString(16)}::/64`;
    for (let index = 0; index < 16; index += 1) await sendMany(3, () => send(toClient(index)));
    for (const index of [16, 17]) {
      const refused = await send(toClient(index));
      expect(refused.headers.get('ratelimit-policy')).toBe('"free";q=48;w=60');
      expect(await refused.text()).toContain('at most 48 requests per 60 seconds');
    }
  });

  it('lists every applied policy in the headers', async () => {
    const counter = createProcessCounter(() => 0);
    const createNamed = (name: string, limit: number) =>
      createLimiter({
        policy: (client) => ({ name, limit: client === 'one' ? limit : 10 * limit, windowSeconds: 60 }),
        counter,
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
    expect(response.headers.get('ratelimit')).toBe('"unpaid";r=4;t=60, "paid";r=6;t=60');
    expect((await send('unknown')).headers.get('ratelimit')).toBe('"unpaid";r=49;t=60, "paid";r=69;t=60');
  });

  it('counts a request with an error response twice with countsErrorsTwice', async () => {
    const { send } = createProcess({ countsErrorsTwice: true });
    const fail = () => send('one', { status: 402 });
    expect((await fail()).headers.get('ratelimit')).toBe('"free";r=1;t=60');
    expect(await sendMany(2, fail)).toEqual([402, 429]);
    expect(await sendMany(4, () => send('other'))).toEqual([200, 200, 200, 429]);
  });

  it('counts a request as several requests', async () => {
    const { send } = createProcess();
    expect((await send('one', { cost: 2 })).headers.get('ratelimit')).toBe('"free";r=1;t=60');
    expect((await send('one', { cost: 2 })).status).toBe(429);
  });
});

describe('createLimiter with a shared counter', () => {
  it('applies one limit to several processes', async () => {
    const { count } = createSharedCounter();
    const processes = [createProcess({ countShared: count }), createProcess({ countShared: count })];
    const statuses: number[] = [];
    for (let time = 0; time < 4; time += 1) {
      for (const { send } of processes) statuses.push((await send()).status);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(policy.limit);
  });

  it('does not call the counter for a client over its limit until the window ends', async () => {
    const shared = createSharedCounter();
    await sendMany(2, createProcess({ countShared: shared.count }).send);
    const { send, wait } = createProcess({ countShared: shared.count });
    expect(await sendMany(50, send)).toEqual([200, ...Array<number>(49).fill(429)]);
    expect(shared.calls()).toBe(3);
    wait(41);
    expect((await send()).headers.get('retry-after')).toBe('1');
    wait(1);
    await send();
    expect(shared.calls()).toBe(4);
  });

  it.each([
    [() => Promise.reject(new Error('unavailable')), true],
    [() => Promise.reject(new Error('unavailable')), false],
    [() => Promise.resolve(null), false],
  ])('counts in the process if the shared counter is unavailable (%#)', async (countShared, beside) => {
    const { send } = createProcess({ countShared, countsBesideResponse: beside });
    expect(await sendMany(4, send)).toEqual([200, 200, 200, 429]);
    expect((await send('other')).status).toBe(200);
  });

  it('responds before the shared counter with countsBesideResponse, and obeys its result afterwards', async () => {
    let finish = (): void => undefined;
    const { send } = createProcess({
      countsBesideResponse: true,
      countShared: async () => {
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return { allowed: false, remaining: 0, resetsAt: 42_000 };
      },
    });
    expect((await send()).status).toBe(200);
    finish();
    await new Promise((resolve) => setImmediate(resolve));
    expect((await send()).headers.get('retry-after')).toBe('42');
  });
});
