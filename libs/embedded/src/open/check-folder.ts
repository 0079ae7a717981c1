import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { createDamagedError, MIN_START_BYTES, OpenError, readReason } from './open-error.ts';

const NOT_WRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']);

/**
 * Checks a data folder before PostgreSQL opens it, because PostgreSQL ends with an unclear error.
 *
 * @returns false when the folder does not exist or is empty
 * @throws OpenError when the folder is not writable, the disk is full, or the folder has files and no database
 */
export function checkFolder(folder: string): boolean {
  try {
    fs.mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
    const probe = join(dirname(folder), `.write-test-${process.pid}`);
    fs.writeFileSync(probe, '');
    fs.rmSync(probe);
    checkSpace(dirname(folder));
    if (!fs.existsSync(folder)) return false;
    const files = fs.readdirSync(folder);
    if (files.length === 0) return false;
    if (!files.includes('PG_VERSION')) throw createDamagedError(folder, 'the file PG_VERSION is missing');
    fs.accessSync(join(folder, 'PG_VERSION'), fs.constants.R_OK | fs.constants.W_OK);
    return true;
  } catch (error) {
    throw toOpenError(folder, error);
  }
}

function checkSpace(folder: string): void {
  const { bavail, bsize } = fs.statfsSync(folder);
  if (bavail * bsize < MIN_START_BYTES) throw createFullError(folder);
}

function createFullError(folder: string, cause?: unknown): OpenError {
  const minimum = MIN_START_BYTES / 1024 / 1024;
  return new OpenError(
    'disk-full',
    `The disk of ${folder} is full. The database needs ${minimum} MB of free space to start. Delete files or enlarge the disk.`,
    { cause },
  );
}

/** Messages of the operating system that PostgreSQL passes on when a resource is missing for a short time. */
const DISK_FULL = /No space left on device|quota exceeded/i;
const LACK_OF_RESOURCES = /out of memory|Cannot allocate memory|Too many open files|file descriptors/i;

/**
 * Converts an error of the start of PostgreSQL. The folder counts as damaged only if PostgreSQL gave a reason, and the
 * reason is not a full disk, or a lack of memory or of open files.
 *
 * @param messages messages that PostgreSQL printed during its start
 */
export function toStartError(folder: string, messages: readonly string[], error: unknown): OpenError {
  const reason = readReason(messages);
  if (reason === null) return toOpenError(folder, error);
  if (DISK_FULL.test(reason)) return createFullError(folder, error);
  if (LACK_OF_RESOURCES.test(reason))
    return new OpenError('other', `The database in ${folder} did not start: ${reason}`, { cause: error });
  return createDamagedError(folder, reason, error);
}

/** Converts an error of the file system to an error with a reason. */
export function toOpenError(folder: string, error: unknown): OpenError {
  if (error instanceof OpenError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = error instanceof Error ? error.message : String(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return createFullError(folder, error);
  if (NOT_WRITABLE.has(code)) {
    return new OpenError(
      'unwritable',
      `The database folder ${folder} is not writable (${message}). Make it writable for this user, or set DATA_DIR to another folder.`,
      { cause: error },
    );
  }
  return new OpenError('other', message, { cause: error });
}
