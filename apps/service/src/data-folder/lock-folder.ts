import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Error code of SQLite for a file that another process or another connection has locked (SQLITE_BUSY). */
const BUSY = 5;

/**
 * Locks a folder with a write transaction in the SQLite file `lock`. The operating system ends the lock with the process,
 * even after `kill -9`. No other code may open this file in this process: closing it would end the lock.
 *
 * @returns a function that ends the lock, or the id of the process that holds the lock
 * @throws Error of SQLite when the file cannot be written
 */
export function lockFolder(path: string): (() => void) | { readonly heldBy: number } {
  const database = new DatabaseSync(join(path, 'lock'));
  try {
    database.exec('begin immediate');
    database.exec(`pragma user_version = ${process.pid}; commit; begin immediate`);
    return () => database.close();
  } catch (error) {
    const { user_version: heldBy } = database.prepare('pragma user_version').get() ?? {};
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === BUSY)
      return { heldBy: Number(heldBy) };
    throw error;
  }
}
