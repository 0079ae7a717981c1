import { networkInterfaces } from 'node:os';
import { TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { createAuthority } from '../testing/certificates.ts';
import { createTestProber, probeServer } from '../testing/prober.ts';
import { serve, serveTcp, type RunningServer, type ServerOptions } from '../testing/servers.ts';
import type { Probe } from '../types.ts';

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

  it('reads the protocol and the end of validity only for a target that asks for them', async () => {
    const maxVersion = 'TLSv1.2' as const;
    await using server = await serveTls({ ...authority.issue(['endpoint.example']), maxVersion });
    const prober = createTestProber(server.port, { ca: [authority.cert] });
    const probe = await prober({ url, methods: ['GET'], readsTls: true });
    expect(probe.tls).toMatchObject({ protocol: maxVersion });
    expect(Date.parse(probe.tls?.validTo ?? '')).toBeGreaterThan(Date.now());
    expect(await probeTls(server)).not.toHaveProperty('tls');
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('resumes no %s session', async (maxVersion) => {
    await using server = await serveTls({ ...authority.issue(['endpoint.example']), maxVersion });
    const prober = createTestProber(server.port, { ca: [authority.cert] });
    for (let count = 0; count < 3; count += 1) await prober({ url, methods: ['GET'] });
    expect(server.requests.map(({ reused }) => reused)).toEqual([false, false, false]);
  });

  it.each([
    ['X25519MLKEM768', 2],
    ['X448', 1],
    ['P-521', 1],
    ['ffdhe3072', 1],
  ])('succeeds with a server that accepts only %s, over %i connections', async (ecdhCurve, connections) => {
    await using server = await serveTls({ ...authority.issue(['endpoint.example']), ecdhCurve });
    expect(await probeTls(server)).toMatchObject({ outcome: 'challenged' });
    expect(server.connections()).toBe(connections);
  });

  it('begins with one small message, which offers no post-quantum group', async () => {
    let hello = '';
    await using server = await serveTcp((socket) =>
      socket.once('data', (data: Buffer) => {
        hello = data.toString('hex');
        socket.destroy();
      }),
    );
    await probeTls(server);
    // The extension `supported_groups` (RFC 8446, section 4.2.7).
    expect(hello).toContain('000a0010000e001d0017001e0018001901000101');
    expect(hello.length / 2).toBeLessThan(500);
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
