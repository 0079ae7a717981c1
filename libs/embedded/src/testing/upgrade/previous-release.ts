import { MIGRATIONS, readMigrations, type Migration } from '../../migrate.ts';
import { at } from '../sql-time.ts';
import { CATALOG, PROBES } from './previous-catalog.ts';
import { PAYMENTS } from './previous-payments.ts';
import { SCORES } from './previous-scores.ts';

/** Last migration of the release before the present one. */
const LAST_MIGRATION = '20261128000150';

/** Returns the migrations of the release before the present one. */
export const readPreviousMigrations = (): readonly Migration[] =>
  readMigrations(MIGRATIONS).filter(({ version }) => version <= LAST_MIGRATION);

/** SQL that claims a slot of the endpoint `held`. Its lease lasts until 3300 seconds. */
const HELD_LEASE = `select * from public.claim_due_endpoints('before', ${at(2400)}, 20, 900, 'held.example');`;

/**
 * SQL that stores rows in all tables of the previous release as its service did. The last time is 2400 seconds. The SQL
 * calls only functions of that release, so it must not use the helpers of tests of the present release.
 */
export const PREVIOUS_DATA = [CATALOG, PROBES, PAYMENTS, SCORES, HELD_LEASE];
