import type { EcosystemEventKind } from '@touchstone/contract';
import type { StoredScoringInput } from '@touchstone/store';
import type { Verdict } from '@touchstone/trust';

/** Stored data of an endpoint that decides about its alerts. */
export interface AlertSubject {
  readonly endpoint: Pick<StoredScoringInput['endpoint'], 'templated' | 'listingStatus'>;
  readonly state: Pick<StoredScoringInput['state'], 'downSince' | 'lastCountedAt'>;
  readonly sums: Pick<NonNullable<StoredScoringInput['sums']>, 'up'> | null;
}

/**
 * Returns the kinds of ecosystem events that apply to an endpoint now. An event is published when a kind applies that
 * did not apply at the previous score. Prices and wallets of a URL template differ from request to request, so they give
 * no alert.
 */
export function toAlerts(
  { endpoint, state, sums }: AlertSubject,
  { flags }: { readonly flags: readonly Pick<Verdict['flags'][number], 'slug'>[] },
): readonly EcosystemEventKind[] {
  const isFlagged = (slug: string): boolean =>
    !endpoint.templated && flags.some((flag) => flag.slug === slug);
  const alerts: EcosystemEventKind[] = [];
  if (isFlagged('payto-changed-recently')) alerts.push('takeover-suspected');
  if (isFlagged('price-spike')) alerts.push('price-spike');
  if (endpoint.listingStatus === 'delisted') alerts.push('delisted');
  if (isDown(state) && (sums?.up ?? 0) > 0) alerts.push('outage');
  return alerts;
}

/**
 * Returns true after the second consecutive miss, which is normally the recheck. `downSince` is the time of the first
 * miss, and a success would clear it. So every later probe that found the endpoint up or down was another miss.
 */
function isDown({ downSince, lastCountedAt }: AlertSubject['state']): boolean {
  return downSince !== null && lastCountedAt !== null && lastCountedAt > downSince;
}
