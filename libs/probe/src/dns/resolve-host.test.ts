import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createProber } from '../create-prober.ts';
import { resolveHost } from './resolve-host.ts';
import { createSystemResolver } from './resolvers.ts';
import { serveDns } from '../testing/name-server.ts';
import { createTestProber } from '../testing/prober.ts';
import { serve } from '../testing/servers.ts';
import type { DialAddress, Prober, Resolver } from '../types.ts';

const url = 'http://endpoint.example/';
const userAgent = 'Touchstone-test/1.0';

function proberFor(resolver: Resolver, guard?: (address: string) => string | null): Prober {
  return createProber({ resolver, guard, userAgent, limits: { resolveMs: 5_000, totalMs: 120_000 } });
}

const resolveTo =
  (...addresses: readonly string[]): Resolver =>
  () =>
    Promise.resolve(
      addresses.map((address): DialAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

function failing(code: string): Resolver {
  return () => Promise.reject(Object.assign(new Error(`query failed: ${code}`), { code }));
}

describe('a host that is an IP literal', () => {
  it.each([
    'http://127.0.0.1/',
    'https://127.0.0.1/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::1]/',
    'https://[64:ff9b::a00:1]/',
    'http://[2002:7f00:1::]/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://0/',
    'http://%31%32%37.0.0.1/',
    'http://１２７.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.1.2.3:8080/',
  ])('is refused without a lookup: %s', async (target) => {
    const lookups: string[] = [];
    const prober = proberFor((host) => {
      lookups.push(host);
      return Promise.resolve([{ address: '127.0.0.1', family: 4, isTrusted: true }]);
    });
    expect(await prober({ url: target, methods: ['GET', 'POST'] })).toMatchObject({
      outcome: 'refused-address',
      remoteAddress: null,
      failure: { phase: 'resolve' },
    });
    expect(lookups).toEqual([]);
  });
});

describe('a host that resolves to an address', () => {
  it.each([
    '127.0.0.1',
    '10.0.0.1',
    '::1',
    '::ffff:10.0.0.1',
    'fd00::1',
    '0.0.0.0',
    'internal',
    '',
    '127.0.0.1 ',
  ])('is refused when the address is %j', async (address) => {
    expect(await proberFor(resolveTo(address))({ url, methods: ['GET'] })).toMatchObject({
      outcome: 'refused-address',
    });
  });

  it('is refused when the trusted address is a name', async () => {
    const resolver: Resolver = () => Promise.resolve([{ address: 'localhost', family: 4, isTrusted: true }]);
    expect(await proberFor(resolver)({ url, methods: ['GET'] })).toMatchObject({
      outcome: 'refused-address',
    });
  });

  it('is dialled only at addresses that the guard allows', async () => {
    await using server = await serve((_, response) => void response.writeHead(402).end());
    const checked: string[] = [];
    const prober = proberFor(resolveTo('127.0.0.2', '127.0.0.1', '127.0.0.3'), (address) => {
      checked.push(address);
      return address === '127.0.0.1' ? null : 'not this one';
    });
    const probe = await prober({ url: `http://endpoint.example:${server.port}/`, methods: ['GET'] });
    expect(probe).toMatchObject({ outcome: 'challenged', remoteAddress: '127.0.0.1' });
    expect(checked).toEqual(['127.0.0.2', '127.0.0.1', '127.0.0.3']);
  });

  it('is checked again for every connection, so a changed DNS record cannot bypass the guard', async () => {
    await using server = await serve((_, response) => void response.writeHead(405).end());
    let lookups = 0;
    const prober = proberFor(() => {
      lookups += 1;
      const address = { address: '127.0.0.1', family: 4, port: server.port } as const;
      return Promise.resolve([lookups === 1 ? { ...address, isTrusted: true } : address]);
    });
    expect(await prober({ url, methods: ['GET', 'POST'] })).toMatchObject({
      method: 'POST',
      outcome: 'refused-address',
    });
    expect(server.connections()).toBe(1);
  });

  it('is dialled at 16 addresses at most, of both families in turn, beginning with IPv4', async () => {
    const list = (prefix: string) => Array.from({ length: 20 }, (_, index) => `${prefix}${index + 1}`);
    const resolve = async (...addresses: readonly string[]) => {
      const resolver = resolveTo(...addresses);
      const found = await resolveHost({ host: 'a.example', resolver, guard: () => null, timeoutMs: 5_000 });
      return found.map(({ address }) => address);
    };
    const [v4, v6] = [list('192.0.2.'), list('2001:db8::')];
    expect(await resolve(...v6.slice(0, 3), '192.0.2.9')).toEqual(['192.0.2.9', ...v6.slice(0, 3)]);
    expect(await resolve(...v6, ...v4)).toEqual(v4.slice(0, 8).flatMap((address, i) => [address, v6[i]]));
    expect(await resolve(...v4)).toEqual(v4.slice(0, 16));
  });

  it('is a self-failure when the guard throws', async () => {
    const prober = proberFor(resolveTo('127.0.0.1'), () => {
      throw new Error('broken');
    });
    expect(await prober({ url, methods: ['GET'] })).toMatchObject({
      outcome: 'self-failure',
      remoteAddress: null,
    });
  });
});

it('is looked up once for each connection, so a rebound name reaches no private address', async () => {
  await using outside = await serve((_, response) => void response.writeHead(405).end());
  await using inside = await serve((_, response) => void response.end('secret'), { host: '127.0.0.2' });
  let lookups = 0;
  await using names = await serveDns((kind) => {
    if (kind === 'AAAA') return { addresses: [] };
    lookups += 1;
    return { addresses: [lookups === 1 ? [127, 0, 0, 1] : [127, 0, 0, 2]] };
  });
  // This is the production resolver with a local name server. The guard allows 127.0.0.1 as a public address.
  const resolver = createSystemResolver({ timeoutMs: 30_000, servers: [names.server] });
  const prober = proberFor(resolver, (address) => (address === '127.0.0.1' ? null : 'private'));
  const probe = (port: number) => prober({ url: `http://rebind.example:${port}/`, methods: ['GET'] });
  expect(await probe(outside.port)).toMatchObject({ httpStatus: 405, remoteAddress: '127.0.0.1' });
  expect(names.queries.filter((query) => query.startsWith('A '))).toHaveLength(1);
  expect(await probe(inside.port)).toMatchObject({ outcome: 'refused-address', remoteAddress: null });
  expect(inside.connections()).toBe(0);
});

describe('a host that cannot be resolved', () => {
  it.each(['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'EREFUSED', 'EBADNAME', 'EFORMERR'])(
    'is a DNS error: %s',
    async (code) => {
      expect(await proberFor(failing(code))({ url, methods: ['GET', 'POST'] })).toMatchObject({
        outcome: 'dns-error',
        failure: { phase: 'resolve', code },
        phases: { resolve: null, connect: null },
      });
    },
  );

  it('is a DNS error when it has no address', async () => {
    expect(await proberFor(resolveTo())({ url, methods: ['GET'] })).toMatchObject({ outcome: 'dns-error' });
  });

  it('is a timeout when the name servers time out', async () => {
    expect(await proberFor(failing('ETIMEOUT'))({ url, methods: ['GET'] })).toMatchObject({
      outcome: 'timeout',
      failure: { phase: 'resolve' },
    });
  });

  it('is a timeout when the resolver never responds, and aborts the lookup', async () => {
    let lookupSignal: AbortSignal | undefined;
    const prober = proberFor((_, signal) => {
      lookupSignal = signal;
      setImmediate(() => vi.advanceTimersByTime(5_000));
      return new Promise(() => undefined);
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const probe = await prober({ url, methods: ['GET'] });
    expect(probe).toMatchObject({ outcome: 'timeout', failure: { phase: 'resolve' } });
    expect(lookupSignal?.aborted).toBe(true);
  });

  it.each([
    ['our name servers cannot be reached', failing('ECONNREFUSED')],
    ['no file descriptors are left', failing('EMFILE')],
    ['the resolver rejects without a code', () => Promise.reject(new Error('broken'))],
    [
      'the resolver throws',
      () => {
        throw new TypeError('broken');
      },
    ],
  ] satisfies readonly (readonly [string, Resolver])[])('is a self-failure when %s', async (_, resolver) => {
    expect(await proberFor(resolver)({ url, methods: ['GET'] })).toMatchObject({ outcome: 'self-failure' });
  });
});

it('never rejects, for any URL and any methods', async () => {
  const prober = createTestProber(1, { resolver: failing('ENOTFOUND') });
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.webUrl()), fc.array(fc.string()), async (target, methods) => {
      const probe = await prober({ url: target, methods });
      expect(['dns-error', 'protocol-error', 'refused-address']).toContain(probe.outcome);
    }),
    { numRuns: 40 },
  );
});
