/** Tag of the pages that show the statistics of all endpoints. */
export const STATISTICS_TAG = 'ecosystem';

/** Tags of the pages that list several endpoints. */
const SHARED_TAGS: readonly string[] = ['leaderboard', 'events'];

/** Maximum length of a cache tag in characters. Next ignores longer tags. */
const MAX_TAG_LENGTH = 256;

/** Returns the cache tag of the page of a host. Very long hosts that differ only at their end share a tag. */
export function toProviderTag(host: string): string {
  return `provider:${host}`.slice(0, MAX_TAG_LENGTH);
}

/** Returns the cache tag of the pages that show the claim of a host: the page of the host and those of its endpoints. */
export function toClaimTag(host: string): string {
  return `claim:${host}`.slice(0, MAX_TAG_LENGTH);
}

/** Returns the cache tag of the page of an endpoint. */
export function toEndpointTag(endpointId: string): string {
  return `endpoint:${endpointId}`;
}

/** Endpoints whose visible content changed. */
export interface ChangedEndpoints {
  readonly endpointIds: readonly string[];
  /** Hosts whose provider page shows a change of one of the endpoints. */
  readonly hosts: readonly string[];
}

/**
 * Returns the cache tags of all pages that show one of the endpoints. The result is empty without an endpoint, because
 * each expired tag costs a render of its pages.
 */
export function toPageTags({ endpointIds, hosts }: ChangedEndpoints): readonly string[] {
  if (endpointIds.length === 0) return [];
  return [...SHARED_TAGS, ...new Set(hosts.map(toProviderTag)), ...endpointIds.map(toEndpointTag)];
}

/** Returns the URL of the free page of an endpoint. */
export function formatEndpointPage(slug: string, baseUrl: string): string {
  return new URL(`/endpoint/${slug}`, baseUrl).href;
}
