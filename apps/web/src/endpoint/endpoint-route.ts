import { parseEndpointId } from './slug.ts';

/** Decision on a request for an endpoint page, made before the page is rendered. */
export type EndpointRoute =
  | { readonly kind: 'serve' }
  | { readonly kind: 'redirect'; readonly slug: string }
  | { readonly kind: 'unknown' };

/**
 * Decides how to respond to a request for an endpoint page. Only the canonical slug of an endpoint is served, so that
 * no page is rendered or cached for other slugs.
 *
 * @param slug Untrusted slug of the request.
 * @param findCanonicalSlug Returns the canonical slug of an endpoint by its id; null for an unknown id. If this
 * function fails, the decision is to serve the page, because it may be cached. A page that is not cached then shows an
 * error.
 */
export async function routeEndpointPage(
  slug: string,
  findCanonicalSlug: (endpointId: string) => Promise<string | null>,
): Promise<EndpointRoute> {
  const endpointId = parseEndpointId(slug);
  if (endpointId === null) return { kind: 'unknown' };
  let canonical: string | null;
  try {
    canonical = await findCanonicalSlug(endpointId);
  } catch {
    return { kind: 'serve' };
  }
  if (canonical === null) return { kind: 'unknown' };
  return canonical === slug ? { kind: 'serve' } : { kind: 'redirect', slug: canonical };
}
