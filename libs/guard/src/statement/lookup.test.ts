import { describe, expect, it } from 'vitest';
import { Cache } from './lookup.ts';
import type { Decision, ReasonCode } from '../decision/decision.ts';
import { createGuard } from '../guard.ts';
import type { GuardOptions } from '../guard-options.ts';
import { closeServersAfterEach } from '../testing/listen.ts';
import {
  BASE,
  createReport,
  createSummary,
  KEYS,
  OTHER_KEYS,
  OTHER_PAY_TO,
  PAY_TO,
  sendJson,
  startTouchstone,
  USDC,
  type Answer,
  type Touchstone,
} from '../testing/touchstone.ts';

const PAYMENT = {
  ...{ url: 'https://api.example.com/v1/weather', network: BASE },
  ...{ asset: USDC, amount: '10000', payTo: PAY_TO },
};

closeServersAfterEach();

function guard({ url }: Touchstone, options: Partial<GuardOptions> = {}) {
  return createGuard({ service: url, keys: KEYS.published.keys, ...options });
}

function codes({ reasons }: Decision): ReasonCode[] {
  return reasons.map(({ code }) => code);
}

/** Returns the decision on a payment. `answer` has the differences from a statement that allows the payment. */
async function decideOn(answer: Answer, options: Partial<GuardOptions> = {}): Promise<Decision> {
  return guard(await startTouchstone(() => answer), options).check(PAYMENT);
}

