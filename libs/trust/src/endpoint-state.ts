import type { ChangeKind, ProbeCounts } from '@touchstone/contract';
import { DAY_MS, formatTimestampOrNull } from '@touchstone/common';
import { clampShare } from './numbers.ts';
import type { ScoreInputs, TermsChange } from './types.ts';

/**
 * Length of the scoring window in days. Probes, challenges and changes in this window count. The cost of a change falls
 * to zero over the same period.
 */
export const WINDOW_DAYS = 30;

/** Returns the age of an event in milliseconds. A wrong clock can cause an event after `now`, whose age is 0. */
export function computeAgeMs(now: number, at: number): number {
  return Math.max(0, now - at);
}

/** Conditions shared by caps, flags and recommendations, so that all three always agree. */

/** Number of days for which a payTo change counts as recent, so that the owner has time to notice a takeover. */
export const RECENT_PAYTO_DAYS = 7;
/** Number of days for which a change of network or asset counts as recent. */
export const RECENT_NETWORK_DAYS = 14;

/**
 * Minimum number of unpayable challenges in the last 24 hours. From this number on, an unpayable latest challenge
 * counts as repeated.
 */
export const MIN_UNPAYABLE = 2;

/**
 * Maximum count of endpoints with the same payTo address. The count stops at this number, because counting more
 * endpoints costs too much.
 */
export const MAX_SHARERS_COUNTED = 1_000;

/** Returns true if the endpoint returns data without payment and has never sent a challenge. */
export function isFree({ everChallenged, answeredFree }: ScoreInputs): boolean {
  return !everChallenged && answeredFree;
}

/**
 * Returns the milliseconds from an event to the last scored probe, or null if the event or the last scored probe is
 * unknown. Rules with a 24-hour limit use this duration, because the time after the last probe was not observed.
 */
export function computeAgeAtLastProbe({ lastScoredAt }: ScoreInputs, at: number | null): number | null {
  return lastScoredAt === null || at === null ? null : computeAgeMs(lastScoredAt, at);
}

/** Returns true if the endpoint had been down for at least 24 hours at the last probe. */
export function isDownForOneDay(inputs: ScoreInputs): boolean {
  const age = computeAgeAtLastProbe(inputs, inputs.downSince);
  return age !== null && age >= DAY_MS;
}

/**
 * Returns true if the endpoint sent no payable challenge in the 24 hours before the last probe. A gap in monitoring
 * after the last payable challenge is not counted: the 24 hours start at the end of the gap.
 */
export function wasUnpayableForOneDay(inputs: ScoreInputs): boolean {
  const { lastScoredAt, lastPayableAt, watchedSince } = inputs;
  if (lastScoredAt === null) return false;
  if (lastPayableAt === null) return true;
  return computeAgeMs(lastScoredAt, Math.max(lastPayableAt, watchedSince ?? lastPayableAt)) > DAY_MS;
}

/**
 * Returns the start of the current series of failed probes that could not be scored, such as blocked probes. A gap in
 * monitoring restarts the series. Returns null if the latest result of a probe was scored.
 */
export function findUnscoredSince({ lastFailure, lastScoredAt, watchedSince }: ScoreInputs): number | null {
  if (lastFailure === null || lastFailure.at <= (lastScoredAt ?? -Infinity)) return null;
  return Math.max(lastFailure.since, lastScoredAt ?? -Infinity, watchedSince ?? -Infinity);
}

/** Returns true if no probe could be scored in the 24 hours before the latest failed probe. */
export function wasUnscoredForOneDay(inputs: ScoreInputs): boolean {
  const since = findUnscoredSince(inputs);
  return since !== null && computeAgeMs(inputs.lastFailure?.at ?? since, since) >= DAY_MS;
}

/** Causes of a blocked probe: the HTTP statuses by which a server refuses a client. */
const BLOCKED_CAUSES = /^http-(401|403|407|429|451)$/;

/** Returns the cause of blocked probes, if the latest failed probe was blocked. */
export function findBlockedCause({ lastFailure }: ScoreInputs): ScoreInputs['lastFailure'] {
  return lastFailure !== null && BLOCKED_CAUSES.test(lastFailure.error) ? lastFailure : null;
}

/** Returns the time since which no probe was scored; null if the latest failed probe was scored or not blocked. */
export function findBlockedSince(inputs: ScoreInputs): number | null {
  return findBlockedCause(inputs) === null ? null : findUnscoredSince(inputs);
}

