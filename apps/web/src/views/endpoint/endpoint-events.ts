import { DAY_MS, formatDay, formatUsd } from '@touchstone/common';
import { ECOSYSTEM_EVENTS, type EcosystemEventKind } from '@touchstone/contract';
import type { EndpointDay, EventEntry, Snapshot } from '@touchstone/store';
import { RECENT_PAYTO_DAYS } from '@touchstone/trust';

type PricedDay = Pick<EndpointDay, 'day' | 'amountUsd'>;
type Subject = Pick<Snapshot, 'listingStatus' | 'failingSince'>;
type Avoided = Pick<Snapshot, 'recommendation' | 'errorFlags' | 'computedAt' | 'amountUsd' | 'delivery'>;

/** Sorts events by the time at which they happened, newest first. */
export function sortByTime(events: readonly EventEntry[]): readonly EventEntry[] {
  return events.toSorted((one, other) => other.at.localeCompare(one.at));
}

/**
 * Describes an event from the free figures of its endpoint: the prices of a price spike, or the end of a state. Returns
 * null without such a figure.
 *
 * @param days Days with probes, oldest first.
 */
export function describeEvent(
  event: EventEntry,
  subject: Subject,
  days: readonly PricedDay[],
): string | null {
  switch (event.kind) {
    case 'price-spike': {
      const rise = findRise(event, days);
      return rise === null ? null : `${formatUsd(rise.before)} to ${formatUsd(rise.after)}`;
    }
    case 'takeover-suspected':
    case 'paid-not-delivered':
    case 'delisted':
    case 'outage':
      return formatEnd(event.kind, subject);
  }
}

/** Says that the state of an event has ended; null while it lasts, and for an event without an end. */
export function formatEnd(
  kind: EcosystemEventKind,
  { listingStatus, failingSince }: Subject,
): 'listed again' | 'up again' | null {
  if (kind === 'delisted' && listingStatus === 'listed') return 'listed again';
  return kind === 'outage' && failingSince === null ? 'up again' : null;
}

/**
 * Describes the newest public event that alone leads to the recommendation to avoid an endpoint, such as
 * `Price spike, 2026-11-27: $0.02 to $0.40.` Returns null if there is no such event, or if its effect has ended. An
 * outage is left out, because the page states the current failure.
 */
export function describeDecisiveEvent(
  snapshot: Avoided,
  days: readonly PricedDay[],
  events: readonly EventEntry[],
): string | null {
  if (snapshot.recommendation !== 'avoid' || snapshot.errorFlags === 0) return null;
  for (const event of sortByTime(events)) {
    const effect = describeEffect(event, snapshot, days);
    if (effect !== null) return `${ECOSYSTEM_EVENTS[event.kind].label}, ${formatDay(event.at)}: ${effect}`;
  }
  return null;
}

/** Describes the effect of an event that still decides the recommendation. */
function describeEffect(event: EventEntry, snapshot: Avoided, days: readonly PricedDay[]): string | null {
  if (event.kind === 'takeover-suspected') {
    const ageMs = Date.parse(snapshot.computedAt) - Date.parse(event.at);
    return ageMs <= RECENT_PAYTO_DAYS * DAY_MS ? ECOSYSTEM_EVENTS[event.kind].predicate : null;
  }
  if (event.kind === 'paid-not-delivered') {
    return snapshot.delivery?.state === 'failed' ? ECOSYSTEM_EVENTS[event.kind].predicate : null;
  }
  const rise = event.kind === 'price-spike' ? findRise(event, days) : null;
  if (rise === null || Number(snapshot.amountUsd ?? 0) < Number(rise.after)) return null;
  return `${formatUsd(rise.before)} to ${formatUsd(rise.after)}.`;
}

/** Finds the last price before the day of an event, and the higher price of this day; null without both prices. */
function findRise({ at }: EventEntry, days: readonly PricedDay[]) {
  const day = formatDay(at);
  const before = days.findLast((each) => each.day < day && each.amountUsd !== null)?.amountUsd ?? null;
  const after = days.find((each) => each.day === day)?.amountUsd ?? null;
  return before === null || after === null || Number(after) <= Number(before) ? null : { before, after };
}
