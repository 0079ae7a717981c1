import type { PgliteConnection } from '@supabase/lite/pglite';
import type { Lock } from '../requests/lock.ts';
import type { DatabaseFiles } from './database-files.ts';

/** Size of the write-ahead log after which a checkpoint is made, in bytes. It bounds the time of a recovery. */
const CHECKPOINT_BYTES = 64 * 1024 * 1024;
/** Time after which written data gets a checkpoint, in milliseconds. The same as in PostgreSQL. */
const CHECKPOINT_MS = 5 * 60_000;
const POLL_MS = 1_000;

export interface CheckpointOptions {
  readonly connection: PgliteConnection;
  readonly files: DatabaseFiles;
  readonly lock: Lock;
  /** Returns true while no checkpoint may be made: the disk is full, or a backup copies the files. */
  readonly isPaused: () => boolean;
  readonly checkpointBytes?: number;
  readonly pollMs?: number;
}

/**
 * Makes checkpoints, because PostgreSQL has no checkpointer process in PGlite: without them, the write-ahead log would grow
 * until the disk is full. PostgreSQL syncs the data files in a checkpoint, before it removes log files.
 *
 * @returns function that ends the checkpoints
 */
export function startCheckpoints(options: CheckpointOptions): () => void {
  const { connection, files, lock, isPaused } = options;
  const { checkpointBytes = CHECKPOINT_BYTES, pollMs = POLL_MS } = options;
  let lastBytes = files.logBytes;
  let lastAt = performance.now();
  let isRunning = false;
  const check = async (): Promise<void> => {
    const written = files.logBytes - lastBytes;
    const isDue = written >= checkpointBytes || (written > 0 && performance.now() - lastAt >= CHECKPOINT_MS);
    if (!isDue || isRunning || isPaused()) return;
    isRunning = true;
    try {
      await lock(() => connection.driver.exec('checkpoint'));
      lastBytes = files.logBytes;
      lastAt = performance.now();
    } finally {
      isRunning = false;
    }
  };
  const timer = setInterval(() => {
    check().catch((error: unknown) => {
      process.stderr.write(`embedded database: a checkpoint failed: ${String(error)}\n`);
    });
  }, pollMs);
  timer.unref();
  return () => clearInterval(timer);
}
