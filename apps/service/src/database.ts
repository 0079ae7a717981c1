import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { releaseAbandonedLeases } from '@touchstone/pipeline';
import { connect, findSchemaProblem, releaseDeliveries } from '@touchstone/store';
import { z } from 'zod';
import { ConfigError, type ServiceConfig } from './config/config.ts';
import type { DataFolder } from './data-folder/data-folder.ts';
import { waitForMessage, type Supervisor } from './processes/supervisor.ts';

const ENTRY = fileURLToPath(import.meta.resolve('@touchstone/embedded/main'));
const readySchema = z.object({ type: z.literal('ready'), url: z.url() });

/**
 * Owner name in the leases of this process. No other process uses this name. So at the start, all leases with this name
 * are from earlier runs and are released.
 */
export const OWNER = 'one-machine';

/** Address and keys of the Supabase API of a database. */
export interface Database {
  readonly url: string;
  readonly secret: string;
  readonly publishable: string;
}

/**
 * Starts the embedded database in the data folder and waits until all migrations are applied. A restarted database has
 * the same URL.
 */
export async function startDatabase(folder: DataFolder, supervisor: Supervisor): Promise<Database> {
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
      const { url } = await waitForMessage(child, readySchema);
      ({ port } = new URL(url));
      return { url, ...folder.keys };
    },
  });
}

/**
 * Releases the leases of earlier runs of the service. This is the first request to the database, so it also detects a
 * wrong URL or key, and a Supabase project without the migrations of this release. The embedded database applies its
 * migrations itself.
 */
export async function releaseOldLeases(config: ServiceConfig, database: Database): Promise<void> {
  try {
    const db = connect({ url: database.url, key: database.secret });
    const problem = config.supabase === null ? null : await findSchemaProblem(db);
    if (problem !== null) throw new ConfigError(problem);
    await releaseAbandonedLeases({ db, owner: OWNER });
    await releaseDeliveries(db, { owner: OWNER });
  } catch (error) {
    if (!config.supabase || error instanceof ConfigError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(
      `SUPABASE_URL must be a Supabase project that accepts SUPABASE_SECRET_KEY; received ${config.supabase.url} (${reason})`,
    );
  }
}
