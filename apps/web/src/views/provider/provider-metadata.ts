import { isProviderIndexable, type Provider } from '@touchstone/store';
import { formatCount, formatPercent } from '@touchstone/ui';
import type { Metadata } from 'next';
import { createPageMetadata } from '../../page-parts/create-page-metadata.ts';
import type { Collection } from '../../page-parts/json-ld.tsx';
import { toProviderPath } from '../../serving/known-pages/host-path.ts';
import type { ProviderPage } from './load-provider.ts';

/** Creates the metadata of a provider page. Search engines may list it if they may list at least two of its endpoints. */
export function createProviderMetadata(provider: Provider): Metadata {
  return createPageMetadata({
    title: formatTitle(provider),
    description: formatDescription(provider),
    path: toProviderPath(provider.host),
    indexed: isProviderIndexable(provider),
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
  const count = endpoints === 1 ? '1 x402 endpoint' : `${formatCount(endpoints)} x402 endpoints`;
  const uptime = uptime30d === null ? '' : ` with ${formatPercent(uptime30d)} uptime in 30 days`;
  return `${count} of ${host}${uptime}: grades, recommendations, prices and networks, measured by Touchstone.`;
}
