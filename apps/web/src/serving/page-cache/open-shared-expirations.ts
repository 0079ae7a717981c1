import { readPageExpirations, recordPageExpirations } from '@touchstone/store';
import { createSharedExpirations, type SharedExpirations } from './shared-expirations.ts';
import { getSecretDatabase } from '../../platform/database/secret-database.ts';

/**
 * Creates the exchange of expirations through the database of the site. The database is opened at its first use, because
 * the build has no database.
 */
export function openSharedExpirations(expire: (tags: readonly string[] | null) => void): SharedExpirations {
  return createSharedExpirations({
    record: async (tags) => recordPageExpirations(getSecretDatabase(), tags),
    read: async (after) => readPageExpirations(getSecretDatabase(), after),
    expire,
  });
}
