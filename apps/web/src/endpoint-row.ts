import type { Snapshot } from '@touchstone/store';
import type { EndpointRow } from '@touchstone/ui';

/** What lists show of a snapshot. */
export function endpointRow(snapshot: Snapshot): EndpointRow {
  const { slug, ...rest } = snapshot;
  return { ...rest, href: `/endpoint/${slug}` };
}
