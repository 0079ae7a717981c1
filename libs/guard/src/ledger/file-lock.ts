import { chmodSync, statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseSync } from 'node:sqlite';
import { createMutex } from './mutex.ts';

/** Maximum time to wait for the lock, in milliseconds. A task of a journal takes a few milliseconds. */
const TIMEOUT_MS = 10_000;
const MAX_PAUSE_MS = 8;
/** Result code of SQLite for a lock that another connection holds. */
const SQLITE_BUSY = 5;

interface OpenLock {
  readonly database: DatabaseSync;
  readonly inode: bigint | null;
}

/**
 * Lock that all processes of a machine respect. The lock is the exclusive lock of an empty SQLite database, which the
 * kernel releases when its process ends for any reason. A lock file with a process id would need a takeover from a dead
 * process, and two processes could take over at the same time.
 */
export class FileLock {
  readonly #file: string;
  readonly #runAlone = createMutex();
  #open: OpenLock | null = null;

  /** @param file path of the lock file, which is created and stays */
  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Runs a task while this process holds the lock.
   *
   * @throws Error if the lock cannot be taken within 10 seconds
   */
  async hold<T>(task: () => Promise<T>): Promise<T> {
    return this.#runAlone(async () => {
      const database = await this.#take();
      try {
        return await task();
      } finally {
        database.exec('ROLLBACK');
      }
    });
  }

  async #take(): Promise<DatabaseSync> {
    const end = performance.now() + TIMEOUT_MS;
    for (;;) {
      this.#open ??= await openLock(this.#file);
      const { database, inode } = this.#open;
      if (tryTake(database, this.#file)) {
        if (inode === readInode(this.#file)) return database;
        // The lock file was deleted, so that other processes lock another file of the same name.
        database.close();
        this.#open = null;
      } else {
        if (performance.now() > end) throw new Error(formatTimeout(this.#file));
        await wait(1 + Math.random() * MAX_PAUSE_MS);
      }
    }
  }
}

async function openLock(file: string): Promise<OpenLock> {
  const { DatabaseSync: Database } = await importSqlite();
  const database = new Database(file, { timeout: 0 });
  chmodSync(file, 0o600);
  return { database, inode: readInode(file) };
}

function importSqlite(): Promise<typeof import('node:sqlite')> {
  return import('node:sqlite').catch(() => {
    throw new Error(
      `A file journal needs Node.js 22.13 or newer; this is ${process.version}. Update Node.js, or use createMemoryJournal.`,
    );
  });
}

/** Takes the lock. Returns false if another connection holds the lock. */
function tryTake(database: DatabaseSync, file: string): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return false;
    const message = `The lock ${file} of the journal cannot be used. If no program uses the journal, delete this file.`;
    throw new Error(message, { cause: error });
  }
}

function readInode(file: string): bigint | null {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}

function formatTimeout(file: string): string {
  return `The lock ${file} of the journal was not free within ${TIMEOUT_MS / 1_000} seconds. Another process holds it. End that process, or use another journal.`;
}
