import { canonicalize } from '@touchstone/catalog';

/** Returns the path of the page of an endpoint, given its URL. */
export function toEndpointPath(resource: string): string {
  const canonical = canonicalize(resource);
  if (!canonical.ok) throw new Error(canonical.reason);
  return `/endpoint/${canonical.slug}`;
}
