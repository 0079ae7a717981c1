import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { z } from 'zod';
import type { DataFolder } from '../data-folder/data-folder.ts';
import { startChild, waitUntilReady, type Child } from '../processes/child-process.ts';

const ENTRY = fileURLToPath(import.meta.resolve('@touchstone/embedded/main'));
const readySchema = z.object({ type: z.literal('ready'), url: z.url(), applied: z.array(z.string()) });

/** Starts the embedded database in the data folder and waits until all migrations are applied. */
export async function startDatabase(folder: DataFolder): Promise<{ child: Child; url: string }> {
  const child = startChild({
    name: 'database',
    args: [ENTRY],
    env: {
      EMBEDDED_DATA_DIR: join(folder.path, 'db'),
      EMBEDDED_PUBLISHABLE_KEY: folder.keys.publishable,
      EMBEDDED_SECRET_KEY: folder.keys.secret,
    },
    logDir: join(folder.path, 'logs'),
  });
  const { url } = await waitUntilReady(child, 'database', (message) => readySchema.parse(message));
  return { child, url };
}
