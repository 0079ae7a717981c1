import { afterEach, expect, it, vi } from 'vitest';
import { createCachedResolver } from './cached-resolver.ts';
import type { DialAddress } from '../types.ts';

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
  const resolver = createCachedResolver(lookup, { keepMs: 40 });
  await resolver('a.example', signal);
  vi.advanceTimersByTime(39);
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
