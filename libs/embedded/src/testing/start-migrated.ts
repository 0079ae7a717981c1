import { startEmbedded, type EmbeddedDatabase, type EmbeddedOptions } from '../start.ts';
import { migratedTemplate } from './migrated-template.ts';
import { startReused } from './reused-databases.ts';

/** Starts a new embedded database in memory, with all migrations applied and no rows. It starts from a cached archive. */
export async function startNew(options: Pick<EmbeddedOptions, 'keys' | 'port'>): Promise<EmbeddedDatabase> {
  return startEmbedded({ ...options, template: await migratedTemplate() });
}

/**
 * Starts an embedded database in memory for a test, with all migrations applied and no rows. If an earlier test of this
 * process has closed its database, that database is used again. If `TEST_POSTGRES` is the host and port of a PostgreSQL
 * server, the database is on that server instead (`npm run postgres`).
 */
export async function startMigrated(
  options: Pick<EmbeddedOptions, 'keys' | 'port'>,
): Promise<EmbeddedDatabase> {
  const server = process.env['TEST_POSTGRES'];
  if (server !== undefined && server !== '') {
    const { startOnPostgres } = await import('./postgres-databases.ts');
    return startOnPostgres(server, options);
  }
  return startReused(options);
}
