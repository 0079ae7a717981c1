import type { Probe, Prober } from '@touchstone/probe';

/** Statuses that speak of the method alone. */
const ABOUT_METHOD: ReadonlySet<number | null> = new Set([404, 405, 501]);
/** Another method may be the paid one: those, and the ones that a request without parameters can cause. */
const TRY_NEXT: ReadonlySet<number | null> = new Set([...ABOUT_METHOD, 400, 415, 422]);

/** What came of asking an endpoint. */
export interface Asked {
  /** The request that says most about the endpoint. */
  readonly told: Probe;
  /** The request by the other method, where both were tried. */
  readonly other: Probe | null;
}

/**
 * Asks without paying: by GET, and then by POST where GET may be the wrong method.
 *
 * @param method asks by this method only
 */
export async function ask(url: string, method: string | undefined, prober: Prober): Promise<Asked> {
  const first = await prober({ url, methods: [method ?? 'GET'] });
  if (method !== undefined || !TRY_NEXT.has(first.httpStatus)) return { told: first, other: null };
  const second = await prober({ url, methods: ['POST'] });
  return tellsMore(second, first) ? { told: second, other: first } : { told: first, other: second };
}

/** Does the second answer say more, where the first left open what its method is for? */
function tellsMore(second: Probe, first: Probe): boolean {
  // One that is no complaint about the request shows what visitors get.
  if (second.httpStatus !== null && second.httpStatus < 500 && !TRY_NEXT.has(second.httpStatus)) return true;
  // A request that was understood and found lacking says more than a method that is not taken, or fails.
  if (first.outcome === 'client-error') return false;
  if (second.outcome === 'not-found') return false;
  return second.outcome !== 'method-mismatch' || first.outcome === 'not-found';
}
