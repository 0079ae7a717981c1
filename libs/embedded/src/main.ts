import fs from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { URL_FILE } from './backups.ts';
import { OpenError } from './open/open-error.ts';
import { startEmbedded } from './start.ts';
import { logMessagesOnly } from './requests/serve.ts';

/**
 * Entry point of the process that runs the embedded database. Messages to the parent process by IPC:
 *
 * - `{ type: 'ready', url }` when the database is ready.
 * - `{ type: 'notice', message }` with a sentence for the operator, such as that the disk is full.
 *
 * Exit codes: 0 after a stop request, 1 after an error that a restart may solve, 3 after an error that needs the operator,
 * such as a damaged folder. The service retries after both, every 60 s at the latest, so that the database recovers when the
 * operator has removed the cause. The last line of the error output is the reason. The process stops on SIGTERM or SIGINT,
 * and when the parent process ends.
 */
const environmentSchema = z.object({
  EMBEDDED_DATA_DIR: z.string().min(1),
  EMBEDDED_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  EMBEDDED_PUBLISHABLE_KEY: z.string().startsWith('sb_publishable_'),
  EMBEDDED_SECRET_KEY: z.string().startsWith('sb_secret_'),
});

const RETRY_EXIT_CODE = 1;
const FINAL_EXIT_CODE = 3;

async function main(): Promise<void> {
  logMessagesOnly();
  const settings = environmentSchema.parse(process.env);
  const database = await startEmbedded({
    dataDir: settings.EMBEDDED_DATA_DIR,
    port: settings.EMBEDDED_PORT,
    keys: { publishable: settings.EMBEDDED_PUBLISHABLE_KEY, secret: settings.EMBEDDED_SECRET_KEY },
    onFatal: (message) => {
      printError(message);
      process.exit(RETRY_EXIT_CODE);
    },
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

function fail(error: unknown): void {
  printError(error instanceof Error ? error.message : String(error));
  process.exit(error instanceof OpenError && !error.canRetry ? FINAL_EXIT_CODE : RETRY_EXIT_CODE);
}

main().catch(fail);
