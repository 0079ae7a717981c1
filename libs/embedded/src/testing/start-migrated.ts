import { startEmbedded, type EmbeddedDatabase, type EmbeddedOptions } from '../start.ts';
import { migratedTemplate } from './migrated-template.ts';

export { migratedTemplate };

/** Starts a new embedded database in memory, with all migrations applied and no rows. It starts from a cached archive. */
export async function startNew(options: Pick<EmbeddedOptions, 'keys' | 'port'>): Promise<EmbeddedDatabase> {
  return startEmbedded({ ...options, template: await migratedTemplate() });
}

/**
 * Starts a database for a test, with all migrations applied and no rows: on the PostgreSQL server whose host and port
 * `TEST_POSTGRES` names, or else an embedded database in memory.
 */
export async function startMigrated(
  options: Pick<EmbeddedOptions, 'keys' | 'port'>,
): Promise<EmbeddedDatabase> {
  const server = process.env['TEST_POSTGRES'];
  if (server === undefined || server === '') return startNew(options);
  const { startOnPostgres } = await import('./postgres-databases.ts');
  return startOnPostgres(server, options);
}
