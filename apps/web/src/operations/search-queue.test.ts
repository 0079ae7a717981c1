import { beforeEach, expect, it, vi } from 'vitest';
import { runSearch, SearchBusyError, type SearchSender } from './search-queue.ts';

/** Order in which searches start, by name. */
let started: string[];
let release: () => void;
let released: Promise<void>;

beforeEach(() => {
  vi.useRealTimers();
  globalThis.touchstoneValues?.delete('search-queue');
  started = [];
  released = new Promise((resolve) => (release = resolve));
});

/** Sends a search that runs until the test releases all searches. Resolves to null if the search is refused. */
async function send(sender: SearchSender): Promise<string | null> {
  const { client } = sender;
  const search = async (): Promise<string> => {
    started.push(client);
    await released;
    return client;
  };
  return runSearch(sender, search).catch((error: unknown) => {
    expect(error).toBeInstanceOf(SearchBusyError);
    return null;
  });
}
const free = (client: string) => send({ client });

/** Sends free searches of clients, the clients one after the other. */
const flood = (clients: number, each: number) =>
  Array.from({ length: clients * each }, (_, index) => free(`address ${Math.floor(index / each)}`));

it('runs two searches, lets twenty wait, and refuses further searches', async () => {
  const results = flood(25, 1);
  await expect(Promise.all(results.slice(22))).resolves.toEqual([null, null, null]);
  expect(started).toHaveLength(2);
  release();
  expect((await Promise.all(results)).filter((result) => result !== null)).toHaveLength(22);
});

it.each([
  [1, 100],
  [4, 7],
  [10, 7],
])('accepts a further client while %i addresses send %i searches each', async (clients, each) => {
  const results = flood(clients, each);
  const honest = free('honest');
  release();
  expect(await honest).toBe('honest');
  expect((await Promise.all(results)).filter((result) => result !== null)).toHaveLength(21);
  expect(started.indexOf('honest')).toBeLessThan(3 + clients);
});

it('lets clients without a known address have all places', async () => {
  const results = Array.from({ length: 22 }, () => free('unknown'));
  release();
  expect(await Promise.all(results)).not.toContain(null);
});

it('runs a paid search before the free searches that wait, also if no free search can wait', async () => {
  const results = flood(22, 1);
  const bought = send({ client: 'buyer', isPaid: true });
  release();
  expect(await bought).toBe('buyer');
  expect(started.indexOf('buyer')).toBe(2);
  await Promise.all(results);
});

it('refuses a search after five seconds, although no search ends', async () => {
  vi.useFakeTimers();
  const results = [free('one'), free('two')];
  const late = free('late');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await Promise.race([late, Promise.resolve('waits')])).toBeNull();
  release();
  expect(await Promise.all(results)).toEqual(['one', 'two']);
  expect(started).toHaveLength(2);
});

it('gives the place of a client that disconnects to another client', async () => {
  const gone = new AbortController();
  const running = flood(2, 1);
  const waiting = Array.from({ length: 20 }, (_, index) =>
    send({ client: `gone ${index}`, signal: gone.signal }),
  );
  gone.abort();
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => null));
  expect(await send({ client: 'gone', signal: gone.signal })).toBeNull();
  const honest = free('honest');
  release();
  expect(await honest).toBe('honest');
  await Promise.all(running);
});
