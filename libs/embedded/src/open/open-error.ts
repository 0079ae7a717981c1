import { dirname } from 'node:path';

/**
 * Reason why the database did not start:
 * - `damaged`: PostgreSQL cannot use the files of the folder.
 * - `unwritable`: the folder cannot be written.
 * - `disk-full`: the disk has too little free space.
 * - `migration`: the schema is that of another version, or a migration failed.
 * - `other`: any other error, such as a port in use.
 */
export type OpenFailure = 'damaged' | 'unwritable' | 'disk-full' | 'migration' | 'other';

/** Error of a database that did not start. The message says what happened and what to do. */
export class OpenError extends Error {
  readonly reason: OpenFailure;

  constructor(reason: OpenFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OpenError';
    this.reason = reason;
  }

  /** True if another start can succeed without a change by the operator. */
  get canRetry(): boolean {
    return this.reason === 'disk-full' || this.reason === 'other';
  }
}

/** Free space below which the database does not start, in bytes: a checkpoint and two segments of the log. */
export const MIN_START_BYTES = 48 * 1024 * 1024;

/** Formats what the operator of a damaged database does. A backup is restored to an empty data folder. */
export function formatRestore(folder: string): string {
  const dataDir = dirname(folder);
  return (
    `Stop the service and move the data folder ${dataDir} away. ` +
    `Then restore a backup (DATA_DIR="${dataDir}" npx touchstone restore FILE), or start with an empty folder.`
  );
}

/** Returns the first reason that PostgreSQL gave for its end; null if it gave none. */
function findEndReason(messages: readonly string[]): string | null {
  const first = messages.findIndex((message) => /^(?:PANIC|FATAL):/.test(message));
  if (first === -1) return null;
  const detail = messages.slice(first + 1).find((message) => message.startsWith('DETAIL:'));
  return [messages[first], detail].flatMap((text) => text?.replace(/^[A-Z]+:\s*/, '') ?? []).join('. ');
}

/** Creates the error of a folder whose files PostgreSQL refused for this reason. */
export function createDamagedError(folder: string, reason: string, cause?: unknown): OpenError {
  return new OpenError(
    'damaged',
    `The database in ${folder} is damaged or was created by another version of PostgreSQL: ${reason.replace(/\.$/, '')}. ` +
      formatRestore(folder),
    { cause },
  );
}

/** Creates the error of a folder whose disk is full. */
export function createFullError(folder: string, cause?: unknown): OpenError {
  const minimum = MIN_START_BYTES / 1024 / 1024;
  return new OpenError(
    'disk-full',
    `The disk of ${folder} is full. The database needs ${minimum} MB of free space to start. Delete files or enlarge the disk.`,
    { cause },
  );
}

const NOT_WRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']);
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
  const reason = findEndReason(messages);
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
