import type { PageTarget } from '@touchstone/store';
import type { FindPageTarget } from './page-target-cache.ts';
import { parseEndpointId } from './slug.ts';

/** Decision on a request for an endpoint page, made before the page is rendered. */
export type EndpointRoute =
  | { readonly kind: 'serve' }
  | { readonly kind: 'redirect'; readonly slug: string }
  | { readonly kind: 'removed' }
  | { readonly kind: 'unknown' };

/**
 * Decides how to respond to a request for an endpoint page. Only the canonical slug of an endpoint is served, so that
 * no page is rendered or cached for other slugs.
 *
 * @param slug Untrusted slug of the request.
 * @param findPageTarget Finds the page of an endpoint. If this function fails, the decision is to serve the page, because
 * it may be cached. A page that is not cached then shows an error.
 */
export async function routeEndpointPage(
  slug: string,
  findPageTarget: FindPageTarget,
): Promise<EndpointRoute> {
  const endpointId = parseEndpointId(slug);
  if (endpointId === null) return { kind: 'unknown' };
  let target: PageTarget;
  try {
    target = await findPageTarget(endpointId);
  } catch {
    return { kind: 'serve' };
  }
  if (target === null) return { kind: 'unknown' };
  if (target === 'removed') return { kind: 'removed' };
  return target.slug === slug ? { kind: 'serve' } : { kind: 'redirect', slug: target.slug };
}
