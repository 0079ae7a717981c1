import fs from 'node:fs';
import { dirname, resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { createPgliteConnection, type PgliteConnection } from '@supabase/lite/pglite';
import { EXTENSIONS } from '../extensions.ts';
import { DatabaseFiles } from '../files/database-files.ts';
import { syncFolder, syncTree } from '../files/sync-tree.ts';
import { checkFolder, toOpenError, toStartError } from './check-folder.ts';

export interface OpenOptions {
  /** Data folder of the database; in memory when omitted. */
  readonly dataDir?: string;
  /** Archive of a data folder with which a new database starts. */
  readonly template?: Blob;
  /** Receives the reason once when the open database cannot continue. */
  readonly onFatal: (message: string) => void;
}

export interface OpenedDatabase {
  readonly connection: PgliteConnection;
  /** Files of the database; null for a database in memory. */
  readonly files: DatabaseFiles | null;
}

/**
 * Parameters of PostgreSQL. PGlite's own contain `-F`, which disables `fsync`. Of the sync methods, `fsync` is the only
 * one that PGlite passes to the file system.
 */
const DURABLE_PARAMETERS = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...['-c', 'wal_sync_method=fsync'],
];

/**
 * Opens a database, and creates it when the folder is missing or empty.
 *
 * @throws OpenError when the folder is damaged or not writable, or the disk is full
 */
export async function openDatabase({ dataDir, template, onFatal }: OpenOptions): Promise<OpenedDatabase> {
  const loadDataDir = template === undefined ? {} : { loadDataDir: template };
  if (dataDir === undefined) {
    const connection = await createPgliteConnection({
      url: 'memory://',
      pgliteOptions: { extensions: EXTENSIONS, ...loadDataDir },
    });
    await connection.driver.waitReady;
    return { connection, files: null };
  }
  const folder = resolve(dataDir);
  if (!checkFolder(folder)) await createFolder(folder, loadDataDir);
  return openFolder(folder, onFatal);
}

async function openFolder(folder: string, onFatal: (message: string) => void): Promise<OpenedDatabase> {
  let isOpen = false;
  const files = new DatabaseFiles(folder, {
    onFatal: (message) => {
      if (isOpen) onFatal(message);
    },
  });
  const connection = await createPgliteConnection({
    url: `file://${folder}`,
    pgliteOptions: { extensions: EXTENSIONS, fs: files, startParams: DURABLE_PARAMETERS },
  });
  try {
    await connection.driver.waitReady;
  } catch (error) {
    throw toStartError(folder, files.messages, error);
  }
  isOpen = true;
  return { connection, files };
}

/**
 * Creates the folder of a new database under another name and renames it, so that an interrupted creation leaves no
 * partial database. PGlite cannot create a database in files of a class of its user.
 */
async function createFolder(folder: string, options: { readonly loadDataDir?: Blob }): Promise<void> {
  const draft = `${folder}.new`;
  try {
    fs.rmSync(draft, { recursive: true, force: true });
    fs.mkdirSync(draft, { mode: 0o700 });
    const database = await PGlite.create({ dataDir: `file://${draft}`, ...options });
    await database.close();
    await syncTree(draft);
    if (fs.existsSync(folder)) fs.rmdirSync(folder);
    fs.renameSync(draft, folder);
    syncFolder(dirname(folder));
  } catch (error) {
    fs.rmSync(draft, { recursive: true, force: true });
    throw toOpenError(folder, error);
  }
}
