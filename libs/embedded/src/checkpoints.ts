import type { PgliteConnection } from '@supabase/lite/pglite';
import { z } from 'zod';
import type { Lock } from './lock.ts';

/**
 * Size of the write-ahead log after which a checkpoint is made, in bytes. This size limits the duration of a recovery.
 */
const CHECKPOINT_BYTES = 64 * 1024 * 1024;
/** Time between two checkpoints while data is written, in milliseconds. Equal to the default of PostgreSQL. */
const CHECKPOINT_MS = 5 * 60_000;
const POLL_MS = 1_000;

const positionSchema = z.tuple([z.object({ bytes: z.number() })]);

export interface CheckpointOptions {
  readonly driver: PgliteConnection['driver'];
  readonly lock: Lock;
  /** Returns true while no checkpoint may be made: the disk is full, or a backup copies the files. */
  readonly isPaused: () => boolean;
}

/**
 * Makes checkpoints, because PGlite has no checkpointer process. Without checkpoints, the write-ahead log would grow
 * until the disk is full. PostgreSQL syncs the data files in a checkpoint, before it removes log files.
 *
 * @returns function that ends the checkpoints
 */
export function startCheckpoints({ driver, lock, isPaused }: CheckpointOptions): () => void {
  let last: { readonly bytes: number; readonly at: number } | null = null;
  const check = async (): Promise<void> => {
    const bytes = await readLogPosition(driver);
    last ??= { bytes, at: performance.now() };
    const written = bytes - last.bytes;
    const isDue =
      written >= CHECKPOINT_BYTES || (written > 0 && performance.now() - last.at >= CHECKPOINT_MS);
    if (!isDue || isPaused()) return;
    await driver.exec('checkpoint');
    last = { bytes: await readLogPosition(driver), at: performance.now() };
  };
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    lock(check)
      .catch((error: unknown) => {
        process.stderr.write(`embedded database: a checkpoint failed: ${String(error)}\n`);
      })
      .finally(() => (isRunning = false));
  }, POLL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Reads the end position of the write-ahead log, in bytes since the creation of the database. */
async function readLogPosition(driver: PgliteConnection['driver']): Promise<number> {
  const { rows } = await driver.query(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`);
  return positionSchema.parse(rows)[0].bytes;
}
