import type { Probe, Prober } from '@touchstone/probe';

/** Statuses that may mean only that the HTTP method is wrong. */
const METHOD_STATUSES: ReadonlySet<number | null> = new Set([404, 405, 501]);
/** Statuses after which another method is tried. A request without parameters can cause 400, 415 or 422. */
const TRY_NEXT_STATUSES: ReadonlySet<number | null> = new Set([...METHOD_STATUSES, 400, 415, 422]);

/** Probes of an endpoint with one or two HTTP methods. */
export interface ProbedMethods {
  /** Probe with the more informative response. */
  readonly selected: Probe;
  /** Probe with the other method; null when only one method was tried. */
  readonly other: Probe | null;
}

/**
 * Probes an endpoint without paying: with GET, and then with POST when GET may be the wrong method.
 *
 * @param method HTTP method to use; if undefined, GET is tried, and then POST
 */
export async function probeMethods(
  url: string,
  method: string | undefined,
  prober: Prober,
): Promise<ProbedMethods> {
  const first = await prober({ url, methods: [method ?? 'GET'] });
  if (method !== undefined || !TRY_NEXT_STATUSES.has(first.httpStatus))
    return { selected: first, other: null };
  const second = await prober({ url, methods: ['POST'] });
  return isMoreInformative(second, first)
    ? { selected: second, other: first }
    : { selected: first, other: second };
}

/** Compares two probes with different methods. The first probe has one of `TRY_NEXT_STATUSES`. */
function isMoreInformative(second: Probe, first: Probe): boolean {
  // The second response reports neither a wrong method nor a server error, so the endpoint expects POST.
  if (second.httpStatus !== null && second.httpStatus < 500 && !TRY_NEXT_STATUSES.has(second.httpStatus))
    return true;
  // A client error for GET means that GET is the right method but the request is incomplete. That is more informative
  // than the second response.
  if (first.outcome === 'client-error') return false;
  if (second.outcome === 'not-found') return false;
  return second.outcome !== 'method-mismatch' || first.outcome === 'not-found';
}
