import fs from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { URL_FILE } from './backups.ts';
import { startEmbedded } from './start.ts';
import { logMessagesOnly } from './serve.ts';

/**
 * Entry point of the process that runs the embedded database. Messages to the parent process by IPC:
 *
 * - `{ type: 'ready', url }` when the database is ready.
 * - `{ type: 'notice', message }` with a sentence for the operator, such as that the disk is full.
 *
 * Exit codes: 0 after a stop request, 1 after an error. The last line of the error output has the reason. The process
 * stops on SIGTERM or SIGINT, and when the parent process ends.
 */
const environmentSchema = z.object({
  EMBEDDED_DATA_DIR: z.string().min(1),
  EMBEDDED_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  EMBEDDED_PUBLISHABLE_KEY: z.string().startsWith('sb_publishable_'),
  EMBEDDED_SECRET_KEY: z.string().startsWith('sb_secret_'),
});

async function main(): Promise<void> {
  logMessagesOnly();
  const settings = environmentSchema.parse(process.env);
  const database = await startEmbedded({
    dataDir: settings.EMBEDDED_DATA_DIR,
    port: settings.EMBEDDED_PORT,
    keys: { publishable: settings.EMBEDDED_PUBLISHABLE_KEY, secret: settings.EMBEDDED_SECRET_KEY },
    onFatal: fail,
    onNotice: (message) => {
      printError(message);
      process.send?.({ type: 'notice', message });
    },
  });
  const urlFile = join(settings.EMBEDDED_DATA_DIR, URL_FILE);
  fs.writeFileSync(urlFile, database.url, { mode: 0o600 });
  let closing: Promise<void> | undefined;
  const stop = (): void => {
    if (closing === undefined) fs.rmSync(urlFile, { force: true });
    closing ??= database.close().finally(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('disconnect', stop);
  process.send?.({ type: 'ready', url: database.url });
}

/** Prints a line and blocks until it is written, because the process may exit in the next statement. */
function printError(message: string): void {
  fs.writeSync(process.stderr.fd, `embedded database: ${message}\n`);
}

/** Ends the process, because nothing may be written after PostgreSQL has failed. */
function fail(reason: unknown): never {
  printError(reason instanceof Error ? reason.message : String(reason));
  process.exit(1);
}

main().catch(fail);
