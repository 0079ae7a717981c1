import { expect, it } from 'vitest';
import { createCachedResolver } from './cached-resolver.ts';
import type { DialAddress } from '../types.ts';

const found: readonly DialAddress[] = [{ address: '192.0.2.1', family: 4 }];
const { signal } = new AbortController();

it('asks once for each name, also while the answer is on its way', async () => {
  const asked: string[] = [];
  const resolver = createCachedResolver(async (host) => {
    asked.push(host);
    await new Promise((resolve) => setTimeout(resolve, 10));
    return found;
  });
  const both = await Promise.all([resolver('a.example', signal), resolver('a.example', signal)]);
  expect(both).toEqual([found, found]);
  expect(await resolver('a.example', signal)).toEqual(found);
  await resolver('b.example', signal);
  expect(asked).toEqual(['a.example', 'b.example']);
});

it('keeps failures', async () => {
  let asked = 0;
  const resolver = createCachedResolver(() => {
    asked += 1;
    return Promise.reject(new Error('no such name'));
  });
  await expect(resolver('a.example', signal)).rejects.toThrow('no such name');
  await expect(resolver('a.example', signal)).rejects.toThrow('no such name');
  expect(asked).toBe(1);
});

it('asks again when an answer is old, and keeps no old names', async () => {
  const asked: string[] = [];
  const resolver = createCachedResolver(
    (host) => {
      asked.push(host);
      return Promise.resolve(found);
    },
    { keepMs: 40 },
  );
  await resolver('a.example', signal);
  await resolver('a.example', signal);
  expect(asked).toEqual(['a.example']);
  await new Promise((resolve) => setTimeout(resolve, 60));
  await resolver('b.example', signal);
  await resolver('a.example', signal);
  expect(asked).toEqual(['a.example', 'b.example', 'a.example']);
});

it('does not end a look-up for all when one caller gives up', async () => {
  const resolver = createCachedResolver(
    (_, own) =>
      new Promise((resolve, reject) => {
        own.addEventListener('abort', () => reject(new Error('aborted')));
        setTimeout(() => resolve(found), 30);
      }),
  );
  const impatient = new AbortController();
  const first = resolver('a.example', impatient.signal);
  const second = resolver('a.example', signal);
  impatient.abort();
  expect(await Promise.all([first, second])).toEqual([found, found]);
});
