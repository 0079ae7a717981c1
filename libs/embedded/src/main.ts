import { z } from 'zod';
import { startEmbedded } from './start.ts';

/**
 * Entry point of the process that runs the embedded database. When the database is ready, the process sends
 * `{ type: 'ready', url, applied }` to its parent process by IPC. It stops on SIGTERM or SIGINT, and when the parent
 * process ends.
 */
const environmentSchema = z.object({
  EMBEDDED_DATA_DIR: z.string().min(1),
  EMBEDDED_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  EMBEDDED_PUBLISHABLE_KEY: z.string().startsWith('sb_publishable_'),
  EMBEDDED_SECRET_KEY: z.string().startsWith('sb_secret_'),
});

async function main(): Promise<void> {
  const settings = environmentSchema.parse(process.env);
  const database = await startEmbedded({
    dataDir: settings.EMBEDDED_DATA_DIR,
    port: settings.EMBEDDED_PORT,
    keys: { publishable: settings.EMBEDDED_PUBLISHABLE_KEY, secret: settings.EMBEDDED_SECRET_KEY },
  });
  let closing: Promise<void> | undefined;
  const stop = (): void => {
    closing ??= database.close().finally(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('disconnect', stop);
  process.send?.({ type: 'ready', url: database.url, applied: database.applied });
}

main().catch((error: unknown) => {
  process.stderr.write(`embedded database: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
