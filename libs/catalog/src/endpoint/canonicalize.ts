import { canonicalizeUrl, removeQuery, type CanonicalUrl, type InvalidResource } from '@touchstone/common';
import { toEndpointId, toEndpointSlug } from './endpoint-id.ts';

/** Canonical URL of an endpoint, with its id and slug. */
export interface CanonicalResource extends CanonicalUrl {
  /** Endpoint id: ten base32 characters that are derived only from the canonical URL. */
  readonly id: string;
  /** Text that identifies the endpoint in page URLs: words of its host and path, then its id. */
  readonly slug: string;
}

export type CanonicalResult = CanonicalResource | InvalidResource;

/**
 * Canonicalizes the URL of an endpoint, as `canonicalizeUrl`, and derives its id and slug.
 *
 * @param url - A URL from a directory or a user.
 * @returns The canonical URL with its id and slug, or the reason why it cannot be an endpoint.
 */
export function canonicalize(url: string): CanonicalResult {
  const canonical = canonicalizeUrl(url);
  if (!canonical.ok) return canonical;
  const { resource, host } = canonical;
  const id = toEndpointId(resource);
  const path = removeQuery(resource).slice(resource.indexOf('/', 'https://'.length));
  return { ...canonical, id, slug: toEndpointSlug({ host, path, id }) };
}
