import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AcquireHost } from '../create-prober.ts';
import { createAuthority } from '../testing/certificates.ts';
import { createLocalResolver, createTestProber, probeServer } from '../testing/prober.ts';
import { serve } from '../testing/servers.ts';

afterEach(() => vi.useRealTimers());

const origin = 'http://endpoint.example';

/**
 * Starts a server that redirects `/301/b` with status 301 to `/b`, where the part after the status is the decoded value
 * of `Location`. Other paths are challenged. Records each request as one line.
 */
async function serveRedirects(options: Parameters<typeof serve>[1] = {}) {
  const requests: string[] = [];
  const running = await serve((request, response) => {
    const { method = '', url = '', headers } = request;
    void text(request).then((body) => {
      requests.push(`${method} ${headers.host}${url} ${headers['content-type'] ?? ''} ${body}`.trim());
      const [, status, location] = /^\/(3\d\d)(.+)$/.exec(url) ?? [];
      if (status === undefined || location === undefined) return response.writeHead(402).end('paid');
      return response.writeHead(Number(status), { location: decodeURIComponent(location) }).end('moved');
    });
  }, options);
  return { ...running, requests };
}

describe('a redirect', () => {
  const json = 'application/json {}';
  it.each([
    [301, 'GET', 'GET endpoint.example/b'],
    [301, 'POST', 'GET endpoint.example/b'],
    [302, 'POST', 'GET endpoint.example/b'],
    [302, 'PUT', `PUT endpoint.example/b ${json}`],
    [303, 'PUT', 'GET endpoint.example/b'],
    [303, 'DELETE', 'GET endpoint.example/b'],
    [307, 'POST', `POST endpoint.example/b ${json}`],
    [308, 'PATCH', `PATCH endpoint.example/b ${json}`],
  ])('with status %i of %s is followed by %s', async (status, method, second) => {
    await using server = await serveRedirects();
    const url = `${origin}/${status}/b`;
    expect(await createTestProber(server.port)({ url, methods: [method] })).toMatchObject({
      ...{ url, method, outcome: 'challenged', httpStatus: 402, body: 'paid', bodyEnd: 'complete' },
      redirects: [{ status, url: `${origin}/b` }],
    });
    expect(server.requests[1]).toBe(second);
  });

  it.each([
    ['?c=d#e', `${origin}/307?c=d`],
    ['//other.example/a b', 'http://other.example/a%20b'],
    ['HTTP://Other.Example:80/caf\u00c3\u00a9', 'http://other.example/caf%C3%A9'],
  ])('resolves the target %j against the URL of the request', async (location, target) => {
    await using server = await serve((request, response) => {
      if (request.url === '/307') response.writeHead(307, { location }).end();
      else response.writeHead(402).end();
    });
    const probe = await probeServer(server, {}, `${origin}/307`);
    expect(probe).toMatchObject({ outcome: 'challenged', redirects: [{ status: 307, url: target }] });
  });

  it.each([
    'http://',
    'ftp://other.example/',
    'http://user:secret@endpoint.example/',
    'http://other.example:0/',
    'http://endpoint.example:10080/',
  ])('to %j is not followed', async (location) => {
    await using server = await serveRedirects();
    const probe = await probeServer(server, {}, `${origin}/302${encodeURIComponent(location)}`);
    expect(probe).toMatchObject({ outcome: 'redirected', httpStatus: 302, body: 'moved', redirects: [] });
    expect(server.connections()).toBe(1);
  });

  it.each([
    [{}, 301],
    [{ location: '/b' }, 300],
  ])('with the header %j is not followed after status %i', async (headers, status) => {
    await using server = await serve((_, response) => void response.writeHead(status, headers).end());
    expect(await probeServer(server)).toMatchObject({ outcome: 'redirected', redirects: [] });
  });

  it('to another host is not followed with a method such as DELETE', async () => {
    await using server = await serveRedirects();
    const probe = createTestProber(server.port);
    const url = (status: number) => `${origin}/${status}http:%2F%2Fother.example%2F`;
    expect(await probe({ url: url(307), methods: ['DELETE'] })).toMatchObject({ outcome: 'redirected' });
    expect(await probe({ url: url(303), methods: ['DELETE'] })).toMatchObject({ outcome: 'challenged' });
  });

  it('with headers that clients reject ends in an error', async () => {
    await using server = await serve((request, response) => {
      const headers = { location: '/b', filler: 'x'.repeat(16_384) };
      response.writeHead(request.url === '/' ? 307 : 402, headers).end();
    });
    expect(await probeServer(server)).toMatchObject({
      ...{ outcome: 'protocol-error', httpStatus: null, failure: { code: 'HPE_HEADER_OVERFLOW' } },
    });
  });

  it('to its own URL is no failure, because the server may challenge a later request', async () => {
    await using server = await serve((_, response) => void response.writeHead(307, { location: '/' }).end());
    expect(await probeServer(server)).toMatchObject({ outcome: 'redirected', httpStatus: 307 });
  });

  it('is followed three times', async () => {
    await using server = await serveRedirects();
    const [a, b, c, d] = ['/302/302/302/302/b', '/302/302/302/b', '/302/302/b', '/302/b'];
    const probe = await probeServer(server, {}, origin + a);
    expect(probe).toMatchObject({ outcome: 'redirected', httpStatus: 302, body: 'moved', url: origin + a });
    expect(probe.redirects).toEqual([b, c, d].map((path) => ({ status: 302, url: origin + path })));
    expect(await probeServer(server, {}, origin + b)).toMatchObject({ outcome: 'challenged' });
  });

  it('is followed before its body ends', async () => {
    await using server = await serve((request, response) => {
      if (request.url === '/') response.writeHead(307, { location: '/b' }).write('endless');
      else response.writeHead(402).end();
    });
    expect(await probeServer(server)).toMatchObject({ outcome: 'challenged' });
  });

  it('from https is followed to https, and not to http', async () => {
    const authority = createAuthority();
    const tls = authority.issue(['endpoint.example', 'other.example']);
    await using server = await serveRedirects({ tls });
    const probe = (target: string) =>
      probeServer(server, { ca: [authority.cert] }, `https://endpoint.example/308${target}`);
    expect(await probe('https:%2F%2Fother.example%2F')).toMatchObject({
      outcome: 'challenged',
      redirects: [{ status: 308, url: 'https://other.example/' }],
    });
    expect(await probe('http:%2F%2Fendpoint.example%2F')).toMatchObject({
      outcome: 'redirected',
      redirects: [],
    });
  });

  it.each(['http://10.0.0.1/', 'http://[::1]/', 'http://inner.example/'])(
    'to the non-public address %s is refused',
    async (target) => {
      await using server = await serveRedirects();
      const local = createLocalResolver(server.port);
      const probe = await probeServer(
        server,
        {
          resolver: (host, signal) =>
            host === 'inner.example'
              ? Promise.resolve([{ address: '10.0.0.1', family: 4 }])
              : local(host, signal),
        },
        `${origin}/302${encodeURIComponent(target)}`,
      );
      expect(probe).toMatchObject({
        outcome: 'refused-address',
        httpStatus: null,
        body: null,
        latencyMs: null,
      });
      expect(probe.redirects).toEqual([{ status: 302, url: target }]);
    },
  );
});

