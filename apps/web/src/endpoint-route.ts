import { endpointIdOf } from './slug.ts';

/** What to do with a request for an endpoint page before anything is rendered. */
export type EndpointRoute =
  | { readonly kind: 'serve' }
  | { readonly kind: 'redirect'; readonly slug: string }
  | { readonly kind: 'unknown' };

/**
 * Decides by slug alone, so that neither an unknown page nor a second name of a known one is ever rendered and kept.
 *
 * @param slug The slug of the request, unchecked.
 * @param canonicalSlug The one slug of an endpoint by its id, null when there is no such endpoint. When it fails, the
 * page is served: it may be kept from before, and if not, it says itself that it cannot be shown.
 */
export async function routeEndpoint(
  slug: string,
  canonicalSlug: (endpointId: string) => Promise<string | null>,
): Promise<EndpointRoute> {
  const endpointId = endpointIdOf(slug);
  if (endpointId === null) return { kind: 'unknown' };
  let canonical: string | null;
  try {
    canonical = await canonicalSlug(endpointId);
  } catch {
    return { kind: 'serve' };
  }
  if (canonical === null) return { kind: 'unknown' };
  return canonical === slug ? { kind: 'serve' } : { kind: 'redirect', slug: canonical };
}
