import { canonicalize } from '@touchstone/catalog';

/**
 * Returns the canonical URL of the requested endpoint. The payment is stored with this URL. If the purchase of a report
 * adds the endpoint to the catalog, the catalog finds the payment by this URL.
 */
export function toPaymentResource({ resource }: { readonly resource: string }): string {
  const canonical = canonicalize(resource);
  return canonical.ok ? canonical.resource : resource;
}
