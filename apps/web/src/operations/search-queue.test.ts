import { beforeEach, expect, it, vi } from 'vitest';
import { canSearch, runFreeSearch, runPaidSearch } from './search-queue.ts';

/** Order in which searches start, by name. */
let started: string[];
let release: () => void;
let released: Promise<void>;

beforeEach(() => {
  vi.useRealTimers();
  globalThis.touchstoneValues?.delete('search-queues');
  started = [];
  released = new Promise((resolve) => (release = resolve));
});

/** Search that runs until the test releases all searches. */
const search = (name: string) => async (): Promise<string> => {
  started.push(name);
  await released;
  return name;
};
const free = (client: string, name = client) => runFreeSearch(client, search(name));
const addresses = Array.from({ length: 10 }, (_, index) => `address ${index}`);

it('runs two searches, lets twenty wait, and refuses further searches', async () => {
  const results = Array.from({ length: 25 }, (_, index) => free(`address ${index}`));
  await expect(Promise.all(results.slice(22))).resolves.toEqual([null, null, null]);
  expect(started).toHaveLength(2);
  expect(await canSearch('another address')).toBe(false);
  release();
  expect((await Promise.all(results)).filter((result) => result !== null)).toHaveLength(22);
  expect(await canSearch('another address')).toBe(true);
});

it('lets no client hold all places', async () => {
  const results = Array.from({ length: 20 }, () => free('attacker'));
  await expect(results.at(-1)).resolves.toBeNull();
  const honest = free('honest');
  release();
  expect(await honest).toBe('honest');
  expect(started.indexOf('honest')).toBeLessThan(4);
});

it('runs a paid search before the free searches that wait, also if no free search can wait', async () => {
  const flood = addresses.flatMap((client) => [free(client), free(client), free(client)]);
  await expect(flood.at(-1)).resolves.toBeNull();
  const paid = runPaidSearch('buyer', search('paid'));
  release();
  expect(await paid).toBe('paid');
  expect(started.indexOf('paid')).toBe(2);
});

it('refuses a search that waited for more than five seconds', async () => {
  vi.useFakeTimers();
  const results = ['one', 'two', 'late'].map((client) => free(client));
  await vi.advanceTimersByTimeAsync(0);
  vi.advanceTimersByTime(5_001);
  release();
  expect(await Promise.all(results)).toEqual(['one', 'two', null]);
});
