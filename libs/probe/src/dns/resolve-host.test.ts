import { describe, expect, it } from 'vitest';
import { createProber } from '../create-prober.ts';
import { createTestProber } from '../testing/prober.ts';
import { serve } from '../testing/servers.ts';
import type { DialAddress, Prober, Resolver } from '../types.ts';

const url = 'http://endpoint.example/';
const userAgent = 'Touchstone-test/1.0';

function proberFor(resolver: Resolver, guard?: (address: string) => string | null): Prober {
  return createProber({ resolver, guard, userAgent, limits: { resolveMs: 150 } });
}

const answers =
  (...addresses: readonly string[]): Resolver =>
  () =>
    Promise.resolve(
      addresses.map((address): DialAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

function failing(code: string): Resolver {
  return () => Promise.reject(Object.assign(new Error(`query failed: ${code}`), { code }));
}

describe('a host that is an address', () => {
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
  ])('is refused without a look-up: %s', async (target) => {
    const asked: string[] = [];
    const prober = proberFor((host) => {
      asked.push(host);
      return Promise.resolve([{ address: '127.0.0.1', family: 4, isTrusted: true }]);
    });
    expect(await prober({ url: target, methods: ['GET', 'POST'] })).toMatchObject({
      outcome: 'refused-address',
      remoteAddress: null,
      failure: { phase: 'resolve' },
    });
    expect(asked).toEqual([]);
  });
});

describe('a host that leads to an address', () => {
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
  ])('is refused when it is %j', async (address) => {
    expect(await proberFor(answers(address))({ url, methods: ['GET'] })).toMatchObject({
      outcome: 'refused-address',
    });
  });

  it('is refused when a name is vouched for in place of an address', async () => {
    const resolver: Resolver = () => Promise.resolve([{ address: 'localhost', family: 4, isTrusted: true }]);
    expect(await proberFor(resolver)({ url, methods: ['GET'] })).toMatchObject({
      outcome: 'refused-address',
    });
  });

  it('is dialled only where the guard lets it', async () => {
    await using server = await serve((_, response) => void response.writeHead(402).end());
    const judged: string[] = [];
    const prober = proberFor(answers('127.0.0.2', '127.0.0.1', '127.0.0.3'), (address) => {
      judged.push(address);
      return address === '127.0.0.1' ? null : 'not this one';
    });
    const probe = await prober({ url: `http://endpoint.example:${server.port}/`, methods: ['GET'] });
    expect(probe).toMatchObject({ outcome: 'challenged', remoteAddress: '127.0.0.1' });
    expect(judged).toEqual(['127.0.0.2', '127.0.0.1', '127.0.0.3']);
  });

  it('is judged again for every connection, so a name that changes its mind finds no gap', async () => {
    await using server = await serve((_, response) => void response.writeHead(405).end());
    let asked = 0;
    const prober = proberFor(() => {
      asked += 1;
      const address = { address: '127.0.0.1', family: 4, port: server.port } as const;
      return Promise.resolve([asked === 1 ? { ...address, isTrusted: true } : address]);
    });
    expect(await prober({ url, methods: ['GET', 'POST'] })).toMatchObject({
      method: 'POST',
      outcome: 'refused-address',
    });
    expect(server.connections()).toBe(1);
  });

  it('is our own failure when the guard breaks', async () => {
    const prober = proberFor(answers('127.0.0.1'), () => {
      throw new Error('broken');
    });
    expect(await prober({ url, methods: ['GET'] })).toMatchObject({
      outcome: 'self-failure',
      remoteAddress: null,
    });
  });
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
    expect(await proberFor(answers())({ url, methods: ['GET'] })).toMatchObject({ outcome: 'dns-error' });
  });

  it('is a time-out when the name servers say so', async () => {
    expect(await proberFor(failing('ETIMEOUT'))({ url, methods: ['GET'] })).toMatchObject({
      outcome: 'timeout',
      failure: { phase: 'resolve' },
    });
  });

  it('is a time-out when the resolver never answers, and the resolver is told', async () => {
    let told: AbortSignal | undefined;
    const prober = proberFor((_, signal) => {
      told = signal;
      return new Promise(() => undefined);
    });
    const probe = await prober({ url, methods: ['GET'] });
    expect(probe).toMatchObject({ outcome: 'timeout', failure: { phase: 'resolve' } });
    expect(probe.totalMs).toBeLessThan(3_000);
    expect(told?.aborted).toBe(true);
  });

  it.each([
    ['its name servers cannot be reached', failing('ECONNREFUSED')],
    ['it has no more descriptors', failing('EMFILE')],
    ['the resolver rejects without a code', () => Promise.reject(new Error('broken'))],
    [
      'the resolver throws',
      () => {
        throw new TypeError('broken');
      },
    ],
  ] satisfies readonly (readonly [string, Resolver])[])('is our own failure when %s', async (_, resolver) => {
    expect(await proberFor(resolver)({ url, methods: ['GET'] })).toMatchObject({ outcome: 'self-failure' });
  });
});

it('never rejects, whatever the URL and the methods', async () => {
  const prober = createTestProber(1, { resolver: failing('ENOTFOUND') });
  const { default: fc } = await import('fast-check');
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.webUrl()), fc.array(fc.string()), async (target, methods) => {
      const probe = await prober({ url: target, methods });
      expect(['dns-error', 'protocol-error', 'refused-address']).toContain(probe.outcome);
    }),
  );
});
