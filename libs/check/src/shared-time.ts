import { MINUTE_MS } from '@touchstone/common';
import type { CheckFacts } from './create-check.ts';

/** Time for which a result is sent again if clients pay and no rule reports an error, in milliseconds. */
const GOOD_SHARED_MS = 10 * MINUTE_MS;
/** Time for which any other result is sent again, in milliseconds. The seller usually repairs the endpoint meanwhile. */
const OTHER_SHARED_MS = MINUTE_MS;

/** Returns the time from which a new check replaces a result, in milliseconds since the epoch. */
export function getSharedUntil({
  outcome,
  faults,
  checkedAt,
}: Pick<CheckFacts, 'outcome' | 'faults' | 'checkedAt'>): number {
  const isGood = outcome === 'pays' && !faults.some(({ severity }) => severity === 'error');
  return Date.parse(checkedAt) + (isGood ? GOOD_SHARED_MS : OTHER_SHARED_MS);
}
