import { expect, it, vi } from 'vitest';
import { createKnownNames, type ReadNames } from './known-names.ts';

const MINUTE = 60_000;

/** Creates a test database with names, and records each read. */
function createDatabase(initial: readonly string[]) {
  const names = new Set(initial);
  const read = vi.fn<ReadNames>(async (after, limit) =>
    [...names]
      .toSorted()
      .filter((name) => name > after)
      .slice(0, limit),
  );
  return { names, read };
}

/** Waits until a read in the background has ended. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

const toId = (index: number) => String(index).padStart(10, '0');

it('reads all names in the background at the first call', async () => {
  const database = createDatabase(Array.from({ length: 12_000 }, (_, index) => toId(index)));
  const known = createKnownNames({ read: database.read, now: () => 0 });
  expect(known.has(toId(1))).toBeNull();
  expect(known.has(toId(2))).toBeNull();
  await settle();
  expect(database.read).toHaveBeenCalledTimes(3);
  expect([known.has(toId(0)), known.has(toId(11_999)), known.has(toId(12_000))]).toEqual([true, true, false]);
});

it('reads the names on request, once at a time', async () => {
  const database = createDatabase(['a']);
  const known = createKnownNames({ read: database.read, now: () => 0 });
  await Promise.all([known.load(), known.load()]);
  expect(known.has('a')).toBe(true);
  await known.load();
  expect(database.read).toHaveBeenCalledTimes(1);
});

it('knows an added name at once, also if it is added during a read', async () => {
  const known = createKnownNames({ read: createDatabase(['a']).read, now: () => 0 });
  known.has('a');
  known.add('b');
  await settle();
  expect(known.has('b')).toBe(true);
  known.add('c');
  expect(known.has('c')).toBe(true);
  known.remove('c');
  expect(known.has('c')).toBe(false);
});

it('knows a name that was added during a read until the next read has ended', async () => {
  // The LRU cache of the added names uses `performance`, and reads the time again only after a timer.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const pass = (ms: number) => {
    clock.mockReturnValue(performance.now() + ms);
    vi.advanceTimersByTime(ms);
  };
  try {
    const database = createDatabase(['a']);
    const known = createKnownNames({ read: database.read, now: () => performance.now() });
    known.has('a');
    known.add('b');
    database.names.add('b');
    pass(5_000);
    await settle();
    pass(10 * MINUTE);
    expect(known.has('b')).toBe(true);
    await settle();
    expect(database.read).toHaveBeenCalledTimes(2);
    pass(10 * MINUTE);
    expect(known.has('b')).toBe(true);
  } finally {
    vi.useRealTimers();
    clock.mockRestore();
  }
});

it('reads the names again after ten minutes', async () => {
  let now = 0;
  const database = createDatabase(['a']);
  const known = createKnownNames({ read: database.read, now: () => now });
  known.has('a');
  await settle();
  database.names.add('b');
  now = 10 * MINUTE - 1;
  expect(known.has('b')).toBe(false);
  now += 1;
  known.has('b');
  await settle();
  expect(known.has('b')).toBe(true);
  expect(database.read).toHaveBeenCalledTimes(2);
});

it('tries a failed read again after ten seconds, and keeps the names until then', async () => {
  let now = 0;
  const database = createDatabase(['a']);
  const known = createKnownNames({ read: database.read, now: () => now });
  database.read.mockRejectedValueOnce(new Error('unavailable'));
  known.has('a');
  await settle();
  expect(known.has('a')).toBeNull();
  now = 10_000;
  known.has('a');
  await settle();
  expect(known.has('a')).toBe(true);
  now += 10 * MINUTE;
  database.read.mockRejectedValueOnce(new Error('unavailable'));
  known.has('a');
  await settle();
  expect(known.has('a')).toBe(true);
});

it('knows an added name while the names are not loaded, also after failed reads', async () => {
  let now = 0;
  const read = () => Promise.reject(new Error('unavailable'));
  const known = createKnownNames({ read, now: () => now });
  known.add('a');
  expect([known.has('a'), known.has('b')]).toEqual([true, null]);
  await settle();
  now = 10_000;
  expect(known.has('a')).toBe(true);
  await settle();
  expect(known.has('a')).toBe(true);
  known.remove('a');
  expect(known.has('a')).toBeNull();
});

it('keeps only added names if there are too many', async () => {
  const { read } = createDatabase(['a', 'b', 'c']);
  const known = createKnownNames({ read, now: () => 0, maxNames: 2 });
  known.has('a');
  await settle();
  expect(known.has('a')).toBeNull();
  known.add('a');
  expect(known.has('a')).toBe(true);
});

it('keeps at most 50,000 added names, the latest ones', () => {
  const known = createKnownNames({ read: () => Promise.reject(new Error('unavailable')), now: () => 0 });
  for (let index = 0; index <= 50_000; index += 1) known.add(`host-${index}`);
  expect(known.has('host-0')).toBeNull();
  expect(known.has('host-1')).toBe(true);
});
