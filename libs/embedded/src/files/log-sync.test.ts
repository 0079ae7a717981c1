import fs, { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { LogSync } from './log-sync.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-log-sync-'));
const path = join(folder, 'segment');
writeFileSync(path, '');
afterEach(() => vi.restoreAllMocks());
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Replaces the sync of a file by one that ends when the test says so. */
function holdSyncs() {
  const running: ((error: NodeJS.ErrnoException | null) => void)[] = [];
  const replaced = (_: number, done: (error: NodeJS.ErrnoException | null) => void): void =>
    void running.push(done);
  const sync = vi.spyOn(fs, 'fdatasync').mockImplementation(replaced);
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { running, sync, settle };
}

it('syncs once for all commits that wait, and again for commits after the start of a sync', async () => {
  const { running, sync, settle } = holdSyncs();
  const log = new LogSync();
  log.request(path);
  const first = log.flush();
  await settle();
  expect(sync).toHaveBeenCalledTimes(1);
  let isDone = false;
  log.request(path);
  const others = [log.flush(), log.flush()];
  log.request(path);
  others.push(log.flush());
  void Promise.all(others).then(() => (isDone = true));
  running[0]?.(null);
  await first;
  await settle();
  expect([isDone, sync.mock.calls.length]).toEqual([false, 2]);
  running[1]?.(null);
  await Promise.all(others);
  vi.restoreAllMocks();
  await log.close();
});

it('does not sync again when nothing was requested', async () => {
  const sync = vi.spyOn(fs, 'fdatasync');
  const log = new LogSync();
  log.request(path);
  await log.flush();
  await log.flush();
  expect(sync).toHaveBeenCalledTimes(1);
  await log.close();
});

it('syncs requested and running files at once when it must not wait', async () => {
  const { running, settle } = holdSyncs();
  const now = vi.spyOn(fs, 'fdatasyncSync');
  const log = new LogSync();
  log.request(path);
  const waiting = log.flush();
  await settle();
  log.flushNow();
  expect(now).toHaveBeenCalledTimes(1);
  running[0]?.(null);
  await waiting;
  vi.restoreAllMocks();
  await log.close();
});

it('rejects when a sync fails', async () => {
  const { running, settle } = holdSyncs();
  const log = new LogSync();
  log.request(path);
  const failed = expect(log.flush()).rejects.toThrow('EIO');
  await settle();
  running[0]?.(new Error('EIO'));
  await failed;
});
