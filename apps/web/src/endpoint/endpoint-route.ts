import { parseEndpointId } from './slug.ts';

/** Decision on a request for an endpoint page, made before rendering. */
export type EndpointRoute =
  | { readonly kind: 'serve' }
  | { readonly kind: 'redirect'; readonly slug: string }
  | { readonly kind: 'unknown' };

/**
 * Routes a request for an endpoint page by its slug, so that unknown slugs and other slugs of a known endpoint are
 * neither rendered nor cached.
 *
 * @param slug Untrusted slug of the request.
 * @param findCanonicalSlug Returns the canonical slug of an endpoint by its id; null for an unknown id. If it fails,
 * the page is served: it may be cached, and otherwise it shows an error itself.
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
