import { PaymentRequiredV1Schema } from '@x402/core/schemas';
import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answered, askStory, minuteWhen, told } from './test-endpoints.ts';
import { onDay, openTestWorld } from './test-world.ts';
import type { TestWorld } from './test-world.ts';

let world: TestWorld;
beforeAll(async () => {
  world = await openTestWorld();
});
beforeEach(() => world.setClock(onDay(0.01)));
afterAll(() => world.close());

describe('the connection', () => {
  test('speaks TLS 1.3 only', async () => {
    const socket = connect({ port: world.ready.tlsPort, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    expect(socket.getProtocol()).toBe('TLSv1.3');
    socket.destroy();
    const old = connect({
      port: world.ready.tlsPort,
      host: '127.0.0.1',
      maxVersion: 'TLSv1.2',
      minVersion: 'TLSv1.2',
    });
    await expect(once(old, 'secureConnect')).rejects.toThrow(/protocol version/);
  });

  test('is refused by a dead endpoint', async () => {
    expect(await askStory(world, 'dead')).toEqual({ error: 'ECONNREFUSED' });
  });

  test('finds no name from the day it is gone', async () => {
    await world.setClock(onDay(7.9));
    expect(await askStory(world, 'dns-gone')).toMatchObject({ status: 402 });
    const { zone } = await world.setClock(onDay(8));
    expect(zone.unresolvable).toEqual(['oldharbor.sandbox.test']);
    expect(await askStory(world, 'dns-gone')).toEqual({ error: 'ENOTFOUND' });
  });

  test.each([
    ['certificate-wrong-host', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['certificate-self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ])('%s fails with %s', async (story, error) => {
    expect(await askStory(world, story)).toEqual({ error });
  });

  test('a certificate expires in mid-life', async () => {
    expect(await askStory(world, 'certificate-expires')).toMatchObject({ status: 402 });
    await world.setClock(onDay(4));
    expect(await askStory(world, 'certificate-expires')).toEqual({ error: 'CERT_HAS_EXPIRED' });
  });

  test('a hanging endpoint takes the request and never answers', async () => {
    expect(await askStory(world, 'hangs-late')).toMatchObject({ status: 402 });
    await world.setClock(onDay(12.5));
    expect(await askStory(world, 'hangs-late', { timeoutMs: 1_500 })).toEqual({ error: 'ABORT_ERR' });
  });

  test.each([
    [402, { status: 402 }],
    [500, { status: 500 }],
    ['reset' as const, { error: 'ECONNRESET' }],
  ])('a flaky endpoint does what its chance says: %s', async (chance, outcome) => {
    await world.setClock(minuteWhen('flaky-mixed', 0, chance));
    expect(await askStory(world, 'flaky-mixed')).toMatchObject(outcome);
  });

  test('is cut by a TCP reset, not by an orderly end', async () => {
    await world.setClock(minuteWhen('flaky-resets', 8, 'reset'));
    const { hostname, pathname } = new URL(told('flaky-resets').url);
    const socket = connect({ port: world.ready.tlsPort, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    await expect(once(socket, 'close')).rejects.toThrow('ECONNRESET');
  });

  test('survives a client that speaks no TLS, or half of HTTP', async () => {
    const response = await fetch(`http://127.0.0.1:${world.ready.tlsPort}/`).catch((error: unknown) => error);
    expect(response).toBeInstanceOf(Error);
    const socket = connect({ port: world.ready.tlsPort, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    socket.end('GARBAGE\r\n\r\n');
    await once(socket.resume(), 'close');
    expect(await askStory(world, 'price-steps')).toMatchObject({ status: 402 });
  });
});

describe('time', () => {
  test('a slow endpoint takes more than a second, a healthy one does not', async () => {
    expect((await answered(askStory(world, 'slow'))).firstByteMs).toBeGreaterThan(1_150);
    expect((await answered(askStory(world, 'price-steps'))).firstByteMs).toBeLessThan(1_000);
  });

  test('a slow drip has its headers at once and its body late', async () => {
    const { status, body, firstByteMs, totalMs } = await answered(askStory(world, 'slow-drip'));
    expect(status).toBe(402);
    expect(firstByteMs).toBeLessThan(1_000);
    expect(totalMs - firstByteMs).toBeGreaterThan(2_000);
    expect(PaymentRequiredV1Schema.safeParse(JSON.parse(body)).success).toBe(true);
  });
});

describe('an answer that is no challenge', () => {
  test.each([
    ['always-500', 0, 500],
    ['down-since-day-11', 10.9, 402],
    ['down-since-day-11', 11, 503],
    ['gone-404', 5.9, 402],
    ['gone-404', 6, 404],
    ['gone-410', 9, 410],
    ['free-though-priced', 0, 200],
    ['free-unpriced', 0, 200],
    ['bot-page', 0, 403],
    ['rate-limited', 2, 429],
    ['redirects', 0, 301],
  ])('%s on day %d is %d', async (story, day, status) => {
    await world.setClock(onDay(day));
    expect(await askStory(world, story)).toMatchObject({ status });
  });

  test('says what a client can act on', async () => {
    await world.setClock(onDay(2));
    expect((await answered(askStory(world, 'rate-limited'))).headers['retry-after']).toBe('120');
    expect((await answered(askStory(world, 'redirects'))).headers.location).toBe(
      'https://waypoint.sandbox.test/v2/routes/plan',
    );
    expect((await answered(askStory(world, 'bot-page'))).headers['content-type']).toMatch(/^text\/html/);
    expect(JSON.parse((await answered(askStory(world, 'free-though-priced'))).body)).toEqual({
      metres: 1608,
    });
  });

  test.each(['post-undeclared', 'post-declared'])(
    '%s answers GET with 405 and POST with its challenge',
    async (story) => {
      expect(await askStory(world, story, { method: 'GET' })).toMatchObject({
        status: 405,
        headers: { allow: 'POST' },
      });
      expect(await askStory(world, story, { body: '{}' })).toMatchObject({ status: 402 });
    },
  );

  test('a path or host that nobody has is 404', async () => {
    expect(await world.ask('https://skyfall.sandbox.test/v2/nothing')).toMatchObject({
      status: 404,
    });
    expect(await world.ask('https://nobody.sandbox.test/')).toMatchObject({ status: 404 });
  });
});
