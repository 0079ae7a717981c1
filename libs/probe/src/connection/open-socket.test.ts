import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { TLSSocket } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createAuthority } from '../testing/certificates.ts';
import { createTestProber, probeServer } from '../testing/prober.ts';
import { serve, serveTcp, type RunningServer, type ServerOptions } from '../testing/servers.ts';
import type { DialAddress, Probe } from '../types.ts';

const authority = createAuthority();
const untrustedAuthority = createAuthority('Untrusted authority');
const url = 'https://endpoint.example/';
const hasIPv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

interface ReceivedRequest {
  readonly servername: unknown;
  readonly host: string | undefined;
  readonly reused: boolean;
  readonly alpn: string | false | null;
}

async function serveTls(
  tls: ServerOptions['tls'],
  host?: string,
): Promise<RunningServer & { readonly requests: readonly ReceivedRequest[] }> {
  const requests: ReceivedRequest[] = [];
  const running = await serve(
    (request, response) => {
      const { socket } = request;
      if (!(socket instanceof TLSSocket)) throw new TypeError('not a TLS connection');
      const servername: unknown = 'servername' in socket ? socket.servername : undefined;
      const { alpnProtocol: alpn } = socket;
      requests.push({ servername, alpn, host: request.headers.host, reused: socket.isSessionReused() });
      response.writeHead(402).end();
    },
    { ...(tls === undefined ? {} : { tls }), ...(host === undefined ? {} : { host }) },
  );
  return { ...running, requests };
}

function probeTls(server: RunningServer, target = url): Promise<Probe> {
  return probeServer(server, { ca: [authority.cert] }, target);
}

