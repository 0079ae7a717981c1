import { timingSafeEqual } from 'node:crypto';
import fs from 'node:fs';
import http, { type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import type { PgliteConnection } from '@supabase/lite/pglite';
import { z } from 'zod';
import type { Lock } from './lock.ts';

/**
 * Path of the request that starts a backup. The backup lasts as long as this request. The path is not part of the
 * Supabase API.
 */
export const BACKUP_PATH = '/backup/v1';
/** First line of the response to a backup request. After this line, the client copies the files. */
const BACKUP_STARTED = 'started\n';

const endSchema = z.object({
  /** Content of the file `backup_label`. */
  label: z.string(),
  /** Name of the last log file that the copy needs. */
  lastSegment: z.string(),
});
/** End message of a backup: the backup label and the name of the last log file. */
type BackupEnd = z.infer<typeof endSchema>;

/**
 * Backups of a running database. The database continues to serve requests. A client keeps one request open during its
 * backup:
 *
 * 1. After the first line of the response, the client copies the data folder without the log, and ends its request. 2.
 * The second line is a {@link BackupEnd} as JSON. The client copies the log files and closes the connection.
 *
 * PostgreSQL recovers the copy to its state at the end of the backup.
 *
 * https://www.postgresql.org/docs/17/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
 */
export class Backups {
  /**
   * True while a client copies the files. No checkpoint may be made, because a checkpoint would remove log files that
   * the copy needs.
   */
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
    return z.tuple([endSchema]).parse(rows)[0];
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

/** Name of the file that contains the URL of a running database, in the data folder of the database. */
export const URL_FILE = 'touchstone.url';

/** Backup that a client has started and can end. */
export interface HeldBackup {
  /** Ends the copy of the data files. The client can copy the log files until {@link HeldBackup.close}. */
  end(): Promise<BackupEnd>;
  /** Ends the backup. */
  close(): void;
}

/** Returns the URL of the database that runs in a data folder, or null when no database has written its URL. */
export function readDatabaseUrl(folder: string): string | null {
  try {
    return fs.readFileSync(join(folder, URL_FILE), 'utf8');
  } catch {
    return null;
  }
}

/**
 * Starts a backup of a running database. The backup runs until {@link HeldBackup.close}. See {@link Backups}.
 *
 * @throws Error when the database does not respond or refuses the backup
 */
export async function holdBackup(url: string, secret: string): Promise<HeldBackup> {
  const client = http.request(new URL(BACKUP_PATH, url), { method: 'POST', headers: { apikey: secret } });
  client.flushHeaders();
  const response = await receive(client);
  const lines = createInterface({ input: response })[Symbol.asyncIterator]();
  const read = async (): Promise<string> => {
    const line = await lines.next();
    if (line.done === true) throw new Error('The database ended the backup. Repeat it.');
    return line.value;
  };
  const first = await read();
  if (response.statusCode !== 200) throw new Error(first);
  return {
    end: async () => {
      client.end();
      return endSchema.parse(JSON.parse(await read()));
    },
    close: () => void client.destroy(),
  };
}

function receive(client: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    client.on('error', reject);
    client.once('response', (response) => {
      // The connection is closed at the end of the backup.
      response.on('error', () => undefined);
      resolve(response);
    });
  });
}
