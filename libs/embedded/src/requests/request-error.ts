import { z } from 'zod';
import { formatRestore } from '../open/open-error.ts';

/** SQLSTATE of a write in a read-only transaction. */
const READ_ONLY = '25006';
/** SQLSTATE `disk_full`. `@supabase/lite` responds to this class with HTTP 500. */
const DISK_FULL = '53100';
/** SQLSTATE of damaged or missing data files: `data_corrupted`, `index_corrupted`, `undefined_file`, `io_error`. */
const DAMAGED = new Set(['XX001', 'XX002', '58P01', '58030']);

const databaseErrorSchema = z.object({ code: z.string(), message: z.string() });

export interface RequestErrorOptions {
  /** True while the disk is full. */
  readonly isFull: boolean;
  /** Folder of the database; null for a database in memory. */
  readonly folder: string | null;
}

/** Converts an error of a request: writes to a full disk say so, and damaged files are reported to the operator. */
export function toRequestError(error: unknown, { isFull, folder }: RequestErrorOptions): unknown {
  const { data } = databaseErrorSchema.safeParse(error);
  if (data === undefined) return error;
  if (data.code === DISK_FULL || (data.code === READ_ONLY && isFull)) {
    const message =
      'The disk of the database is full. Nothing was written. Free space and repeat the request.';
    return Object.assign(new Error(message, { cause: error }), { code: DISK_FULL });
  }
  if (DAMAGED.has(data.code) && folder !== null) {
    process.stderr.write(
      `embedded database: a file is damaged (${data.message}). ${formatRestore(folder)}\n`,
    );
  }
  return error;
}