describe('a lookup', () => {
  it('pays on a valid statement, which it returns', async () => {
    const decision = await decideOn({});
    expect(decision).toMatchObject({ action: 'pay', reasons: [], source: 'summary' });
    expect(decision.summary?.endpoint).toMatchObject({ grade: 'A', recommendation: 'proceed' });
  });

  it('returns the facts about the host of an unknown URL', async () => {
    const unknownHost = { knownEndpoints: 0, resembles: 'api.example.com' };
    expect((await decideOn({ endpoint: null, unknownHost })).summary).toMatchObject({
      endpoint: null,
      unknownHost,
    });
  });

  it('sends the URL without query, fragment and user info, and the network as a CAIP-2 id', async () => {
    const touchstone = await startTouchstone();
    const url = 'https://user:secret@API.example.com:443/v1/weather?key=secret#secret';
    const decision = await guard(touchstone).check({ ...PAYMENT, url, network: 'Base' });
    expect(decision.action).toBe('pay');
    expect(touchstone.lookups.map(({ pathname, search }) => pathname + decodeURIComponent(search))).toEqual([
      `/v1/x402-summary?resource=https://api.example.com/v1/weather&payTo=${PAY_TO.toLowerCase()}&network=${BASE}`,
    ]);
  });

  it.each<[string, ReasonCode, Answer]>([
    ['without a signature', 'invalid-signature', { keys: null }],
    ['signed with another key', 'invalid-signature', { keys: OTHER_KEYS }],
    ['on another URL', 'wrong-statement', { requested: { resource: 'https://good.example/' } }],
    ['on another recipient', 'wrong-statement', { requested: { payTo: OTHER_PAY_TO } }],
    ['on another network', 'wrong-statement', { requested: { network: 'eip155:137' } }],
    ['from last year', 'stale-statement', { generatedAt: '2025-11-23T00:00:00.000Z' }],
    ['from the future', 'stale-statement', { generatedAt: new Date(Date.now() + 400_000).toISOString() }],
  ])('refuses a statement %s, by every policy', async (_name, code, answer) => {
    const decision = await decideOn(answer, { policy: { unreachable: 'pay' } });
    expect([decision.action, codes(decision)]).toEqual(['abort', [code]]);
    expect(decision.summary).toBeNull();
  });

  it('refuses a statement of a key that was retired before', async () => {
    const keys = KEYS.published.keys.map((key) => ({ ...key, retiredAt: '2026-01-01T00:00:00.000Z' }));
    expect(codes(await decideOn({}, { keys }))).toEqual(['invalid-signature']);
    const early = KEYS.published.keys.map((key) => ({ ...key, validFrom: '2999-01-01T00:00:00.000Z' }));
    expect(codes(await decideOn({}, { keys: early }))).toEqual(['invalid-signature']);
  });

  it('refuses a statement that was changed after it was signed', async () => {
    const touchstone = await startTouchstone();
    for (const change of [{ score: 100 }, { added: true }, { ['__proto__']: 1 }]) {
      touchstone.respond = async (url, _request, response) => {
        const signed = await createSummary(url, { endpoint: { recommendation: 'avoid' } });
        sendJson(response, { ...signed, endpoint: { ...signed.endpoint, ...change } });
      };
      expect(codes(await guard(touchstone).check(PAYMENT))).toEqual(['invalid-signature']);
    }
  });

  it('refuses a signed document of another kind', async () => {
    const touchstone = await startTouchstone();
    touchstone.respond = async (_url, _request, response) =>
      sendJson(response, await createReport('https://api.example.com/v1/weather'));
    expect(codes(await guard(touchstone).check(PAYMENT))).toEqual(['wrong-statement']);
  });

  it('applies the policy when no statement can be read', async () => {
    const touchstone = await startTouchstone();
    const responses: Touchstone['respond'][] = [
      async (_url, _request, response) => response.writeHead(503).end(),
      async (_url, _request, response) => response.writeHead(429).end('{}'),
      async (_url, _request, response) => response.end('<html>'),
      async (_url, _request, response) => response.end('[]'),
      async (_url, request) => request.socket.destroy(),
      async (url, _request, response) => {
        const document = await createSummary(url);
        sendJson(response, { ...document, padding: 'x'.repeat(70_000) });
      },
      async (url, _request, response) => {
        if (url.pathname === '/good') sendJson(response, await createSummary(url));
        else response.writeHead(302, { location: `/good${url.search}` }).end();
      },
    ];
    for (const respond of responses) {
      touchstone.respond = respond;
      const decision = await guard(touchstone).check(PAYMENT);
      expect([decision.action, codes(decision)]).toEqual(['abort', ['unreachable']]);
      const lenient = await guard(touchstone, { policy: { unreachable: 'warn' } }).check(PAYMENT);
      expect(lenient.action).toBe('warn');
    }
  });

  it('says that the service does not accept a URL, and when its rate limit ends', async () => {
    const touchstone = await startTouchstone();
    const detail = 'The host localhost is not public.\u001b[2J';
    touchstone.respond = async (_url, _request, response) => {
      response.writeHead(400, { 'content-type': 'application/problem+json' }).end(JSON.stringify({ detail }));
    };
    const payment = { ...PAYMENT, url: 'http://localhost:3000/weather' };
    const { action, reasons } = await guard(touchstone).check(payment);
    expect([action, reasons.map(({ code }) => code)]).toEqual(['warn', ['not-accepted']]);
    expect(reasons[0]?.message).toContain(
      'does not accept this payment: The host localhost is not public.?[2J',
    );
    expect(codes(await guard(touchstone).check({ ...payment, amount: '100001' }))).toEqual([
      'not-accepted',
      'max-unknown-price',
    ]);
    touchstone.respond = async (_url, _request, response) =>
      response.writeHead(400).end(JSON.stringify({ detail }));
    expect(codes(await guard(touchstone).check(payment))).toEqual(['unreachable']);
    touchstone.respond = async (_url, _request, response) =>
      response.writeHead(429, { 'retry-after': '50' }).end();
    const limited = await guard(touchstone).check(PAYMENT);
    expect(limited.reasons[0]?.message).toBe(
      `The rate limit of ${touchstone.url} is reached. Try again in 50 seconds.`,
    );
  });

  it('stops reading an endless response', async () => {
    const touchstone = await startTouchstone();
    touchstone.respond = async (_url, _request, response) => {
      response.writeHead(200);
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      };
      response.on('drain', write);
      write();
    };
    const { reasons } = await guard(touchstone).check(PAYMENT);
    expect(reasons[0]?.message).toContain('is larger than 65536 bytes');
  });

  it('stops after the timeout, before the headers, inside the body, and with a fetch that ignores its signal', async () => {
    const touchstone = await startTouchstone();
    touchstone.respond = async () => undefined;
    const begin = Date.now();
    const inHeaders = await guard(touchstone, { timeoutMs: 100 }).check(PAYMENT);
    touchstone.respond = async (_url, _request, response) => void response.writeHead(200).write('{');
    const inBody = await guard(touchstone, { timeoutMs: 100 }).check(PAYMENT);
    const fetch = () => new Promise<Response>(() => undefined);
    const ignoring = await guard(touchstone, { timeoutMs: 100, fetch }).check(PAYMENT);
    for (const { reasons } of [inHeaders, inBody, ignoring])
      expect(reasons[0]?.message).toContain('did not respond within 100 milliseconds');
    expect(Date.now() - begin).toBeLessThan(2_000);
  });
});

