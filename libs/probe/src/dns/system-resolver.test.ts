import { describe, expect, it } from 'vitest';
import { createSystemResolver } from './system-resolver.ts';
import { serveDns } from '../testing/name-server.ts';
import type { Reply } from '../testing/name-server.ts';
import type { DialAddress } from '../types.ts';

const v4 = [192, 0, 2, 1];
const v6 = [0x20, 0x01, 0x0d, 0xb8, ...Array.from({ length: 11 }, () => 0), 1];
const none: Reply = { addresses: [] };
const nameError = 3;
const serverFailure = 2;

async function resolve(a: Reply, aaaa: Reply, timeoutMs = 120_000): Promise<readonly DialAddress[]> {
  await using names = await serveDns((kind) => (kind === 'A' ? a : aaaa));
  const resolver = createSystemResolver({ timeoutMs, servers: [names.server] });
  return await resolver('endpoint.example', new AbortController().signal);
}

describe('systemResolver', () => {
  it('queries the name servers for IPv4 and IPv6 addresses', async () => {
    await using names = await serveDns((kind) => ({ addresses: kind === 'A' ? [v4, [192, 0, 2, 2]] : [] }));
    const resolver = createSystemResolver({ timeoutMs: 30_000, servers: [names.server] });
    expect(await resolver('endpoint.example', new AbortController().signal)).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '192.0.2.2', family: 4 },
    ]);
    expect(names.queries.toSorted()).toEqual(['A endpoint.example', 'AAAA endpoint.example']);
  });

  it.each([
    ['there is no IPv4 address', none],
    ['the IPv4 query fails', serverFailure],
  ] as const)('falls back to IPv6 when %s', async (_, a) => {
    expect(await resolve(a, { addresses: [v6] })).toEqual([{ address: '2001:db8::1', family: 6 }]);
  });

  it('does not wait for IPv6 when there is an IPv4 address', async () => {
    expect(await resolve({ addresses: [v4] }, null)).toHaveLength(1);
  });

  it.each([
    ['ENOTFOUND', nameError, nameError],
    ['ENODATA', none, none],
    ['ESERVFAIL', none, serverFailure],
    ['ESERVFAIL', serverFailure, none],
    ['EREFUSED', 5, 5],
  ] as const)('rejects with %s', async (code, a, aaaa) => {
    await expect(resolve(a, aaaa)).rejects.toMatchObject({ code });
  });

  it('rejects after its timeout when no name server responds', async () => {
    await expect(resolve(null, null, 200)).rejects.toMatchObject({ code: 'ETIMEOUT' });
  });

  it('rejects when its caller aborts', async () => {
    await using names = await serveDns(() => null);
    const resolver = createSystemResolver({ timeoutMs: 120_000, servers: [names.server] });
    await expect(resolver('endpoint.example', AbortSignal.timeout(50))).rejects.toMatchObject({
      code: 'ETIMEOUT',
    });
    await expect(resolver('endpoint.example', AbortSignal.abort())).rejects.toMatchObject({
      code: 'ETIMEOUT',
    });
  });

  it('rejects an invalid host name', async () => {
    const resolver = createSystemResolver({ timeoutMs: 30_000, servers: ['127.0.0.1:9'] });
    await expect(resolver(`${'a'.repeat(70)}.example`, new AbortController().signal)).rejects.toMatchObject({
      code: 'EBADNAME',
    });
  });
});
