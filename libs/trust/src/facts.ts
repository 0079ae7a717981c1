import { ageMs, DAY_MS } from './time.ts';
import type { ChangeKind, ScoreInputs } from './types.ts';

/** Readings of the inputs that caps, flags and recommendations share, so that they can never disagree. */

/** True when an endpoint answers with data and has never asked to be paid. */
export function isFree({ everChallenged, answeredFree }: ScoreInputs): boolean {
  return !everChallenged && answeredFree;
}

/** True when the present outage has lasted a day. */
export function isDownForADay({ now, downSince }: ScoreInputs): boolean {
  return downSince !== null && ageMs(now, downSince) >= DAY_MS;
}

/** True when a challenge that a reference client could pay was seen within the last day. */
export function wasPayableToday({ now, lastPayableAt }: ScoreInputs): boolean {
  return lastPayableAt !== null && ageMs(now, lastPayableAt) <= DAY_MS;
}

/** Times of the changes of one kind within the last days, latest first; the price and payTo of a template may vary. */
export function changesWithin(
  { now, changes, templated }: ScoreInputs,
  kind: ChangeKind,
  days: number,
): number[] {
  if (templated && kind !== 'asset_network_change') return [];
  return changes
    .filter((change) => change.kind === kind && ageMs(now, change.at) <= days * DAY_MS)
    .map(({ at }) => at)
    .sort((one, other) => other - one);
}

/** Challenges of the window. */
export function challengeCount({ envelopes }: ScoreInputs): number {
  return envelopes.pass + envelopes.warnings + envelopes.errors + envelopes.unpayable;
}
