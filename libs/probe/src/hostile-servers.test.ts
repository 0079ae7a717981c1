import { networkInterfaces } from 'node:os';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createCachedResolver } from './dns/cached-resolver.ts';
import { createProber } from './create-prober.ts';
import { explainNonPublicAddress } from '@touchstone/common';
import { createSystemResolver } from './dns/system-resolver.ts';
import { createAuthority } from './testing/certificates.ts';
import { serveDns } from './testing/name-server.ts';
import type { NameServer } from './testing/name-server.ts';
import { createTestProber } from './testing/prober.ts';
import { serve, serveTcp } from './testing/servers.ts';
import type { ProberOptions } from './create-prober.ts';
import type { Prober } from './types.ts';

const userAgent = 'Touchstone-test/1.0';
const hasIPv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);
const loopback6 = [...Array.from({ length: 15 }, () => 0), 1];

/** Creates a prober with the production resolver, which sends DNS queries over UDP to a local name server. */
function proberWith(names: NameServer, options: Partial<ProberOptions> = {}): Prober {
  const resolver = createSystemResolver({ timeoutMs: 30_000, servers: [names.server] });
  return createProber({ resolver, userAgent, ...options });
}

describe.skipIf(!hasIPv6)('an endpoint with IPv6 only', () => {
  it('is found by its AAAA record, and its certificate is checked for its name', async () => {
    const authority = createAuthority();
    const tls = authority.issue(['six.example']);
    await using server = await serve((_, response) => void response.writeHead(402).end('{}'), {
      tls,
      host: '::1',
    });
    await using names = await serveDns((kind) => ({ addresses: kind === 'AAAA' ? [loopback6] : [] }));
    const prober = proberWith(names, { guard: () => null, ca: [authority.cert] });
    const target = { url: `https://six.example:${server.port}/`, methods: ['GET'] };
    expect(await prober(target)).toMatchObject({ outcome: 'challenged', remoteAddress: '::1' });
  });

  it('is dialled as an IP literal over plain HTTP, with brackets in Host', async () => {
    const hosts: (string | undefined)[] = [];
    await using server = await serve(
      (request, response) => {
        hosts.push(request.headers.host);
        response.writeHead(402).end();
      },
      { host: '::1' },
    );
    const prober = createTestProber(1, { guard: () => null });
    expect(await prober({ url: `http://[::1]:${server.port}/`, methods: ['GET'] })).toMatchObject({
      outcome: 'challenged',
      remoteAddress: '::1',
    });
    expect(hosts).toEqual([`[::1]:${server.port}`]);
  });

  it('is refused by the guard when its AAAA record is a loopback address', async () => {
    await using server = await serve((_, response) => void response.end(), { host: '::1' });
    await using names = await serveDns((kind) => ({ addresses: kind === 'AAAA' ? [loopback6] : [] }));
    const target = { url: `http://six.example:${server.port}/`, methods: ['GET'] };
    expect(await proberWith(names)(target)).toMatchObject({ outcome: 'refused-address' });
    expect(server.connections()).toBe(0);
  });
});

describe('DNS rebinding', () => {
  /** Address guard that allows 127.0.0.1 as a public address and refuses 127.0.0.2 as a private one. */
  const guard = (address: string): string | null =>
    address === '127.0.0.1' ? null : (explainNonPublicAddress(address) ?? 'private');

  it('reaches no unchecked address: there is one lookup for each connection', async () => {
    await using outside = await serve((_, response) => void response.writeHead(405).end());
    await using inside = await serve((_, response) => void response.end('secret'), { host: '127.0.0.2' });
    let lookups = 0;
    await using names = await serveDns((kind) => {
      if (kind === 'AAAA') return { addresses: [] };
      lookups += 1;
      return { addresses: [lookups === 1 ? [127, 0, 0, 1] : [127, 0, 0, 2]] };
    });
    const prober = proberWith(names, { guard });
    const target = { url: `http://rebind.example:${outside.port}/`, methods: ['GET'] };
    expect(await prober(target)).toMatchObject({ httpStatus: 405, remoteAddress: '127.0.0.1' });
    expect(names.queries.filter((query) => query.startsWith('A '))).toHaveLength(1);
    const again = { url: `http://rebind.example:${inside.port}/`, methods: ['GET'] };
    expect(await prober(again)).toMatchObject({ outcome: 'refused-address', remoteAddress: null });
    expect(inside.connections()).toBe(0);
  });

  it('does not bypass the guard through a cached result', async () => {
    await using inside = await serve((_, response) => void response.end('secret'), { host: '127.0.0.2' });
    await using names = await serveDns((kind) => ({
      addresses: kind === 'A' ? [[127, 0, 0, 2]] : [],
    }));
    const resolver = createCachedResolver(
      createSystemResolver({ timeoutMs: 30_000, servers: [names.server] }),
    );
    const prober = createProber({ resolver, userAgent, guard });
    const target = { url: `http://rebind.example:${inside.port}/`, methods: ['GET', 'POST'] };
    for (let count = 0; count < 3; count += 1) {
      expect(await prober(target)).toMatchObject({ outcome: 'refused-address' });
    }
    expect(inside.connections()).toBe(0);
  });

  it('reaches no private address beside a public one', async () => {
    await using outside = await serve((_, response) => void response.writeHead(402).end());
    await using names = await serveDns((kind) => ({
      addresses:
        kind === 'A'
          ? [
              [127, 0, 0, 2],
              [127, 0, 0, 1],
            ]
          : [],
    }));
    const target = { url: `http://rebind.example:${outside.port}/`, methods: ['GET'] };
    expect(await proberWith(names, { guard })(target)).toMatchObject({ remoteAddress: '127.0.0.1' });
  });
});