describe('the TLS handshake', () => {
  it('sends the host of the URL as server name and checks its certificate', async () => {
    await using server = await serveTls(authority.issue(['endpoint.example']));
    expect(await probeTls(server)).toMatchObject({
      outcome: 'challenged',
      remoteAddress: '127.0.0.1',
      failure: null,
    });
    expect(server.requests).toEqual([
      { servername: 'endpoint.example', host: 'endpoint.example', reused: false, alpn: 'http/1.1' },
    ]);
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('resumes no %s session', async (maxVersion) => {
    await using server = await serveTls({ ...authority.issue(['endpoint.example']), maxVersion });
    const prober = createTestProber(server.port, { ca: [authority.cert] });
    for (let count = 0; count < 3; count += 1) await prober({ url, methods: ['GET'] });
    expect(server.requests.map(({ reused }) => reused)).toEqual([false, false, false]);
  });

  it('removes the trailing dot of the host from the server name', async () => {
    await using server = await serveTls(authority.issue(['endpoint.example']));
    expect(await probeTls(server, 'https://endpoint.example./')).toMatchObject({ outcome: 'challenged' });
    expect(server.requests).toMatchObject([{ servername: 'endpoint.example', host: 'endpoint.example.' }]);
  });

  it.each([
    ['is expired', authority.issue(['endpoint.example'], { expired: true }), /^CERT_HAS_EXPIRED$/],
    ['is valid for another name', authority.issue(['other.example']), /^ERR_TLS_CERT_ALTNAME_INVALID$/],
    ['is valid for the address', authority.issue(['127.0.0.1']), /^ERR_TLS_CERT_ALTNAME_INVALID$/],
    [
      'has its name as common name only',
      authority.issue([], { subject: 'endpoint.example' }),
      /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    ],
    [
      'has its name as common name beside an address',
      authority.issue(['127.0.0.1'], { subject: 'endpoint.example' }),
      /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    ],
    [
      'is signed by an untrusted authority',
      untrustedAuthority.issue(['endpoint.example']),
      /^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/,
    ],
    ['is signed by itself', untrustedAuthority, /^(DEPTH_ZERO_)?SELF_SIGNED_CERT/],
  ])('fails when the certificate %s', async (_, tls, code) => {
    await using server = await serveTls(tls);
    const probe = await probeTls(server);
    expect(probe).toMatchObject({ outcome: 'tls-error', httpStatus: null, failure: { phase: 'tls' } });
    expect(probe.failure?.code).toMatch(code);
    expect(server.requests).toEqual([]);
  });

  it('fails when the server requires a client certificate', async () => {
    await using server = await serveTls({
      ...authority.issue(['endpoint.example']),
      requestCert: true,
      ca: untrustedAuthority.cert,
    });
    expect(await probeTls(server)).toMatchObject({ outcome: 'tls-error' });
  });

  it('fails when the server does not use TLS', async () => {
    await using server = await serve((_, response) => void response.end());
    expect(await probeTls(server)).toMatchObject({ outcome: 'tls-error', failure: { phase: 'tls' } });
  });

  it('fails when the server closes the connection', async () => {
    await using server = await serveTcp((socket) => socket.once('data', () => socket.end()));
    expect(await probeTls(server)).toMatchObject({ outcome: 'tls-error', failure: { code: 'ECONNRESET' } });
  });

  it('times out when the server sends nothing', async () => {
    await using server = await serveTcp((socket) => void socket.resume());
    const probe = await probeServer(server, { limits: { tlsMs: 150, totalMs: 120_000 } }, url);
    expect(probe).toMatchObject({ outcome: 'timeout', failure: { phase: 'tls' }, phases: { tls: null } });
    expect(probe.phases.connect).not.toBeNull();
    expect(probe.totalMs).toBeLessThan(30_000);
  });
});

describe('an IP literal', () => {
  const open = { ca: [authority.cert], guard: () => null };

  it('is dialled without a server name, and the certificate must be valid for the address', async () => {
    await using server = await serveTls(authority.issue(['127.0.0.1']));
    expect(await probeServer({ port: 1 }, open, `https://127.0.0.1:${server.port}/`)).toMatchObject({
      outcome: 'challenged',
      remoteAddress: '127.0.0.1',
    });
    expect(server.requests).toMatchObject([{ servername: false, host: `127.0.0.1:${server.port}` }]);
    await using wrong = await serveTls(authority.issue(['127.0.0.2', 'localhost']));
    const probe = await probeServer({ port: 1 }, open, `https://127.0.0.1:${wrong.port}/`);
    expect(probe).toMatchObject({ outcome: 'tls-error', failure: { code: 'ERR_TLS_CERT_ALTNAME_INVALID' } });
  });

  it.skipIf(!hasIPv6)('may be an IPv6 address', async () => {
    await using server = await serveTls(authority.issue(['::1']), '::1');
    expect(await probeServer({ port: 1 }, open, `https://[::1]:${server.port}/`)).toMatchObject({
      outcome: 'challenged',
      remoteAddress: '::1',
    });
    expect(server.requests).toMatchObject([{ servername: false, host: `[::1]:${server.port}` }]);
  });
});

/**
 * Starts a server that listens but never accepts a connection. When its queue is full, new connections get no response.
 */
async function serveFullQueue(): Promise<{
  readonly port: number;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}> {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
     const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
       parentPort.postMessage(server.address().port);
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
     });`,
    { eval: true },
  );
  const [port] = (await once(worker, 'message')) as [number];
  const fill = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  await new Promise((resolve) => setTimeout(resolve, 50));
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of fill) socket.destroy();
      await worker.terminate();
    },
  };
}

/** Returns a list to which each new TCP client socket of this process is added until the end of the test. */
function recordSockets(): readonly Socket[] {
  const sockets: Socket[] = [];
  const record = (message: unknown): void => {
    // Node documents this type of the messages of the channel.
    sockets.push((message as { readonly socket: Socket }).socket);
  };
  subscribe('net.client.socket', record);
  onTestFinished(() => void unsubscribe('net.client.socket', record));
  return sockets;
}

describe('the connection', () => {
  /** Port on which no server listens. */
  let deadPort: number;
  beforeAll(async () => {
    const dead = await serve(() => undefined);
    await dead[Symbol.asyncDispose]();
    deadPort = dead.port;
  });
  const at = (port: number, address = '127.0.0.1'): DialAddress => ({
    address,
    family: 4,
    port,
    isTrusted: true,
  });
  const probeAddresses = (...addresses: readonly DialAddress[]) =>
    probeServer({ port: 1 }, { resolver: () => Promise.resolve(addresses) });

  it('fails when no server listens', async () => {
    expect(await probeAddresses(at(deadPort))).toMatchObject({
      outcome: 'connect-error',
      remoteAddress: null,
      failure: { phase: 'connect', code: 'ECONNREFUSED' },
      phases: { connect: null },
    });
  });

  it('times out when no server responds, unless one refuses the connection', async () => {
    await using silent = await serveFullQueue();
    const limits = { connectMs: 150, totalMs: 120_000 };
    const [timedOut, refused] = await Promise.all(
      [[at(silent.port)], [at(deadPort), at(silent.port)]].map((addresses) =>
        probeServer(silent, { limits, resolver: () => Promise.resolve(addresses) }),
      ),
    );
    expect(timedOut).toMatchObject({ outcome: 'timeout', failure: { phase: 'connect', limitMs: 150 } });
    expect(timedOut?.totalMs).toBeLessThan(30_000);
    expect(refused).toMatchObject({ outcome: 'connect-error', failure: { code: 'ECONNREFUSED' } });
  });

  it('is opened to the last address when all other addresses fail', async () => {
    await using server = await serve((_, response) => void response.writeHead(402).end());
    const dead = Array.from({ length: 15 }, () => at(deadPort));
    expect(await probeAddresses(...dead, at(server.port))).toMatchObject({ outcome: 'challenged' });
    expect(await probeAddresses(...dead, at(deadPort), at(server.port))).toMatchObject({
      outcome: 'connect-error',
    });
  });

  it('is opened to the next address after 250 ms without a response', async () => {
    await using server = await serve((_, response) => void response.writeHead(402).end());
    await using silent = await serveFullQueue();
    const sockets = recordSockets();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const probing = probeAddresses(at(silent.port), at(server.port));
    while (sockets.length === 0) await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(249);
    expect(sockets).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(await probing).toMatchObject({ outcome: 'challenged' });
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true]);
  });

  it('is a self-failure when this machine has no route, unless the endpoint fails too', async () => {
    const unreachable = at(deadPort, '255.255.255.255');
    expect(await probeAddresses(unreachable)).toMatchObject({ outcome: 'self-failure' });
    for (const addresses of [
      [unreachable, at(deadPort)],
      [at(deadPort), unreachable],
    ])
      expect(await probeAddresses(...addresses)).toMatchObject({ failure: { code: 'ECONNREFUSED' } });
  });
});
