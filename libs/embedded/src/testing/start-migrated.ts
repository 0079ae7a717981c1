import { startEmbedded, type EmbeddedDatabase, type EmbeddedOptions } from '../start.ts';
import { migratedTemplate } from './migrated-template.ts';

/**
 * Starts an embedded database in memory for a test, with all migrations applied and no rows. It starts from a cached
 * archive, so it is ready sooner.
 */
export async function startMigrated(
  options: Pick<EmbeddedOptions, 'keys' | 'port'>,
): Promise<EmbeddedDatabase> {
  return startEmbedded({ ...options, template: await migratedTemplate() });
}