describe('a connection reset', () => {
  const reset = (socket: Socket): void => void socket.resetAndDestroy();
  const afterWriting =
    (text: string) =>
    (socket: Socket): void => {
      socket.once('data', () => socket.write(text, () => setTimeout(reset, 20, socket)));
    };
  const cases: readonly (readonly [string, 'http' | 'https', (socket: Socket) => void, object])[] = [
    ['before any data', 'https', reset, { httpStatus: null, failure: { code: 'ECONNRESET' } }],
    [
      'in the handshake, after the client hello',
      'https',
      (socket) => socket.once('data', () => reset(socket)),
      { outcome: 'tls-error', httpStatus: null, failure: { phase: 'tls', code: 'ECONNRESET' } },
    ],
    [
      'after the request',
      'http',
      (socket) => socket.once('data', () => reset(socket)),
      { outcome: 'connect-error', httpStatus: null, failure: { phase: 'processing', code: 'ECONNRESET' } },
    ],
    [
      'within the header',
      'http',
      afterWriting('HTTP/1.1 402 Payment Required\r\ncontent-'),
      { outcome: 'connect-error', httpStatus: null, failure: { phase: 'transfer', code: 'ECONNRESET' } },
    ],
    [
      'within the body',
      'http',
      afterWriting('HTTP/1.1 402 Payment Required\r\ncontent-length: 9\r\n\r\nabc'),
      { outcome: 'connect-error', httpStatus: 402, body: 'abc', bodyTruncated: true },
    ],
    [
      'within a chunk',
      'http',
      afterWriting('HTTP/1.1 402 A\r\ntransfer-encoding: chunked\r\n\r\n9\r\nabc'),
      { outcome: 'connect-error', httpStatus: 402, body: 'abc', bodyTruncated: true },
    ],
  ];

  it.each(cases)('%s is a failure of that phase', async (...row) => {
    const [, scheme, behave, expected] = row;
    await using server = await serveTcp(behave);
    const probe = await createTestProber(server.port)({
      url: `${scheme}://endpoint.example/`,
      methods: ['GET'],
    });
    expect(probe).toMatchObject(expected);
  });
});

describe('a header section', () => {
  it('with many small fields exceeds the limit like one large field', async () => {
    const fields = Array.from({ length: 12_000 }, (_, index) => `x-${index}: y\r\n`).join('');
    await using server = await serveTcp((socket) =>
      socket.once('data', () => socket.write(`HTTP/1.1 402 A\r\n${fields}\r\n`)),
    );
    expect(
      await createTestProber(server.port)({ url: 'http://endpoint.example/', methods: ['GET'] }),
    ).toMatchObject({
      outcome: 'protocol-error',
      failure: { code: 'HPE_HEADER_OVERFLOW' },
    });
  });

  it('within the limit keeps every field', async () => {
    const fields = Array.from({ length: 4_000 }, (_, index) => `a${index}: b\r\n`).join('');
    await using server = await serveTcp((socket) =>
      socket.once('data', () => socket.end(`HTTP/1.1 402 A\r\n${fields}payment-required: last\r\n\r\n`)),
    );
    const probe = await createTestProber(server.port)({ url: 'http://endpoint.example/', methods: ['GET'] });
    expect(probe.outcome).toBe('challenged');
    expect(probe.headers.at(-1)).toEqual(['payment-required', 'last']);
  });
});
