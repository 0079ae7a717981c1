import { dirname } from 'node:path';

/**
 * Reason why the database did not start:
 * - `damaged`: PostgreSQL cannot use the files of the folder.
 * - `unwritable`: the folder cannot be written.
 * - `disk-full`: the disk has too little free space.
 * - `migration`: the schema cannot be upgraded.
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
export function readReason(messages: readonly string[]): string | null {
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
