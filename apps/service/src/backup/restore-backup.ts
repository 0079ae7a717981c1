import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkDatabase, syncFolder, syncTree } from '@touchstone/embedded';
import { ConfigError } from '../config/config.ts';
import { lockFolder } from '../data-folder/lock-folder.ts';
import { readArchive } from './archive.ts';

/**
 * Folder in the data folder to which the archive is extracted. The files are moved out of this folder after all of the
 * files are verified.
 */
const DRAFT = 'restoring';
/** File that is moved last. A data folder without this file counts as empty. */
const STATE = 'state.json';

export interface RestoredBackup {
  /** Time of the backup, ISO 8601. */
  readonly createdAt: string;
  /** Number of recorded payments; null for a backup without an embedded database. */
  readonly payments: number | null;
}

/**
 * Restores a backup to a missing or empty data folder. The database is recovered and read before the files are moved to
 * their place, so a failed restore leaves no data in the folder.
 *
 * @throws ConfigError when the folder has files or is in use, or the archive is damaged
 */
export async function restoreBackup(file: string, dataDir: string): Promise<RestoredBackup> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(dataDir);
  if (typeof unlock !== 'function')
    throw new ConfigError(`DATA_DIR ${dataDir} is in use. Stop its service, and restore to an empty folder.`);
  const draft = join(dataDir, DRAFT);
  try {
    checkEmpty(dataDir);
    rmSync(draft, { recursive: true, force: true });
    const { createdAt } = await readArchive(file, draft);
    if (!existsSync(join(draft, STATE)))
      throw new ConfigError(`${file} has no ${STATE}. Use another backup.`);
    const database = join(draft, 'db');
    const payments = existsSync(database) ? (await checkDatabase(database)).payments : null;
    await syncTree(draft);
    const names = readdirSync(draft).filter((name) => name !== STATE);
    for (const name of names) renameSync(join(draft, name), join(dataDir, name));
    // After a power failure, a folder with a state file must have all other files.
    syncFolder(dataDir);
    renameSync(join(draft, STATE), join(dataDir, STATE));
    syncFolder(dataDir);
    syncFolder(dirname(dataDir));
    return { createdAt, payments };
  } finally {
    rmSync(draft, { recursive: true, force: true });
    unlock();
  }
}

function checkEmpty(dataDir: string): void {
  const found = readdirSync(dataDir).find((name) => name !== DRAFT && !name.startsWith('lock'));
  if (found === undefined) return;
  throw new ConfigError(
    `DATA_DIR ${dataDir} has data (${found}). Move the folder away, or set DATA_DIR to an empty folder.`,
  );
}