describe('a chain of redirects', () => {
  it('has the sums of its phases, and one deadline', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    await using server = await serve((request, response) => {
      vi.advanceTimersByTime(request.url === '/' ? 100 : 20);
      response.writeHead(request.url === '/' ? 307 : 402, { location: '/b' }).end();
    });
    const local = createLocalResolver(server.port);
    const resolver: typeof local = (host, signal) => {
      vi.advanceTimersByTime(7);
      return local(host, signal);
    };
    expect(await probeServer(server, { resolver })).toMatchObject({
      phases: { resolve: 14, connect: 0, tls: null, processing: 120, transfer: 0 },
      ...{ latencyMs: 134, totalMs: 134 },
    });
    expect(await probeServer(server, { resolver, limits: { totalMs: 130 } })).toMatchObject({
      outcome: 'timeout',
      failure: { phase: 'processing' },
      redirects: [{ status: 307 }],
    });
  });

  it('asks before each request to another host, and our refusal is not the fault of the endpoint', async () => {
    await using server = await serveRedirects();
    const asked: string[] = [];
    const acquireHost = ({ host }: { readonly host: string }) => {
      asked.push(host);
      return Promise.resolve(asked.length < 2);
    };
    const url = `${origin}/302%2F302${encodeURIComponent(encodeURIComponent('http://other.example:8402/302http://endpoint.example/'))}`;
    const probe = await probeServer(server, { acquireHost }, url);
    expect(asked).toEqual(['other.example', 'endpoint.example']);
    expect(server.requests).toHaveLength(3);
    expect(probe).toMatchObject({ outcome: 'self-failure', httpStatus: null, headers: [], body: null });
    expect(probe.redirects).toHaveLength(3);
  });
});

describe('redirects of a probe', () => {
  const location = 'http://other.example/';

  it('count for the number of requests, so a probe sends at most 8', async () => {
    await using server = await serve((request, response) => {
      const hops = (request.url ?? '').length;
      if (hops < 4) response.writeHead(307, { location: `${request.url}a` }).end();
      else response.writeHead(404).end();
    });
    const target = { url: 'http://endpoint.example/', methods: ['PUT', 'GET', 'POST', 'PATCH'] };
    await createTestProber(server.port)(target);
    expect(server.connections()).toBe(8);
  });

  it('wait once for another host, and the wait does not shorten the time for requests', async () => {
    await using server = await serve(({ method, headers }, response) => {
      if (headers.host === 'endpoint.example') response.writeHead(307, { location }).end();
      else response.writeHead(method === 'POST' ? 402 : 404).end();
    });
    vi.useFakeTimers({ toFake: ['performance'] });
    const acquireHost = vi.fn(() => {
      vi.advanceTimersByTime(6_000);
      return Promise.resolve(true);
    });
    const prober = createTestProber(server.port, { acquireHost });
    expect(await prober({ url: origin, methods: ['GET', 'POST'] })).toMatchObject({ outcome: 'challenged' });
    expect(acquireHost).toHaveBeenCalledTimes(1);
  });

  it('pass on the urgency, and wait for other hosts for a second in total', async () => {
    await using server = await serve((request, response) => {
      if (request.url === '/') response.writeHead(307, { location: 'http://a.example/a' }).end();
      else response.writeHead(307, { location }).end();
    });
    vi.useFakeTimers({ toFake: ['performance'] });
    const asked: unknown[] = [];
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    const acquireHost: AcquireHost = ({ host, isUrgent }) => {
      asked.push([host, isUrgent]);
      vi.advanceTimersByTime(700);
      return Promise.resolve(host === 'a.example');
    };
    const prober = createTestProber(server.port, { acquireHost });
    const target = { url: 'http://endpoint.example/', methods: ['GET'], isUrgent: true };
    expect(await prober(target)).toMatchObject({ outcome: 'self-failure' });
    expect(asked).toEqual([
      ['a.example', true],
      ['other.example', true],
    ]);
    expect(timeout.mock.calls).toEqual([[1_000], [300]]);
    timeout.mockRestore();
  });
});
