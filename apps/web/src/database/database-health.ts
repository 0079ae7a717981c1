import { checkConnection } from '@touchstone/store';
import { getSecretDatabase } from './secret-database.ts';

/** Time for which a result is used again, in milliseconds, so that health checks cannot load the database. */
const MAX_AGE_MS = 1_000;

let lastCheck: { readonly at: number; readonly isReachable: Promise<boolean> } | null = null;

/** Resolves to true when the database responds. Concurrent and repeated calls share one query. */
export function isDatabaseReachable(): Promise<boolean> {
  const now = performance.now();
  if (lastCheck === null || now - lastCheck.at > MAX_AGE_MS) {
    const isReachable = checkConnection(getSecretDatabase()).then(
      () => true,
      () => false,
    );
    lastCheck = { at: now, isReachable };
  }
  return lastCheck.isReachable;
}
