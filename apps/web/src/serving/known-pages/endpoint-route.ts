import type { PageTarget } from '@touchstone/store';
import type { Limited, Lookup } from './page-guard.ts';
import { parseEndpointId } from './slug.ts';

/** Decision on a request for an endpoint page, made before the page is rendered. */
export type EndpointRoute =
  | { readonly kind: 'serve' }
  | { readonly kind: 'redirect'; readonly slug: string }
  | { readonly kind: 'removed' }
  | { readonly kind: 'unknown' }
  | Limited;

/** Finds the page of an endpoint by its id. */
export type LookUpTarget = (endpointId: string) => Promise<Lookup<NonNullable<PageTarget>>>;

/**
 * Decides how to respond to a request for an endpoint page. Only the canonical slug of an endpoint is served, so that
 * no page is rendered or cached for other slugs.
 *
 * @param slug Untrusted slug of the request.
 * @param lookUpTarget Finds the page of an endpoint. If this function fails, the decision is to serve the page, because
 * it may be cached. A page that is not cached then shows an error.
 */
export async function routeEndpointPage(slug: string, lookUpTarget: LookUpTarget): Promise<EndpointRoute> {
  const endpointId = parseEndpointId(slug);
  if (endpointId === null) return { kind: 'unknown' };
  const found = await lookUpTarget(endpointId).catch(() => null);
  if (found === null) return { kind: 'serve' };
  if (found.kind === 'limited') return found;
  if (found.kind !== 'found') return { kind: 'unknown' };
  const { value: target } = found;
  if (target === 'removed') return { kind: 'removed' };
  return target.slug === slug ? { kind: 'serve' } : { kind: 'redirect', slug: target.slug };
}
