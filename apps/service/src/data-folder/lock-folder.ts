import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigError } from '../config/config.ts';

/** Error codes of SQLite. SQLITE_BUSY: another connection has the lock. SQLITE_NOTADB: the file is not a database. */
const [BUSY, NOT_A_DATABASE] = [5, 26];

/** Databases that hold a lock. Without a reference, the garbage collector would close a database and end its lock. */
const holders = new Set<DatabaseSync>();

/**
 * Locks a folder with a write transaction in the SQLite file `lock`. The lock ends with this process, even after `kill
 * -9`. No other code in this process may open the file, because closing the file would release the lock. The file
 * `lock-owner` contains the id of the process that has the lock.
 *
 * @returns a function that releases the lock; or, if another process has the lock, the id of that process (null if the
 * id cannot be read)
 * @throws ConfigError when the file `lock` was written by other code
 * @throws Error of SQLite or of the file system when the folder is not writable
 */
export function lockFolder(path: string): (() => void) | { readonly heldBy: number | null } {
  const file = join(path, 'lock');
  const ownerFile = join(path, 'lock-owner');
  const database = new DatabaseSync(file);
  try {
    database.exec('begin immediate');
    writeFileSync(ownerFile, String(process.pid));
  } catch (error) {
    database.close();
    const code = error instanceof Error && 'errcode' in error ? error.errcode : null;
    if (code === BUSY) return { heldBy: readProcessId(ownerFile) };
    if (code !== NOT_A_DATABASE) throw error;
    throw new ConfigError(
      `${file} is no lock of this version. Stop the service that uses the folder, then delete this file.`,
    );
  }
  holders.add(database);
  return () => {
    holders.delete(database);
    rmSync(ownerFile, { force: true });
    database.close();
  };
}

function readProcessId(ownerFile: string): number | null {
  try {
    return Number(readFileSync(ownerFile, 'utf8')) || null;
  } catch {
    return null;
  }
}
