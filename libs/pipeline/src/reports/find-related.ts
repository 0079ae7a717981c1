import { canonicalize, type CanonicalResource } from '@touchstone/catalog';
import { isRelated, removeQuery } from '@touchstone/common';
import type { TrustReport } from '@touchstone/contract';
import { findClosestEndpoint, readSummarySource, type Db, type RelatedEndpoint } from '@touchstone/store';
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

interface CatalogContext {
  readonly db: Db;
  readonly baseUrl: string;
}

/** Placeholder in a spelling that is no URL template of the catalog: a path segment `[name]`, or `<name>` anywhere. */
const OTHER_PLACEHOLDER = /(?<=\/)\[{1,2}(?:\.{3})?[A-Za-z_]\w*\]{1,2}(?=[/?]|$)|%3C[A-Za-z_][\w.-]*%3E/;

/** Names the placeholder of a URL, which must not be probed; null without a placeholder. */
export function findPlaceholder({ resource, templated }: CanonicalResource): string | null {
  const placeholder = OTHER_PLACEHOLDER.exec(resource)?.[0];
  if (placeholder !== undefined) return `the placeholder ${decodeURI(placeholder)}`;
  return templated ? 'a placeholder' : null;
}

/**
 * Describes a URL that is not in the catalog, with the endpoint of the catalog that the buyer may mean.
 *
 * @param advice sentence on how to continue, for a URL that a report can add to the catalog
 */
export async function describeUnknown(context: CatalogContext, url: string, advice: string): Promise<string> {
  const unknown = 'This endpoint is not in the catalog.';
  const canonical = canonicalize(url);
  if (!canonical.ok) return unknown;
  const { id: endpointId, host, resource } = canonical;
  const place = { host, pathUrl: removeQuery(resource) };
  const query = { endpointId, place, network: null, payTo: null };
  const { related } = await readSummarySource(context.db, query);
  const catalog = await describeCatalog(context, canonical, findRelated(canonical, related));
  const addable = resource.startsWith('https:') ? advice : 'Only https URLs can be added.';
  const next = findPlaceholder(canonical) === null ? addable : 'Replace each placeholder with a value.';
  return `${unknown} ${next}${catalog}`;
}

/** Returns a canonical URL with the other scheme, `http` or `https`; null if that URL cannot be an endpoint. */
export function toOtherScheme({ resource }: CanonicalResource): CanonicalResource | null {
  const [scheme = '', ...rest] = resource.split(':');
  const other = canonicalize([scheme === 'https' ? 'http' : 'https', ...rest].join(':'));
  return other.ok ? other : null;
}

/**
 * Describes the endpoint of the catalog that the buyer of an unknown URL may mean: the endpoint with the other scheme, the
 * related endpoint, or the endpoint of the host with a similar URL. The text begins with a space, or is empty without
 * such an endpoint.
 */
export async function describeCatalog(
  { db, baseUrl }: CatalogContext,
  canonical: CanonicalResource,
  related: RelatedEndpoint | null,
): Promise<string> {
  const other = await findOtherScheme(db, canonical);
  if (other !== null) {
    const page = formatEndpointPage(other.slug, baseUrl);
    return ` The catalog contains ${toDisplayResource(other.resource)}, which differs only by its scheme (${page}). Request that URL.`;
  }
  const found = related ?? (await findClosestEndpoint(db, canonical));
  if (found === null) return '';
  const url = toDisplayResource(found.resource);
  const page = formatEndpointPage(found.slug, baseUrl);
  if (related === null) return ` The catalog contains ${url} of the same host (${page}).`;
  return related.templated
    ? ` The catalog contains the URL template ${url}, which matches this URL (${page}).`
    : ` The catalog contains ${url}, which differs only by its query (${page}).`;
}

async function findOtherScheme(db: Db, canonical: CanonicalResource): Promise<CanonicalResource | null> {
  const other = toOtherScheme(canonical);
  if (other === null) return null;
  const query = { endpointId: other.id, place: null, network: null, payTo: null };
  const { snapshot } = await readSummarySource(db, query);
  // Two URLs can have the same id.
  return snapshot?.resource === other.resource ? other : null;
}

function compareCandidates(one: RelatedEndpoint, other: RelatedEndpoint): number {
  if (one.source !== other.source) return one.source === 'directory' ? -1 : 1;
  if (one.confidence !== other.confidence) return other.confidence - one.confidence;
  if (one.score !== other.score) return other.score - one.score;
  return one.resource < other.resource ? -1 : 1;
}
