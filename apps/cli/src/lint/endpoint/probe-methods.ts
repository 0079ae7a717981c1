import type { Probe, Prober } from '@touchstone/probe';

/** Statuses that concern only the method. */
const METHOD_STATUSES: ReadonlySet<number | null> = new Set([404, 405, 501]);
/** Statuses after which another method is tried: those, and the ones that a request without parameters can cause. */
const TRY_NEXT_STATUSES: ReadonlySet<number | null> = new Set([...METHOD_STATUSES, 400, 415, 422]);

/** Probes of an endpoint by one or two methods. */
export interface ProbedMethods {
  /** The more informative probe. */
  readonly selected: Probe;
  /** The probe with the other method; null when one method was tried. */
  readonly other: Probe | null;
}

/**
 * Probes an endpoint without paying: with GET, and then with POST when GET may be the wrong method.
 *
 * @param method the only method to try; undefined for both
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

/** Compares the probes when the first one did not show if its method is the right one. */
function isMoreInformative(second: Probe, first: Probe): boolean {
  // A response that is no error about the request is the one that clients get.
  if (second.httpStatus !== null && second.httpStatus < 500 && !TRY_NEXT_STATUSES.has(second.httpStatus))
    return true;
  // An understood but incomplete request is more informative than an unsupported method or a failure.
  if (first.outcome === 'client-error') return false;
  if (second.outcome === 'not-found') return false;
  return second.outcome !== 'method-mismatch' || first.outcome === 'not-found';
}
