import { createReadStream, readdirSync, readFileSync, type Dirent } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { holdBackup, readDatabaseUrl, URL_FILE, type HeldBackup } from '@touchstone/embedded';
import { z } from 'zod';
import { ConfigError } from '../config/config.ts';
import { lockFolder } from '../data-folder/lock-folder.ts';
import { writeArchive, type Contents, type Entry } from './archive.ts';

/** Files and folders of the data folder that belong to a backup. Logs, archives and other files do not belong to it. */
const CONTENT = new Set([
  ...['state.json', 'signing-keys.json', 'watch-keys.txt', 'seller.key', 'discovery.json'],
  ...['sandbox.json', 'sandbox', 'db'],
]);
/** Files that a backup leaves out: unfinished files, and files of the running process. */
const IGNORED = new RegExp(
  `^(?:.*\\.new$|db/(?:postmaster\\.(?:pid|opts)|${URL_FILE.replace('.', '\\.')})$)`,
);
const DATABASE = 'db';
const LOG = `${DATABASE}/pg_wal/`;
/** Control file of the database. It is copied after all other data files, as PostgreSQL recommends. */
const CONTROL = `${DATABASE}/global/pg_control`;

const stateSchema = z.object({ keys: z.object({ secret: z.string() }) });

/**
 * Writes a backup of a data folder: the database, the keys and the state. The service may run during the backup.
 *
 * @throws ConfigError when the folder has no data, the archive is in the folder or exists already, or the database does
 * not respond
 */
export async function createBackup(dataDir: string, file: string): Promise<Contents> {
  checkTarget(dataDir, file);
  const secret = readSecret(dataDir);
  const lock = lockFolder(dataDir);
  if (typeof lock !== 'function') return backUpRunning(dataDir, file, secret);
  try {
    return await writeArchive(file, readEntries(dataDir, listNames(dataDir)));
  } finally {
    lock();
  }
}

/**
 * Checks the path of the archive. @throws ConfigError for a path in the data folder, where the archive could be lost
 * together with the data
 */
function checkTarget(dataDir: string, file: string): void {
  const path = relative(dataDir, file);
  if (isAbsolute(path) || path === '..' || path.startsWith(`..${sep}`)) return;
  throw new ConfigError(`FILE must be outside DATA_DIR ${dataDir}; received ${file}.`);
}

/**
 * Reads the secret key of the embedded database from a data folder.
 *
 * @throws ConfigError for a folder without data
 */
export function readSecret(dataDir: string): string {
  try {
    return stateSchema.parse(JSON.parse(readFileSync(join(dataDir, 'state.json'), 'utf8'))).keys.secret;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`DATA_DIR ${dataDir} has no data of Touchstone (state.json: ${reason}).`);
  }
}

async function backUpRunning(dataDir: string, file: string, secret: string): Promise<Contents> {
  const url = readDatabaseUrl(join(dataDir, DATABASE));
  // A service with a Supabase project has no database in its folder.
  if (url === null && listNames(dataDir).some((name) => name.startsWith(`${DATABASE}/`)))
    throw new ConfigError('The service is starting or stopping. Repeat the backup in a few seconds.');
  if (url === null) return writeArchive(file, readEntries(dataDir, listNames(dataDir)));
  const held = await holdBackup(url, secret).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`The database of the running service cannot be backed up now: ${reason}`);
  });
  try {
    return await writeArchive(file, readRunning(dataDir, held));
  } finally {
    held.close();
  }
}

/**
 * Reads the files of a running service. The write-ahead log of the database is read last, after the end of the database
 * backup.
 */
async function* readRunning(dataDir: string, held: HeldBackup): AsyncGenerator<Entry> {
  const isData = (name: string): boolean => name.endsWith('/') || !name.startsWith(LOG);
  const names = listNames(dataDir).filter((name) => isData(name) && name !== CONTROL);
  yield* readEntries(dataDir, [...names, CONTROL]);
  const { label, lastSegment } = await held.end();
  const firstSegment = /\(file ([0-9A-F]{24})\)/.exec(label)?.[1] ?? '';
  const isNeeded = (name: string): boolean => {
    const segment = name.slice(LOG.length);
    return /^[0-9A-F]{24}$/.test(segment) && segment >= firstSegment && segment <= lastSegment;
  };
  yield* readEntries(
    dataDir,
    listNames(dataDir).filter((name) => name.startsWith(LOG) && isNeeded(name)),
  );
  const bytes = Buffer.from(label);
  yield { name: `${DATABASE}/backup_label`, size: bytes.length, content: Readable.from([bytes]) };
}

/** Lists the files and folders of a data folder that belong to a backup, as paths in the archive. */
function listNames(dataDir: string): readonly string[] {
  const toName = (entry: Dirent): string => {
    const path = relative(dataDir, join(entry.parentPath, entry.name)).split(sep).join('/');
    return entry.isDirectory() ? `${path}/` : path;
  };
  return readdirSync(dataDir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map(toName)
    .filter((name) => CONTENT.has(name.replace(/\/.*$/, '')) && !IGNORED.test(name))
    .sort();
}

async function* readEntries(dataDir: string, names: readonly string[]): AsyncGenerator<Entry> {
  for (const name of names) {
    const path = join(dataDir, name);
    const size = name.endsWith('/') ? 0 : await readSize(path);
    // PostgreSQL removes files while it runs. Its recovery does not need the removed files.
    if (size === null) continue;
    const content = size === 0 ? Readable.from([]) : createReadStream(path, { end: size - 1 });
    yield { name, size, content };
  }
}

async function readSize(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
