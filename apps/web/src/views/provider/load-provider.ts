import { toProviderTag } from '@touchstone/pipeline';
import type { Provider, Snapshot } from '@touchstone/store';
import { unstable_cache } from 'next/cache';
import { cache } from 'react';
import { getPublicStore } from '../../platform/database/public-store.ts';
import { NO_PARAMS } from '../../interactive/explore/explore-params.ts';
import { PAGE_LIFETIME_S } from '../../serving/page-cache/page-lifetime.ts';

/** Number of endpoints on the page of a provider. */
const ENDPOINTS_ON_PAGE = 50;

/** Figures of a provider, and its endpoints with the best scores. */
export interface ProviderPage {
  readonly provider: Provider;
  /** At most 50 endpoints, best first. */
  readonly snapshots: readonly Snapshot[];
}

/**
 * Returns the data of a provider page; null if the catalog has no endpoint of the host. The result is cached under a tag
 * like the results in page-data.ts.
 */
export const loadProviderPage = cache((host: string): Promise<ProviderPage | null> =>
  unstable_cache(() => readProviderPage(host), ['provider', host], {
    tags: [toProviderTag(host)],
    revalidate: PAGE_LIFETIME_S,
  })(),
);

async function readProviderPage(host: string): Promise<ProviderPage | null> {
  const store = getPublicStore();
  const [provider, page] = await Promise.all([
    store.readProvider(host),
    store.explore({ ...NO_PARAMS, host, limit: ENDPOINTS_ON_PAGE }),
  ]);
  return provider === null ? null : { provider, snapshots: page.snapshots };
}
