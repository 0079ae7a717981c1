import type { EcosystemEventKind } from '@touchstone/contract';
import type { StoredScoringInput } from '@touchstone/store';
import type { Verdict } from '@touchstone/trust';

/** Stored data of an endpoint that decides about its alerts. */
export interface AlertSubject {
  readonly endpoint: Pick<StoredScoringInput['endpoint'], 'templated' | 'listingStatus' | 'delistedAt'>;
  readonly state: Pick<StoredScoringInput['state'], 'downSince' | 'lastCountedAt'>;
  readonly sums: Pick<NonNullable<StoredScoringInput['sums']>, 'up'> | null;
}

/** Ecosystem event that applies to an endpoint. */
export interface Alert {
  readonly kind: EcosystemEventKind;
  /** Time since which it applies, ISO 8601; null if unknown. */
  readonly since: string | null;
}

/**
 * Returns the current alerts of an endpoint. An alert becomes an event if the previous score had no alert of the same
 * kind and time.
 *
 * - Takeover suspected: the flag stays for days. The time of the address change distinguishes a second takeover from the
 *   first. An endpoint with varying payTo addresses has no time, so its further changes are no new event.
 * - Price spike: the flag has no time. It ends with the high price.
 * - URL templates: price and payTo address depend on the request, so they cause no alert.
 */
export function toAlerts(
  { endpoint, state, sums }: AlertSubject,
  { flags }: { readonly flags: readonly Pick<Verdict['flags'][number], 'slug' | 'since'>[] },
): readonly Alert[] {
  const alerts: Alert[] = [];
  const isRotating = flags.some(({ slug }) => slug === 'payto-varies');
  const add = (kind: EcosystemEventKind, since: number | null): void => {
    alerts.push({ kind, since: since === null ? null : new Date(since).toISOString() });
  };
  const addFlagged = (kind: EcosystemEventKind, slug: string): void => {
    const flag = endpoint.templated ? undefined : flags.find((each) => each.slug === slug);
    if (flag !== undefined) add(kind, isRotating ? null : flag.since);
  };
  addFlagged('takeover-suspected', 'payto-changed-recently');
  addFlagged('price-spike', 'price-spike');
  if (endpoint.listingStatus === 'delisted') add('delisted', endpoint.delistedAt);
  if (isDown(state) && (sums?.up ?? 0) > 0) add('outage', state.downSince);
  return alerts;
}

/**
 * Returns true after the second consecutive miss, which is normally the recheck. `downSince` is the time of the first
 * miss, and a success would clear it. So every later probe that found the endpoint up or down was another miss.
 */
function isDown({ downSince, lastCountedAt }: AlertSubject['state']): boolean {
  return downSince !== null && lastCountedAt !== null && lastCountedAt > downSince;
}
