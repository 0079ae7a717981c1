import { formatCount, formatPercent } from '@touchstone/common';
import { toProviderTag } from '@touchstone/pipeline';
import { type ListedSnapshot, type Provider, isProviderIndexable } from '@touchstone/store';
import { cache } from 'react';
import { getPublicStore } from '../../platform/database/databases.ts';
import { NO_PARAMS } from '../../interactive/explore/explore-params.ts';
import { readThroughCache } from '../../serving/page-cache/page-data.ts';
import type { Metadata } from 'next';
import { createPageMetadata } from '../../page-parts/create-page-metadata.ts';
import type { Collection } from '../../page-parts/json-ld.tsx';
import { listFeeds } from '../events/event-params.ts';
import { toProviderPath } from '../../serving/known-pages/page-paths.ts';

/** Number of endpoints on the page of a provider. */
const ENDPOINTS_ON_PAGE = 50;

/** Figures of a provider, and its endpoints with the best scores. */
export interface ProviderPage {
  readonly provider: Provider;
  /** At most 50 endpoints, best first. */
  readonly snapshots: readonly ListedSnapshot[];
}

/** Returns the data of a provider page; null if the catalog has no endpoint of the host. */
export const loadProviderPage = cache((host: string) =>
  readThroughCache(['provider', host], toProviderTag(host), () => readProviderPage(host)),
);

async function readProviderPage(host: string): Promise<ProviderPage | null> {
  const store = getPublicStore();
  const [provider, page] = await Promise.all([
    store.readProvider(host),
    store.explore({ ...NO_PARAMS, host, status: null, limit: ENDPOINTS_ON_PAGE }),
  ]);
  return provider === null ? null : { provider, snapshots: page.snapshots };
}

/**
 * Creates the metadata of a provider page. Search engines may list the page if they may list at least two endpoints of
 * the provider.
 */
export function createProviderMetadata(provider: Provider): Metadata {
  return createPageMetadata({
    title: formatTitle(provider),
    description: formatDescription(provider),
    path: toProviderPath(provider.host),
    indexed: isProviderIndexable(provider),
    formats: listFeeds({ host: provider.host }),
  });
}

/** Creates the description of a provider page for JSON-LD. */
export function createProviderJsonLd({ provider, snapshots }: ProviderPage): Collection {
  const { host } = provider;
  return {
    name: formatTitle(provider),
    description: formatDescription(provider),
    breadcrumbs: [
      { name: 'Explore', path: '/explore' },
      { name: host, path: toProviderPath(host) },
    ],
    snapshots,
  };
}

function formatTitle({ host }: Provider): string {
  return `${host}: x402 endpoints and trust scores`;
}

function formatDescription({ host, endpoints, uptime30d }: Provider): string {
  const uptime = uptime30d === null ? '' : ` with ${formatPercent(uptime30d / 100)} uptime in 30 days`;
  return `${formatCount(endpoints, 'x402 endpoint')} of ${host}${uptime}: grades, recommendations, prices and networks, measured by Touchstone.`;
}
