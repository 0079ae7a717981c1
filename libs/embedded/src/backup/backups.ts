import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import type { PgliteConnection } from '@supabase/lite/pglite';
import { z } from 'zod';
import type { Lock } from '../requests/lock.ts';

/** Path of the request that holds a backup open. It is outside the Supabase API. */
export const BACKUP_PATH = '/backup/v1';
/** First line of the response: the files can be copied now. */
const BACKUP_STARTED = 'started\n';

const stopSchema = z.tuple([z.object({ label: z.string(), lastSegment: z.string() })]);

/** Files with which PostgreSQL recovers a copy. */
export interface BackupEnd {
  /** Content of the file `backup_label`. */
  readonly label: string;
  /** Name of the last log file that the copy needs. */
  readonly lastSegment: string;
}

/**
 * Backups of a running database, which continues to serve requests. A client holds one request open during its backup:
 *
 * 1. After the first line of the response, the client copies the data folder without the log, and ends its request.
 * 2. The second line is a {@link BackupEnd} as JSON. The client copies the log files and closes the connection.
 *
 * PostgreSQL recovers the copy to its state at the end of the backup.
 *
 * https://www.postgresql.org/docs/17/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
 */
export class Backups {
  /** True while a client copies the files. No checkpoint may be made, because it would remove log files of the copy. */
  isRunning = false;
  readonly #connection: PgliteConnection;
  readonly #lock: Lock;

  constructor(connection: PgliteConnection, lock: Lock) {
    this.#connection = connection;
    this.#lock = lock;
  }

  async handle(request: IncomingMessage, response: ServerResponse, secret: string): Promise<void> {
    if (!isEqual(request.headers['apikey'], secret)) end(response, 401, 'The secret key is required.\n');
    else if (this.isRunning) end(response, 409, 'Another backup is running. Wait until it has ended.\n');
    else await this.#run(request, response);
  }

  async #run(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.isRunning = true;
    try {
      await this.#start();
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write(BACKUP_STARTED);
      await finished(request.resume()).catch(() => undefined);
      const closed = finished(response).catch(() => undefined);
      response.write(`${JSON.stringify(await this.#stop())}\n`);
      await closed;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (response.headersSent) response.destroy();
      else end(response, 500, `${reason}\n`);
    } finally {
      this.isRunning = false;
    }
  }

  async #start(): Promise<void> {
    await this.#lock(() => this.#connection.driver.query(`select pg_backup_start('touchstone', true)`));
  }

  async #stop(): Promise<BackupEnd> {
    const { rows } = await this.#lock(() =>
      this.#connection.driver.query(
        'select labelfile as label, pg_walfile_name(lsn) as "lastSegment" from pg_backup_stop(false)',
      ),
    );
    return stopSchema.parse(rows)[0];
  }
}

function isEqual(received: unknown, secret: string): boolean {
  if (typeof received !== 'string') return false;
  const [a, b] = [Buffer.from(received), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(text);
}