/** Returns the numbers of probes of the last 30 days, as in a report. */
export function toProbeCounts(inputs: ScoreInputs): ProbeCounts {
  const { total, scored, blocked } = inputs.probes;
  const blockedSince = formatTimestampOrNull(findBlockedSince(inputs));
  return { probes30d: total, scoredProbes30d: scored, blocked30d: blocked, blockedSince };
}

/**
 * Returns true if the endpoint could be paid at the last probe. The endpoint must be up, its latest
 * challenge must not be unpayable, and the last payable challenge must be at most 24 hours older than the last probe.
 * Unlike the flag `not-payable`, this condition makes no exception for gaps in monitoring.
 */
export function isPayableAtLastProbe(inputs: ScoreInputs): boolean {
  const age = computeAgeAtLastProbe(inputs, inputs.lastPayableAt);
  return (
    inputs.downSince === null && inputs.latestCompliance !== 'unpayable' && age !== null && age <= DAY_MS
  );
}

/**
 * Returns true if the last scored probe is more than 24 hours old, so that the current state of the endpoint is
 * unknown.
 */
export function isLastProbeStale({ now, lastScoredAt }: ScoreInputs): boolean {
  return lastScoredAt !== null && computeAgeMs(now, lastScoredAt) > DAY_MS;
}

/** Returns true if a reference client would pay the latest challenge, and the payment would settle. */
export function isLatestChallengePayable({ latestCompliance }: ScoreInputs): boolean {
  return latestCompliance !== null && latestCompliance !== 'unpayable';
}

/** Returns true if a challenge was received within the 24 hours before the last probe. */
export function wasChallengedWithinOneDay(inputs: ScoreInputs): boolean {
  const age = computeAgeAtLastProbe(inputs, inputs.lastChallengedAt);
  return age !== null && age <= DAY_MS;
}

/**
 * Returns all changes of one kind, such as price changes, in the last `days` days. The latest is first.
 * Price and payTo changes of a URL template are ignored, because both may vary from item to item.
 */
export function findRecentChanges(
  { now, changes, templated }: ScoreInputs,
  kind: ChangeKind,
  days: number,
): TermsChange[] {
  if (templated && kind !== 'asset_network_change') return [];
  return changes
    .filter((change) => change.kind === kind && computeAgeMs(now, change.at) <= days * DAY_MS)
    .sort((one, other) => other.at - one.at);
}

/** Returns the number of changes of one kind, such as price changes, in the last 30 days. */
export function countChanges({ changes }: Pick<ScoreInputs, 'changes'>, kind: ChangeKind): number {
  return changes.filter((change) => change.kind === kind).length;
}

/**
 * Returns true if the payTo varies by design: it varied, and has not stayed the same for a day since.
 *
 * @param variation payTo changes while the payTo varied; null if it did not vary in the last 30 days
 * @param termsAt time of the latest payment terms, in milliseconds since the epoch; null if unknown
 */
export function isPayToVarying(
  variation: Pick<NonNullable<ScoreInputs['payToVariation']>, 'lastChangedAt'> | null,
  termsAt: number | null,
): boolean {
  return variation !== null && (termsAt === null || termsAt - variation.lastChangedAt < DAY_MS);
}

/**
 * Returns the settlements; null if the chains were read only partly and no payment was found, because all payments may
 * be in the unread part.
 */
export function toKnownSettlement({ settlement }: ScoreInputs): ScoreInputs['settlement'] {
  const { partial, payers30d = 0, returnedUsd30d = 0 } = settlement ?? {};
  return partial === true && payers30d <= 0 && returnedUsd30d <= 0 ? null : settlement;
}

/** Returns the sum of challenges over all compliance results. */
export function countChallenges(envelopes: ScoreInputs['envelopes']): number {
  return envelopes.pass + envelopes.warnings + envelopes.errors + envelopes.unpayable;
}

/**
 * Returns true if more than half of the challenges of the last 24 hours could not be paid, or if the latest challenge
 * and at least two challenges of this period could not be paid.
 */
export function isOftenUnpayable({
  last24h,
  latestCompliance,
}: Pick<ScoreInputs, 'last24h' | 'latestCompliance'>): boolean {
  const { unpayable } = last24h.envelopes;
  return (
    unpayable * 2 > countChallenges(last24h.envelopes) ||
    (latestCompliance === 'unpayable' && unpayable >= MIN_UNPAYABLE)
  );
}

/** Returns the share of scored probes that succeeded, or null if no probe was scored. */
export function computeUptimeShare({ scored, up }: ScoreInputs['last7d']): number | null {
  return scored > 0 ? clampShare(up / scored) : null;
}
