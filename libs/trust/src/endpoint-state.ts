import type { ChangeKind } from '@touchstone/contract';
import { DAY_MS } from '@touchstone/common';
import { clampShare } from './numbers/rounding.ts';
import type { ScoreInputs } from './types.ts';
import { computeAgeMs } from './window.ts';

/** Conditions that caps, flags and recommendations share, so that they always agree. */

/** Number of days for which a payTo change is recent. It gives the owner time to notice a takeover. */
export const RECENT_PAYTO_DAYS = 7;

/** Returns true if the endpoint returns data without payment and has never sent a challenge. */
export function isFree({ everChallenged, answeredFree }: ScoreInputs): boolean {
  return !everChallenged && answeredFree;
}

/**
 * Returns the milliseconds from an event to the last scored probe, or null if either is missing. The 24-hour rules
 * measure up to the last probe and not up to the present, because nothing is known of the time after it.
 */
export function computeAgeAtLastProbe({ lastProbedAt }: ScoreInputs, at: number | null): number | null {
  return lastProbedAt === null || at === null ? null : computeAgeMs(lastProbedAt, at);
}

/** Returns true if the current outage had lasted at least 24 hours at the last probe. */
export function isDownForOneDay(inputs: ScoreInputs): boolean {
  const age = computeAgeAtLastProbe(inputs, inputs.downSince);
  return age !== null && age >= DAY_MS;
}

/**
 * Returns true if the endpoint was monitored during the day before the last probe and sent no payable challenge in it.
 * If monitoring was interrupted after the last payable challenge, the 24 hours start when monitoring resumed.
 */
export function wasUnpayableForOneDay(inputs: ScoreInputs): boolean {
  const { lastProbedAt, lastPayableAt, watchedSince } = inputs;
  if (lastProbedAt === null) return false;
  if (lastPayableAt === null) return true;
  return computeAgeMs(lastProbedAt, Math.max(lastPayableAt, watchedSince ?? lastPayableAt)) > DAY_MS;
}

/**
 * Returns true if a reference client could pay at the last probe: the endpoint is up, the latest challenge is not
 * unpayable, and the last payable challenge is at most 24 hours older than the probe. Unlike the error flags, this
 * condition ignores gaps in monitoring.
 */
export function isPayableAtLastProbe(inputs: ScoreInputs): boolean {
  const age = computeAgeAtLastProbe(inputs, inputs.lastPayableAt);
  return (
    inputs.downSince === null && inputs.latestCompliance !== 'unpayable' && age !== null && age <= DAY_MS
  );
}

/** Returns true if the last scored probe is more than 24 hours old, so that the current state is unknown. */
export function isLastProbeStale({
  now,
  lastProbedAt,
}: Pick<ScoreInputs, 'now'> & { readonly lastProbedAt: number }): boolean {
  return computeAgeMs(now, lastProbedAt) > DAY_MS;
}

/** Returns true if a challenge was received within the 24 hours before the last probe. */
export function wasChallengedWithinOneDay(inputs: ScoreInputs): boolean {
  const age = computeAgeAtLastProbe(inputs, inputs.lastChallengedAt);
  return age !== null && age <= DAY_MS;
}

/**
 * Returns the times of the changes of one kind within the last days, latest first. Price and payTo changes of a template
 * are ignored.
 */
export function findRecentChanges(
  { now, changes, templated }: ScoreInputs,
  kind: ChangeKind,
  days: number,
): number[] {
  if (templated && kind !== 'asset_network_change') return [];
  return changes
    .filter((change) => change.kind === kind && computeAgeMs(now, change.at) <= days * DAY_MS)
    .map(({ at }) => at)
    .sort((one, other) => other - one);
}

/**
 * Returns the settlements if they are known. With an incomplete reading and no payer they are unknown: all sales may be
 * in the part that was not read.
 */
export function toKnownSettlement({ settlement }: ScoreInputs): ScoreInputs['settlement'] {
  return settlement?.partial === true && settlement.payers30d <= 0 ? null : settlement;
}

/** Returns the number of challenges in the window. */
export function countChallenges({ envelopes }: Pick<ScoreInputs, 'envelopes'>): number {
  return envelopes.pass + envelopes.warnings + envelopes.errors + envelopes.unpayable;
}

/** Returns the share of scored probes that were up, or null without a scored probe. */
export function computeUptimeShare({
  probes,
}: {
  probes: Pick<ScoreInputs['probes'], 'scored' | 'up'>;
}): number | null {
  return probes.scored > 0 ? clampShare(probes.up / probes.scored) : null;
}
