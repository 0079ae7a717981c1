import { afterEach, expect, it, vi } from 'vitest';
import { createCachedResolver } from './cached-resolver.ts';
import type { DialAddress } from '../types.ts';

const found: readonly DialAddress[] = [{ address: '192.0.2.1', family: 4 }];
const { signal } = new AbortController();
afterEach(() => vi.useRealTimers());

it('looks each name up once, also while the lookup is pending', async () => {
  const lookups: string[] = [];
  const resolver = createCachedResolver(async (host) => {
    lookups.push(host);
    await new Promise((resolve) => setTimeout(resolve, 10));
    return found;
  });
  const both = await Promise.all([resolver('a.example', signal), resolver('a.example', signal)]);
  expect(both).toEqual([found, found]);
  expect(await resolver('a.example', signal)).toEqual(found);
  await resolver('b.example', signal);
  expect(lookups).toEqual(['a.example', 'b.example']);
});

it('caches failures', async () => {
  let lookups = 0;
  const resolver = createCachedResolver(() => {
    lookups += 1;
    return Promise.reject(new Error('no such name'));
  });
  await expect(resolver('a.example', signal)).rejects.toThrow('no such name');
  await expect(resolver('a.example', signal)).rejects.toThrow('no such name');
  expect(lookups).toBe(1);
});

it('looks a name up again after its entry expired', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const lookups: string[] = [];
  const resolver = createCachedResolver(
    (host) => {
      lookups.push(host);
      return Promise.resolve(found);
    },
    { keepMs: 40 },
  );
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
        setTimeout(() => resolve(found), 30);
      }),
  );
  const aborting = new AbortController();
  const first = resolver('a.example', aborting.signal);
  const second = resolver('a.example', signal);
  aborting.abort();
  expect(await Promise.all([first, second])).toEqual([found, found]);
});
