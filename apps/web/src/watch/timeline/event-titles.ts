import type { WatchEvent } from '@touchstone/contract';

/** Titles of the events, for people. */
export const EVENT_TITLES: Readonly<Record<WatchEvent['type'], string>> = {
  payto_change: 'Payment address changed',
  price_change: 'Price changed',
  asset_network_change: 'Token or network changed',
  spec_regression: 'Challenge became less compliant',
  delisting: 'No longer listed',
  liveness_down: 'Outage',
  liveness_recovered: 'Outage ended',
  created: 'Watch created',
  edited: 'Settings changed',
  renewed: 'Watch renewed',
  cancelled: 'Watch cancelled',
  expiring: 'Watch ends soon',
  expired: 'Watch ended',
  delivery_disabled: 'Delivery disabled',
};
