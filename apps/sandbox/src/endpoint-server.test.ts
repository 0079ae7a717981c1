import { PaymentRequiredV1Schema } from '@x402/core/schemas';
import { once } from 'node:events';
import { connect } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { expectResponse, requestStory, findMinute, findStory, scenario } from './testing/story-requests.ts';
import { toIsoTime, useTestSandbox } from './testing/test-sandbox.ts';
import { createRouter } from './endpoint-server.ts';
import { createSimulatedEndpoints } from './endpoints/simulated-endpoint.ts';

const sandbox = useTestSandbox(0.01);

describe('the connection', () => {
  test('supports TLS 1.3 only', async () => {
    const socket = connect({ port: sandbox.ready.tlsPort, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    expect(socket.getProtocol()).toBe('TLSv1.3');
    socket.destroy();
    const old = connect({
      port: sandbox.ready.tlsPort,
      host: '127.0.0.1',
      maxVersion: 'TLSv1.2',
      minVersion: 'TLSv1.2',
    });
    await expect(once(old, 'secureConnect')).rejects.toThrow(/protocol version/);
  });

  test('is refused by a dead endpoint', async () => {
    expect(await requestStory(sandbox, 'dead')).toEqual({ error: 'ECONNREFUSED' });
  });

  test('has no host name after the DNS record disappears', async () => {
    await sandbox.setClock(toIsoTime(7.9));
    expect(await requestStory(sandbox, 'dns-gone')).toMatchObject({ status: 402 });
    const { zone } = await sandbox.setClock(toIsoTime(8));
    expect(zone.unresolvable).toEqual(['oldharbor.sandbox.test']);
    expect(await requestStory(sandbox, 'dns-gone')).toEqual({ error: 'ENOTFOUND' });
  });

  test.each([
    ['certificate-wrong-host', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['certificate-self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ])('%s fails with %s', async (story, error) => {
    expect(await requestStory(sandbox, story)).toEqual({ error });
  });

  test('a certificate expires during the simulation', async () => {
    expect(await requestStory(sandbox, 'certificate-expires')).toMatchObject({ status: 402 });
    await sandbox.setClock(toIsoTime(4));
    expect(await requestStory(sandbox, 'certificate-expires')).toEqual({ error: 'CERT_HAS_EXPIRED' });
  });

  test('a hanging endpoint accepts the request and never responds', async () => {
    expect(await requestStory(sandbox, 'hangs-late')).toMatchObject({ status: 402 });
    await sandbox.setClock(toIsoTime(12.5));
    expect(await requestStory(sandbox, 'hangs-late', { timeoutMs: 400 })).toEqual({ error: 'ABORT_ERR' });
  });

  test.each([
    [402, { status: 402 }],
    [500, { status: 500 }],
    ['reset' as const, { error: 'ECONNRESET' }],
  ])('a flaky endpoint has the drawn outcome: %s', async (drawn, outcome) => {
    await sandbox.setClock(findMinute('flaky-mixed', 0, drawn));
    expect(await requestStory(sandbox, 'flaky-mixed')).toMatchObject(outcome);
  });

  test('is closed by a TCP reset, not by a TLS close', async () => {
    await sandbox.setClock(findMinute('flaky-resets', 8, 'reset'));
    const { hostname, pathname } = new URL(findStory('flaky-resets').url);
    const socket = connect({ port: sandbox.ready.tlsPort, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    await expect(once(socket, 'close')).rejects.toThrow('ECONNRESET');
  });

  test('survives a client without TLS, and a malformed HTTP request', async () => {
    const response = await fetch(`http://127.0.0.1:${sandbox.ready.tlsPort}/`).catch(
      (error: unknown) => error,
    );
    expect(response).toBeInstanceOf(Error);
    const socket = connect({ port: sandbox.ready.tlsPort, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    socket.end('GARBAGE\r\n\r\n');
    await once(socket.resume(), 'close');
    expect(await requestStory(sandbox, 'price-steps')).toMatchObject({ status: 402 });
  });
});

describe('response times', () => {
  test('a slow endpoint takes more than a second and a healthy one less', async () => {
    expect((await expectResponse(requestStory(sandbox, 'slow'))).firstByteMs).toBeGreaterThan(1_150);
    // The request is repeated, because a busy machine can delay single responses.
    const measure = async () => (await expectResponse(requestStory(sandbox, 'price-steps'))).firstByteMs;
    await expect.poll(measure, { timeout: 40_000 }).toBeLessThan(1_000);
  });

  test('a slow-drip endpoint sends its headers at once and its body slowly', async () => {
    const request = async () => {
      const { status, body, firstByteMs, totalMs } = await expectResponse(requestStory(sandbox, 'slow-drip'));
      const isChallenge = PaymentRequiredV1Schema.safeParse(JSON.parse(body)).success;
      return { status, isChallenge, isFast: firstByteMs < 1_000, isSlow: totalMs - firstByteMs > 2_000 };
    };
    const expected = { status: 402, isChallenge: true, isFast: true, isSlow: true };
    // The request is repeated, because a busy machine can delay single responses.
    await expect.poll(request, { timeout: 40_000 }).toEqual(expected);
  });
});

describe('a response that is not a challenge', () => {
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
    ['redirects-to-http', 0, 301],
  ])('%s on day %d has status %d', async (story, day, status) => {
    await sandbox.setClock(toIsoTime(day));
    expect(await requestStory(sandbox, story)).toMatchObject({ status });
  });

  test('contains the headers and data that a client needs', async () => {
    await sandbox.setClock(toIsoTime(2));
    expect((await expectResponse(requestStory(sandbox, 'rate-limited'))).headers['retry-after']).toBe('120');
    expect((await expectResponse(requestStory(sandbox, 'redirects'))).headers.location).toBe(
      'https://waypoint.sandbox.test/v2/routes/plan',
    );
    expect((await expectResponse(requestStory(sandbox, 'bot-page'))).headers['content-type']).toMatch(
      /^text\/html/,
    );
    expect(JSON.parse((await expectResponse(requestStory(sandbox, 'free-though-priced'))).body)).toEqual({
      metres: 1608,
    });
  });

  test('names the method of the endpoint in the header Allow', async () => {
    expect(await requestStory(sandbox, 'post-undeclared', { method: 'GET' })).toMatchObject({
      status: 405,
      headers: { allow: 'POST' },
    });
    expect(await requestStory(sandbox, 'post-undeclared', { body: '{}' })).toMatchObject({ status: 402 });
  });

  test('has the status 404 for an unknown path', async () => {
    expect(await sandbox.request('https://skyfall.sandbox.test/v2/nothing')).toMatchObject({ status: 404 });
  });
});

describe('the router', () => {
  const endpoints = createSimulatedEndpoints({ scenario, seed: 'seed', epoch: 0 });
  const route = createRouter(endpoints);
  test('finds every endpoint at its own address', () => {
    for (const endpoint of endpoints) expect(route(endpoint.host, endpoint.path)?.endpoint).toBe(endpoint);
  });

  test('finds an item of a template, and prefers a literal path', () => {
    expect(route('quotable.sandbox.test', '/SAP/quote')).toMatchObject({ item: 'SAP' });
    expect(route('quotable.sandbox.test', '/v1/equities/quote')).toMatchObject({ item: '' });
  });

  test.each([
    ['quotable.sandbox.test', '/v1/nothing'],
    ['skyfall.sandbox.test', '/v2/current/'],
    ['nobody.sandbox.test', '/v2/current'],
    ['', ''],
  ])('finds no endpoint at %s%s', (host, path) => {
    expect(route(host, path)).toBeNull();
  });
});
