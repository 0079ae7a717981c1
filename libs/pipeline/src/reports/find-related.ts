import { canonicalize, isFilledTemplate, type CanonicalResource } from '@touchstone/catalog';
import type { TrustReport } from '@touchstone/contract';
import { findClosestEndpoint, type Db, type RelatedEndpoint } from '@touchstone/store';
import { toDisplayResource } from '@touchstone/trust';
import { formatEndpointPage } from '../pages.ts';

/**
 * Returns the endpoint of the catalog that differs from a URL only by its query or by filled-in placeholders. Of
 * several such endpoints, returns the endpoint with the highest confidence, because this endpoint has the most data.
 * Endpoints that a directory listed precede adopted endpoints.
 *
 * @param candidates endpoints of the same host whose URL has the same path, and URL templates
 * @returns null if there is no such endpoint
 */
export function findRelated(
  { resource }: Pick<CanonicalResource, 'resource'>,
  candidates: readonly RelatedEndpoint[],
): RelatedEndpoint | null {
  const [best] = candidates.filter((candidate) => isRelated(candidate, resource)).sort(compareCandidates);
  return best ?? null;
}

/** Converts a related endpoint for a report; null without a related endpoint. */
export function toReportRelated(related: RelatedEndpoint | null, baseUrl: string): TrustReport['related'] {
  if (related === null) return null;
  const { resource, slug, score, grade, recommendation, confidence } = related;
  return {
    resource: toDisplayResource(resource),
    score,
    grade,
    recommendation,
    confidence,
    endpointPage: formatEndpointPage(slug, baseUrl),
  };
}

/**
 * Describes the endpoint of the same host whose URL is most similar to a URL that is not in the catalog. Returns an
 * empty text for an invalid URL.
 */
export async function describeClosest(
  { db, baseUrl }: { readonly db: Db; readonly baseUrl: string },
  url: string,
): Promise<string> {
  const canonical = canonicalize(url);
  if (!canonical.ok) return '';
  const closest = await findClosestEndpoint(db, canonical);
  if (closest === null) return `No directory lists an endpoint of ${canonical.host}.`;
  const page = formatEndpointPage(closest.slug, baseUrl);
  return `The most similar URL of this host in the catalog is ${toDisplayResource(closest.resource)} (${page}).`;
}

/** Returns a canonical URL without its query. */
export function removeQuery(resource: string): string {
  return resource.replace(/\?.*$/s, '');
}

/** Returns true if the candidate differs from a URL only by its query or by filled-in placeholders. */
export function isRelated(candidate: RelatedEndpoint, resource: string): boolean {
  if (candidate.resource === resource) return false;
  return candidate.templated
    ? isFilledTemplate(candidate.resource, resource)
    : removeQuery(candidate.resource) === removeQuery(resource);
}

function compareCandidates(one: RelatedEndpoint, other: RelatedEndpoint): number {
  if (one.source !== other.source) return one.source === 'directory' ? -1 : 1;
  if (one.confidence !== other.confidence) return other.confidence - one.confidence;
  if (one.score !== other.score) return other.score - one.score;
  return one.resource < other.resource ? -1 : 1;
}
