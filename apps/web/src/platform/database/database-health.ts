import { findSchemaProblem, isWritable } from '@touchstone/store';
import { logError } from '../request-log.ts';
import { shareResult } from '../process-value.ts';
import { getSecretDatabase } from './databases.ts';

/** Maximum age of a reused result, in milliseconds. The reuse protects the database from frequent health checks. */
const MAX_AGE_MS = 1_000;

/** Problem without its cause, because the route is public and the cause may name internal hosts. */
const UNREADABLE =
  'The migrations of the database cannot be read. The log of the site names the cause. Cached pages are still served.';

/**
 * Resolves to null when the database responds and has all migrations of this release, otherwise to the problem.
 * Concurrent and repeated calls share one query.
 */
export function getDatabaseProblem(): Promise<string | null> {
  return shareResult('database-health', MAX_AGE_MS, checkDatabase);
}

/**
 * Resolves to false while the database accepts no writes, or does not respond. Concurrent and repeated calls share one
 * query.
 */
export function isDatabaseWritable(): Promise<boolean> {
  return shareResult('database-writable', MAX_AGE_MS, async () => {
    try {
      return await isWritable(getSecretDatabase());
    } catch (error) {
      logError({ failed: 'check for /api/health whether the database accepts writes' }, error);
      return false;
    }
  });
}

async function checkDatabase(): Promise<string | null> {
  try {
    return await findSchemaProblem(getSecretDatabase());
  } catch (error) {
    logError({ failed: 'check the database for /api/health' }, error);
    return UNREADABLE;
  }
}
