import { startEmbedded, type EmbeddedDatabase, type EmbeddedOptions } from '../start.ts';
import { migratedTemplate } from './migrated-template.ts';

/**
 * Starts an empty embedded database in memory for a test, as `startEmbedded` does, but from a kept archive instead of
 * from nothing. It has no migrations left to apply.
 */
export async function startMigrated(
  options: Pick<EmbeddedOptions, 'keys' | 'port'>,
): Promise<EmbeddedDatabase> {
  return startEmbedded({ ...options, template: await migratedTemplate() });
}
