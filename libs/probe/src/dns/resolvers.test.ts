import { describe, expect, it, afterEach, vi } from 'vitest';
import { serveDns, type Reply } from '../testing/name-server.ts';
import type { DialAddress } from '../types.ts';
import { ALIAS_CODE, createCachedResolver, createSystemResolver, createTxtResolver } from './resolvers.ts';

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

  it('returns the addresses of both families', async () => {
    expect(await resolve({ addresses: [v4] }, { addresses: [v6], afterMs: 5 })).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ]);
  });

  it('waits 250 ms for IPv6 addresses when there is an IPv4 address', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const resolved = resolve({ addresses: [v4] }, null);
    while (vi.getTimerCount() === 0) await new Promise((done) => setImmediate(done));
    vi.advanceTimersByTime(250);
    expect(await resolved).toEqual([{ address: '192.0.2.1', family: 4 }]);
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

const found: readonly DialAddress[] = [{ address: '192.0.2.1', family: 4 }];
const { signal } = new AbortController();
afterEach(() => vi.useRealTimers());

/** Lookup that counts the queries for each name. Names that begin with `no-` do not exist. */
function createLookup() {
  const lookups: string[] = [];
  const lookup = async (host: string): Promise<readonly DialAddress[]> => {
    lookups.push(host);
    await Promise.resolve();
    if (host.startsWith('no-')) throw new Error('no such name');
    return found;
  };
  return { lookups, lookup };
}

it('looks each name up once, also while the lookup is pending, and caches failures', async () => {
  const { lookups, lookup } = createLookup();
  const resolver = createCachedResolver(lookup);
  const both = await Promise.all([resolver('a.example', signal), resolver('a.example', signal)]);
  expect([...both, await resolver('a.example', signal)]).toEqual([found, found, found]);
  for (let count = 0; count < 2; count += 1)
    await expect(resolver('no-b.example', signal)).rejects.toThrow('no such name');
  expect(lookups).toEqual(['a.example', 'no-b.example']);
});

it('looks a name up again after its entry expired', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { lookups, lookup } = createLookup();
  const resolver = createCachedResolver(lookup);
  await resolver('a.example', signal);
  vi.advanceTimersByTime(59_999);
  await resolver('a.example', signal);
  expect(lookups).toEqual(['a.example']);
  vi.advanceTimersByTime(1);
  await resolver('b.example', signal);
  await resolver('a.example', signal);
  expect(lookups).toEqual(['a.example', 'b.example', 'a.example']);
});

it('does not abort a shared lookup when one caller aborts', async () => {
  const resolver = createCachedResolver(
    (_, lookupSignal) =>
      new Promise((resolve, reject) => {
        lookupSignal.addEventListener('abort', () => reject(new Error('aborted')));
        setImmediate(() => resolve(found));
      }),
  );
  const aborting = new AbortController();
  const first = resolver('a.example', aborting.signal);
  const second = resolver('a.example', signal);
  aborting.abort();
  expect(await Promise.all([first, second])).toEqual([found, found]);
});

describe('createTxtResolver', () => {
  const name = '_touchstone.endpoint.example';
  async function resolveTxt(cname: Reply, txt: Reply) {
    await using names = await serveDns((kind) => (kind === 'CNAME' ? cname : txt));
    return await createTxtResolver({ timeoutMs: 120_000, servers: [names.server] })(name);
  }

  it('returns the chunks of each record', async () => {
    const texts = [['one'], ['two ', 'chunks']];
    expect(await resolveTxt(none, { texts })).toEqual(texts);
  });

  it('rejects the records of an alias, which a wildcard can make of any name', async () => {
    const alias = 'taken-over.example';
    await expect(resolveTxt({ alias }, { alias, texts: [['one']] })).rejects.toMatchObject({
      code: ALIAS_CODE,
    });
  });

  it.each([
    ['ENOTFOUND', nameError, nameError],
    ['ENODATA', none, none],
    ['ESERVFAIL', none, serverFailure],
    ['ESERVFAIL', serverFailure, { texts: [['one']] }],
  ] as const)('rejects with %s', async (code, cname, txt) => {
    await expect(resolveTxt(cname, txt)).rejects.toMatchObject({ code });
  });
});
