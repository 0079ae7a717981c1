import type { PgliteConnection } from '@supabase/lite/pglite';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startCheckpoints } from './checkpoints.ts';

const MB = 1024 * 1024;
let bytes = 0;
let isPaused = false;
let checkpoints = 0;
let stop: () => void;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  [bytes, isPaused, checkpoints] = [5 * MB, false, 0];
  const driver = {
    query: () => Promise.resolve({ rows: [{ bytes }] }),
    // A checkpoint writes a record to the log.
    exec: (sql: string) => Promise.resolve(sql === 'checkpoint' && ((bytes += 200), (checkpoints += 1))),
  };
  stop = startCheckpoints({
    // The cast is safe, because checkpoints use only these members of a driver.
    driver: driver as unknown as PgliteConnection['driver'],
    lock: (work) => work(),
    isPaused: () => isPaused,
  });
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

it('makes a checkpoint after 64 MB of log, and none while paused', async () => {
  await vi.advanceTimersByTimeAsync(1_000);
  bytes += 63 * MB;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(checkpoints).toBe(0);
  isPaused = true;
  bytes += MB;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(checkpoints).toBe(0);
  isPaused = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(checkpoints).toBe(1);
});

it('makes a checkpoint after 5 minutes with writes, and none without', async () => {
  await vi.advanceTimersByTimeAsync(600_000);
  expect(checkpoints).toBe(0);
  bytes += 1;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(checkpoints).toBe(1);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(checkpoints).toBe(1);
});
