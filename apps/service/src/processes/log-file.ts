import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

/** Maximum size of a log file, in bytes. A larger file is renamed, and a new file begins. */
const MAX_LOG_BYTES = 5 * 1024 * 1024;
/** Number of renamed log files that are kept, such as `web.log.1` to `web.log.3`. */
const KEPT_LOG_FILES = 3;

export interface LogFileOptions {
  /** Called when the file can no longer be written, and when it can be written again. */
  readonly report: (text: string) => void;
  /** Size above which the file is renamed, in bytes; default 5 MiB. */
  readonly maxBytes?: number;
}

/**
 * Log file of limited size. Writing is synchronous, so that the last lines before a crash are in the file. A failed
 * write loses its lines, but never throws, because a full disk must not stop the service.
 */
export class LogFile {
  readonly #path: string;
  readonly #report: LogFileOptions['report'];
  readonly #maxBytes: number;
  #handle: number | null = null;
  #bytes = 0;
  #isFailing = false;

  constructor(path: string, { report, maxBytes = MAX_LOG_BYTES }: LogFileOptions) {
    this.#path = path;
    this.#report = report;
    this.#maxBytes = maxBytes;
  }

  write(chunk: string | Uint8Array): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    try {
      const handle = this.#open(bytes.length);
      this.#bytes += writeSync(handle, bytes);
      if (this.#isFailing) this.#report(`${this.#path} is written again`);
      this.#isFailing = false;
    } catch (error) {
      this.close();
      if (this.#isFailing) return;
      this.#isFailing = true;
      const reason = error instanceof Error ? error.message : String(error);
      this.#report(`${this.#path} cannot be written (${reason}); the service continues without this log`);
    }
  }

  close(): void {
    if (this.#handle === null) return;
    closeSync(this.#handle);
    this.#handle = null;
  }

  /** Returns an open handle of the file. The file has space for `length` more bytes. */
  #open(length: number): number {
    const handle = this.#handle ?? this.#reopen();
    if (this.#bytes === 0 || this.#bytes + length <= this.#maxBytes) return handle;
    this.close();
    this.#rotate();
    return this.#reopen();
  }

  #reopen(): number {
    const handle = openSync(this.#path, 'a', 0o600);
    this.#handle = handle;
    this.#bytes = fstatSync(handle).size;
    return handle;
  }

  /** Renames `x.log` to `x.log.1`, `x.log.1` to `x.log.2`, and so on. The oldest file is replaced. */
  #rotate(): void {
    for (let number = KEPT_LOG_FILES; number > 0; number -= 1) {
      const older = `${this.#path}.${number}`;
      const newer = number === 1 ? this.#path : `${this.#path}.${number - 1}`;
      try {
        renameSync(newer, older);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  }
}