describe('the cache', () => {
  it('reuses a statement for the same URL, network and recipient, whatever the query and the amount', async () => {
    const touchstone = await startTouchstone();
    const { check } = guard(touchstone);
    await check(PAYMENT);
    await check({ ...PAYMENT, url: `${PAYMENT.url}?city=berlin`, payTo: PAY_TO.toLowerCase() });
    expect((await check({ ...PAYMENT, amount: '99000000' })).action).toBe('abort');
    expect(touchstone.lookups).toHaveLength(1);
    await check({ ...PAYMENT, payTo: OTHER_PAY_TO });
    await check({ ...PAYMENT, network: 'eip155:137' });
    await check({ ...PAYMENT, url: 'https://api.example.com/v1/other' });
    expect(touchstone.lookups).toHaveLength(4);
  });

  it('shares one request among concurrent checks', async () => {
    const touchstone = await startTouchstone();
    const { check } = guard(touchstone, { cacheSeconds: 0 });
    const decisions = await Promise.all(Array.from({ length: 20 }, () => check(PAYMENT)));
    expect(decisions.map(({ action }) => action)).toEqual(Array(20).fill('pay'));
    expect(touchstone.lookups).toHaveLength(1);
    await check(PAYMENT);
    expect(touchstone.lookups).toHaveLength(2);
  });

  it('ends with its time, with the age of the statement, and when the clock is set back', async () => {
    let now = Date.now();
    const touchstone = await startTouchstone(() => ({ generatedAt: new Date(now).toISOString() }));
    const { check } = guard(touchstone, { cacheSeconds: 60, now: () => now });
    const lookUp = async (advanceMs: number) => {
      now += advanceMs;
      await check(PAYMENT);
      return touchstone.lookups.length;
    };
    expect([await lookUp(0), await lookUp(59_999), await lookUp(1), await lookUp(-5_000)]).toEqual([
      1, 1, 2, 3,
    ]);
  });

  it('reuses an old statement only as long as it may be used', async () => {
    let now = Date.now();
    const generatedAt = new Date(now - 350_000).toISOString();
    const touchstone = await startTouchstone(() => ({ generatedAt }));
    const { check } = guard(touchstone, { cacheSeconds: 60, now: () => now });
    expect((await check(PAYMENT)).action).toBe('pay');
    now += 10_001;
    expect(codes(await check(PAYMENT))).toEqual(['stale-statement']);
  });

  it('reuses a failure for ten seconds', async () => {
    let now = Date.now();
    const touchstone = await startTouchstone();
    const { respond } = touchstone;
    touchstone.respond = async (_url, _request, response) => response.writeHead(500).end();
    const { check } = guard(touchstone, { now: () => now });
    expect((await check(PAYMENT)).action).toBe('abort');
    touchstone.respond = respond;
    now += 9_999;
    expect((await check(PAYMENT)).action).toBe('abort');
    now += 1;
    expect((await check(PAYMENT)).action).toBe('pay');
    expect(touchstone.lookups).toHaveLength(2);
  });
});

describe('Cache', () => {
  it('keeps the newest entries up to its maximum', async () => {
    const loaded: string[] = [];
    const cache = new Cache<string>(1_000, () => 0);
    const get = (key: string) =>
      cache.get(key, async () => {
        loaded.push(key);
        return { value: key, expiresAt: 1 };
      });
    for (let index = 0; index < 1_001; index += 1) await get(String(index));
    expect(loaded).toHaveLength(1_001);
    expect(await get('1')).toBe('1');
    expect(loaded).toHaveLength(1_001);
    expect(await get('0')).toBe('0');
    expect(loaded).toHaveLength(1_002);
  });

  it('does not keep a rejected value', async () => {
    const cache = new Cache<number>(10, () => 0);
    await expect(cache.get('a', async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await cache.get('a', async () => ({ value: 1, expiresAt: 1 }))).toBe(1);
  });
});
