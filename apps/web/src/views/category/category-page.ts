import { formatCount, formatUsdRange } from '@touchstone/common';
import type { Category, ListedSnapshot } from '@touchstone/store';
import type { Metadata } from 'next';
import { cache } from 'react';
import { NO_PARAMS } from '../../interactive/explore/explore-params.ts';
import { createPageMetadata } from '../../page-parts/create-page-metadata.ts';
import type { Collection } from '../../page-parts/json-ld.tsx';
import { getPublicStore } from '../../platform/database/databases.ts';
import { findCategory, toCategoryPath } from '../../serving/known-pages/known-categories.ts';
import { readThroughCache } from '../../serving/page-cache/page-data.ts';

/** Number of endpoints on the page of a category. */
const ENDPOINTS_ON_PAGE = 50;

/** Category with at most 50 of its endpoints, best first. */
export interface CategoryPage extends Category {
  readonly snapshots: readonly ListedSnapshot[];
}

/**
 * Returns the data of a category page; null if no category has the name. The figures of the category are stored with the
 * statistics, some seconds after the scores of its endpoints.
 */
export const loadCategoryPage = cache((name: string) =>
  readThroughCache(['category', name], ['leaderboard', 'ecosystem'], () => readCategoryPage(name)),
);

/** Filters of the explore page that find the endpoints of a category. */
export function toCategoryFilters({ tag }: Pick<Category, 'tag'>) {
  return { ...NO_PARAMS, tag };
}

async function readCategoryPage(name: string): Promise<CategoryPage | null> {
  const store = getPublicStore();
  // The categories in memory can be older than the expiration that caused this read.
  const category = await findCategory(name, () => store.readCategories());
  if (category === null) return null;
  const query = { ...toCategoryFilters(category), limit: ENDPOINTS_ON_PAGE };
  const { snapshots } = await store.explore(query);
  return { ...category, snapshots };
}

/** Words of tags that are written in capital letters. */
const ACRONYMS: ReadonlySet<string> = new Set(
  'ai,api,apis,csv,dex,dns,evm,fx,gpt,ip,json,kyc,llm,llms,mcp,ml,nft,nfts,nlp,ocr,osint,pdf,rag,rpc,rss,rwa,sec,seo,sms,sql,tts,url,usdc,vpn'.split(
    ',',
  ),
);

/** Returns the name of a category: its tag with a capital letter, or in capital letters. */
export function toCategoryName({ tag }: Pick<Category, 'tag'>): string {
  const name = tag.replaceAll(/[a-z0-9]+/g, (word) => (ACRONYMS.has(word) ? word.toUpperCase() : word));
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Returns the title of a category page, such as "Weather APIs that accept x402". */
export function formatCategoryTitle(category: Pick<Category, 'tag'>): string {
  return `${toCategoryName(category)} APIs that accept x402`;
}

/** Formats the prices of a category, such as "$0.001 to $0.25 per call"; empty without a price. */
export function formatPrices({
  lowestPriceUsd,
  highestPriceUsd,
}: Pick<CategoryPage, 'lowestPriceUsd' | 'highestPriceUsd'>): string {
  const range = formatUsdRange(lowestPriceUsd, highestPriceUsd);
  return range === null ? '' : `${range} per call`;
}

/** Creates the metadata of a category page. */
export function createCategoryMetadata(category: CategoryPage): Metadata {
  return createPageMetadata({
    title: formatCategoryTitle(category),
    description: formatDescription(category),
    path: toCategoryPath(category.tag),
    indexed: true,
  });
}

/** Creates the description of a category page for JSON-LD. */
export function createCategoryCollection(category: CategoryPage): Collection {
  return {
    name: formatCategoryTitle(category),
    description: formatDescription(category),
    breadcrumbs: [
      { name: 'Explore', path: '/explore' },
      { name: toCategoryName(category), path: toCategoryPath(category.tag) },
    ],
    snapshots: category.snapshots,
  };
}

function formatDescription(category: CategoryPage): string {
  const prices = formatPrices(category);
  return `${formatCount(category.endpoints, 'x402 endpoint')} of ${formatCount(category.hosts, 'host')} with the tag ${category.tag}${prices === '' ? '' : `, ${prices}`}: grades, recommendations and uptime, measured by Touchstone.`;
}
