import fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { createPgliteConnection, type PgliteConnection } from '@supabase/lite/pglite';
import { z } from 'zod';
import { DatabaseFiles } from './database-files.ts';
import { syncFolder, syncTree } from './sync-tree.ts';
import { EXTENSIONS } from './migrate.ts';

const countSchema = z.tuple([z.object({ payments: z.number() })]);

export interface OpenOptions {
  /** Data folder of the database; in memory when omitted. */
  readonly dataDir?: string;
  /** Archive of a data folder. A new database starts with the content of this archive. */
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
 * Parameters of PostgreSQL. PGlite's own parameters contain `-F`, which disables `fsync`. The sync method is `fsync`,
 * because PGlite passes no other sync method to the file system.
 */
const DURABLE_PARAMETERS = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...['-c', 'wal_sync_method=fsync'],
];

/**
 * Opens a database, and creates it when the folder is missing or empty.
 *
 * @throws Error when the folder is damaged or not writable, or the disk is full
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

/**
 * Checks a data folder before PostgreSQL opens it, because PostgreSQL ends with an unclear error.
 *
 * @returns false when the folder does not exist or is empty
 * @throws Error when the folder is not writable, the disk is full, or the folder has files and no database
 */
function checkFolder(folder: string): boolean {
  try {
    fs.mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
    const probe = join(dirname(folder), `.write-test-${process.pid}`);
    fs.writeFileSync(probe, '');
    fs.rmSync(probe);
    const { bavail, bsize } = fs.statfsSync(dirname(folder));
    if (bavail * bsize < MIN_START_BYTES) throw createFullError(folder);
    if (!fs.existsSync(folder)) return false;
    const files = fs.readdirSync(folder);
    if (files.length === 0) return false;
    if (!files.includes('PG_VERSION')) throw createDamagedError(folder, 'the file PG_VERSION is missing');
    fs.accessSync(join(folder, 'PG_VERSION'), fs.constants.R_OK | fs.constants.W_OK);
    return true;
  } catch (error) {
    throw explainFileError(folder, error);
  }
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
    // PGlite ignores a panic of PostgreSQL.
    if (files.hasFailed) throw new Error('PostgreSQL stopped during its start.');
  } catch (error) {
    throw explainStartError(folder, files.messages, error);
  }
  isOpen = true;
  return { connection, files };
}

/**
 * Creates the folder of a new database under another name and renames it, so that an interrupted creation leaves no
 * partial database. PGlite cannot create a database with a file class that its caller supplies.
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
    throw explainFileError(folder, error);
  }
}

/**
 * Opens a data folder without applying migrations, and reads its database. PostgreSQL first recovers the database from
 * its log.
 *
 * @returns number of recorded payments
 * @throws Error when the folder is damaged
 */
export async function checkDatabase(folder: string): Promise<{ readonly payments: number }> {
  const onFatal = (message: string): never => {
    throw new Error(message);
  };
  const { connection } = await openDatabase({ dataDir: folder, onFatal });
  try {
    const { rows } = await connection.driver.query('select count(*)::int as payments from public.payments');
    return countSchema.parse(rows)[0];
  } finally {
    await connection.close();
  }
}

/** Minimum free space for a start of the database, in bytes: a checkpoint and two segments of the log. */
const MIN_START_BYTES = 48 * 1024 * 1024;

/** Formats the instruction for the operator of a damaged database. A backup is restored to an empty data folder. */
export function formatRestore(folder: string): string {
  const dataDir = dirname(folder);
  return (
    `Stop the service and move the data folder ${dataDir} away. ` +
    `Then restore a backup (DATA_DIR="${dataDir}" npx --no-install touchstone restore FILE), or start with an empty folder.`
  );
}

/** Returns the first reason that PostgreSQL gave for its end; null if PostgreSQL gave no reason. */
function findEndReason(messages: readonly string[]): string | null {
  const first = messages.findIndex((message) => /^(?:PANIC|FATAL):/.test(message));
  if (first === -1) return null;
  const detail = messages.slice(first + 1).find((message) => message.startsWith('DETAIL:'));
  return [messages[first], detail].flatMap((text) => text?.replace(/^[A-Z]+:\s*/, '') ?? []).join('. ');
}

/** Creates the error for a folder that PostgreSQL refused. `reason` is PostgreSQL's reason. */
function createDamagedError(folder: string, reason: string, cause?: unknown): Error {
  return new Error(
    `The database in ${folder} is damaged or was created by another version of PostgreSQL: ${reason.replace(/\.$/, '')}. ` +
      formatRestore(folder),
    { cause },
  );
}

/** Creates the error for a folder on a full disk. */
function createFullError(folder: string, cause?: unknown): Error {
  const minimum = MIN_START_BYTES / 1024 / 1024;
  return new Error(
    `The disk of ${folder} is full. The database needs ${minimum} MB of free space to start. Delete files or enlarge the disk.`,
    { cause },
  );
}

const NOT_WRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']);
/**
 * Patterns of error messages of the operating system, for a full disk and for other missing resources. PostgreSQL
 * repeats these messages.
 */
const DISK_FULL = /No space left on device|quota exceeded/i;
const LACK_OF_RESOURCES = /out of memory|Cannot allocate memory|Too many open files|file descriptors/i;

/**
 * Converts an error of PostgreSQL's start to an error that says what to do. The folder counts as damaged only if
 * PostgreSQL gave a reason other than a full disk, a lack of memory or a lack of open files.
 *
 * @param messages messages that PostgreSQL printed during its start
 */
export function explainStartError(folder: string, messages: readonly string[], error: unknown): unknown {
  const reason = findEndReason(messages);
  if (reason === null) return explainFileError(folder, error);
  if (DISK_FULL.test(reason)) return createFullError(folder, error);
  if (LACK_OF_RESOURCES.test(reason))
    return new Error(`The database in ${folder} did not start: ${reason}`, { cause: error });
  return createDamagedError(folder, reason, error);
}

/** Converts an error of the file system to an error that says what to do. Returns any other error unchanged. */
function explainFileError(folder: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOSPC' || code === 'EDQUOT') return createFullError(folder, error);
  if (!NOT_WRITABLE.has(code)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new Error(
    `The database folder ${folder} is not writable (${message}). Make it writable for this user, or set DATA_DIR to another folder.`,
    { cause: error },
  );
}
