import { startEmbedded, type EmbeddedDatabase, type EmbeddedOptions } from '../start.ts';
import { migratedTemplate } from './migrated-template.ts';

/**
 * Starts an embedded database in memory for a test, with all migrations applied and no rows. It starts from a cached
 * archive, so it is ready sooner. If `TEST_POSTGRES` is the host and port of a PostgreSQL server, the database is on that
 * server instead (`npm run postgres`).
 */
export async function startMigrated(
  options: Pick<EmbeddedOptions, 'keys' | 'port'>,
): Promise<EmbeddedDatabase> {
  const server = process.env['TEST_POSTGRES'];
  if (server !== undefined) {
    const { startOnPostgres } = await import('./postgres-databases.ts');
    return startOnPostgres(server, options);
  }
  return startEmbedded({ ...options, template: await migratedTemplate() });
}
