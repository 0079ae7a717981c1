import { canonicalize, parseSlugId, type CanonicalResource } from '@touchstone/catalog';
import type { EndpointSummary } from '@touchstone/contract';
import { readSummarySource, type Snapshot, type SummarySource } from '@touchstone/store';
import { toDisplayResource } from '@touchstone/trust';
import { toCaip2 } from '@touchstone/x402';
import { InvalidResourceError } from '../invalid-resource.ts';
import { findStrictestRelated, removeQuery } from '../reports/find-related.ts';
import type { SummaryContext, SummaryRequest } from './summary-context.ts';
import { toSummary } from './to-summary.ts';

/** Endpoint of a summary, with its relation to the requested URL. */
interface Found {
  readonly match: NonNullable<EndpointSummary['match']>;
  readonly snapshot: Snapshot;
  readonly payTo: SummarySource['payTo'];
}

/**
 * Creates the unsigned summary of one endpoint from its latest snapshot. It states only what the public page of the
 * endpoint says, and whether a given payTo address was observed. For a URL that is not in the catalog, the summary is of
 * the endpoint with the same URL apart from the query, or else of the URL template that the URL fills. Of several, it is
 * the endpoint with the strictest recommendation. Without such an endpoint, `endpoint` is null.
 *
 * @returns null if no public endpoint has the given `endpointId`
 * @throws InvalidResourceError when `resource` is not the URL of an endpoint
 * @throws StoreError when the database fails
 */
export async function createEndpointSummary(
  context: SummaryContext,
  request: SummaryRequest,
): Promise<EndpointSummary | null> {
  const { resource, endpointId } = request;
  if (resource !== null)
    return toSummary(context, { ...request, resource }, await findByUrl(context, request, resource));
  if (endpointId === null) throw new TypeError('A summary needs a resource or an endpointId.');
  const found = await findById(context, request, endpointId);
  if (found === null) return null;
  return toSummary(
    context,
    { ...request, resource: toDisplayResource(found.snapshot.resource) },
    { ...found, match: 'exact' },
  );
}

async function findByUrl(
  context: SummaryContext,
  request: SummaryRequest,
  url: string,
): Promise<Found | null> {
  const canonical = canonicalize(url);
  if (!canonical.ok) throw new InvalidResourceError(canonical.reason);
  const { snapshot, payTo, related } = await readSummarySource(context.db, {
    ...toWallet(request),
    endpointId: canonical.id,
    place: { host: canonical.host, pathUrl: removeQuery(canonical.resource) },
  });
  // Two URLs can have the same id.
  if (snapshot?.resource === canonical.resource) return { match: 'exact', snapshot, payTo };
  return readRelated(context, request, { canonical, related });
}

async function readRelated(
  context: SummaryContext,
  request: SummaryRequest,
  {
    canonical,
    related,
  }: { readonly canonical: CanonicalResource; readonly related: SummarySource['related'] },
): Promise<Found | null> {
  const best = findStrictestRelated(canonical, related);
  const id = best && parseSlugId(best.slug);
  if (best === null || id === null) return null;
  const found = await findById(context, request, id);
  return found && { ...found, match: best.templated ? 'template' : 'path' };
}

async function findById(
  { db }: SummaryContext,
  request: SummaryRequest,
  endpointId: string,
): Promise<Omit<Found, 'match'> | null> {
  const { snapshot, payTo } = await readSummarySource(db, { ...toWallet(request), endpointId, place: null });
  return snapshot && { snapshot, payTo };
}

/** Returns the requested wallet. Version 1 names of networks become CAIP-2 ids, in which payment options are stored. */
function toWallet({ payTo, network }: SummaryRequest): {
  readonly payTo: string | null;
  readonly network: string | null;
} {
  return { payTo, network: network && toCaip2(network) };
}
