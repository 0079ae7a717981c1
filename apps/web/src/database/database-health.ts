import { findSchemaProblem } from '@touchstone/store';
import { getProcessValue } from '../process-value.ts';
import { getSecretDatabase } from './secret-database.ts';

/** Time for which a result is used again, in milliseconds, so that health checks cannot load the database. */
const MAX_AGE_MS = 1_000;

const UNREACHABLE = 'The database does not respond. Cached pages are still served.';

interface LastCheck {
  value: { readonly at: number; readonly problem: Promise<string | null> } | null;
}

/**
 * Resolves to null when the database responds and has all migrations of this release, otherwise to the problem.
 * Concurrent and repeated calls share one query.
 */
export function getDatabaseProblem(): Promise<string | null> {
  const last = getProcessValue<LastCheck>('database-health', () => ({ value: null }));
  const at = performance.now();
  if (last.value === null || at - last.value.at > MAX_AGE_MS) {
    last.value = { at, problem: findSchemaProblem(getSecretDatabase()).catch(() => UNREACHABLE) };
  }
  return last.value.problem;
}
