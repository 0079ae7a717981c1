import fs from 'node:fs';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { BACKUP_PATH, type BackupEnd } from './backups.ts';

/** File in the data folder of a running database with its URL. */
export const URL_FILE = 'touchstone.url';

const endSchema = z.object({ label: z.string(), lastSegment: z.string() });

/** Backup of a running database between its start and its end. */
export interface HeldBackup {
  /** Ends the copy of the data files. The log files can be copied until {@link HeldBackup.close}. */
  end(): Promise<BackupEnd>;
  /** Ends the backup. */
  close(): void;
}

/** Returns the URL of the database that runs in a data folder, or null when none has written its URL. */
export function readDatabaseUrl(folder: string): string | null {
  try {
    return fs.readFileSync(join(folder, URL_FILE), 'utf8');
  } catch {
    return null;
  }
}

/**
 * Starts a backup of a running database and holds it open. See {@link Backups}.
 *
 * @throws Error when the database does not respond or refuses
 */
export async function holdBackup(url: string, secret: string): Promise<HeldBackup> {
  const client = request(new URL(BACKUP_PATH, url), { method: 'POST', headers: { apikey: secret } });
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
