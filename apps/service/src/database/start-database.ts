import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { z } from 'zod';
import type { DataFolder } from '../data-folder/data-folder.ts';
import { waitUntilReady } from '../processes/child-process.ts';
import type { Supervisor } from '../processes/supervisor.ts';

const ENTRY = fileURLToPath(import.meta.resolve('@touchstone/embedded/main'));
const readySchema = z.object({ type: z.literal('ready'), url: z.url(), applied: z.array(z.string()) });

/**
 * Starts the embedded database in the data folder and waits until all migrations are applied. A restarted database has
 * the same URL.
 */
export async function startDatabase(folder: DataFolder, supervisor: Supervisor): Promise<{ url: string }> {
  let port = '0';
  return supervisor.start({
    name: 'database',
    start: async (spawn) => {
      const child = spawn({
        name: 'database',
        args: [ENTRY],
        env: {
          EMBEDDED_DATA_DIR: join(folder.path, 'db'),
          EMBEDDED_PORT: port,
          EMBEDDED_PUBLISHABLE_KEY: folder.keys.publishable,
          EMBEDDED_SECRET_KEY: folder.keys.secret,
        },
      });
      const { url } = await waitUntilReady(child, 'database', (message) => readySchema.parse(message));
      ({ port } = new URL(url));
      return { url };
    },
  });
}
