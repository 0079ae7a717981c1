import type { Snapshot } from '@touchstone/store';
import type { EndpointRow } from '@touchstone/ui';

/** Converts a snapshot to a row of an endpoint list. */
export function toEndpointRow(snapshot: Snapshot): EndpointRow {
  const { slug, ...rest } = snapshot;
  return { ...rest, href: `/endpoint/${slug}` };
}
