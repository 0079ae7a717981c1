import { startEmbedded, type EmbeddedDatabase, type EmbeddedOptions } from '../start.ts';
import { migratedTemplate } from './migrated-template.ts';

/**
 * Starts an empty, migrated embedded database in memory for a test. It starts from a cached archive, so no migration has
 * to be applied.
 */
export async function startMigrated(
  options: Pick<EmbeddedOptions, 'keys' | 'port'>,
): Promise<EmbeddedDatabase> {
  return startEmbedded({ ...options, template: await migratedTemplate() });
}
