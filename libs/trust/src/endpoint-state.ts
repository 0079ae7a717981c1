import { clampShare } from './numbers/rounding.ts';
import { ageMs, DAY_MS } from './window.ts';
import type { ChangeKind, ScoreInputs } from './types.ts';

/** Readings of the inputs that caps, flags and recommendations share, so that they can never disagree. */

/** Days for which a new payTo is recent: long enough for its owner to notice one that was taken over. */
export const RECENT_PAYTO_DAYS = 7;

/** True when an endpoint answers with data and has never asked to be paid. */
export function isFree({ everChallenged, answeredFree }: ScoreInputs): boolean {
  return !everChallenged && answeredFree;
}

/**
 * Milliseconds from an event to the last probe; null where either is missing. Time in which nobody probed tells
 * nothing of an endpoint, so what must have lasted for a day is never measured up to the present.
 */
export function ageAtLastProbe({ lastProbedAt }: ScoreInputs, at: number | null): number | null {
  return lastProbedAt === null || at === null ? null : ageMs(lastProbedAt, at);
}

/** True when the present outage had lasted a day by the last probe. */
export function isDownForADay(inputs: ScoreInputs): boolean {
  const age = ageAtLastProbe(inputs, inputs.downSince);
  return age !== null && age >= DAY_MS;
}

/**
 * True when the day before the last probe was looked at, and held no challenge that a reference client could pay.
 * Where watching began anew after the last payable challenge, the time in between tells nothing: a whole day must
 * have been watched since.
 */
export function wasUnpayableForADay(inputs: ScoreInputs): boolean {
  const { lastProbedAt, lastPayableAt, watchedSince } = inputs;
  if (lastProbedAt === null) return false;
  if (lastPayableAt === null) return true;
  return ageMs(lastProbedAt, Math.max(lastPayableAt, watchedSince ?? lastPayableAt)) > DAY_MS;
}

/**
 * True when a reference client could pay it at the last probe, as far as that can be told: it is up, the latest challenge
 * was payable, and a payable one is no more than a day older than the probe. A payer is told so at once, without the day
 * that an error takes, and whatever was not watched in between.
 */
export function isPayableAtLastProbe(inputs: ScoreInputs): boolean {
  const age = ageAtLastProbe(inputs, inputs.lastPayableAt);
  return (
    inputs.downSince === null && inputs.latestCompliance !== 'unpayable' && age !== null && age <= DAY_MS
  );
}

/** True when the last probe that counts is more than a day old, so that the present state is not known. */
export function isOutOfSight({
  now,
  lastProbedAt,
}: Pick<ScoreInputs, 'now'> & { readonly lastProbedAt: number }): boolean {
  return ageMs(now, lastProbedAt) > DAY_MS;
}

/** True when it asked to be paid within the day before the last probe; one that is down asks for nothing. */
export function isCharging(inputs: ScoreInputs): boolean {
  const age = ageAtLastProbe(inputs, inputs.lastChallengedAt);
  return age !== null && age <= DAY_MS;
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

/**
 * What is known of its settlements. Where some of what it advertises could not be read, and the rest was paid by nobody,
 * that is nothing: all of its sales may be where nobody looked.
 */
export function knownSettlement({ settlement }: ScoreInputs): ScoreInputs['settlement'] {
  return settlement?.partial === true && settlement.payers30d <= 0 ? null : settlement;
}

/** Challenges of the window. */
export function challengeCount({ envelopes }: Pick<ScoreInputs, 'envelopes'>): number {
  return envelopes.pass + envelopes.warnings + envelopes.errors + envelopes.unpayable;
}

/** Share of scored probes that were up; null without any. */
export function uptimeShare({
  probes,
}: {
  probes: Pick<ScoreInputs['probes'], 'scored' | 'up'>;
}): number | null {
  return probes.scored > 0 ? clampShare(probes.up / probes.scored) : null;
}
