import type { Snapshot } from '@touchstone/store';
import { toPlainText, toWebLink } from '@touchstone/ui';
import type { BreadcrumbList, Graph, SearchAction, WithActionConstraints } from 'schema-dts';
import { toProviderPath, formatPath } from '../serving/known-pages/page-paths.ts';
import { SITE_NAME } from './create-page-metadata.ts';

/**
 * Serializes a value as JSON that is safe inside a script element. Each `<` is escaped, so untrusted text cannot close
 * the element or open a comment. See the HTML standard, section 4.12.1.3.
 */
export function toScriptSafeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/** Structured data of a page for search engines, in the vocabulary of schema.org. */
export function JsonLd({ data }: { readonly data: Graph }) {
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: toScriptSafeJson(data) }} />;
}

/**
 * Creates the JSON-LD of the home page: the site and its search.
 *
 * @param origin Public origin of the site, without a path.
 */
export function createSiteJsonLd(origin: string): Graph {
  const search: WithActionConstraints<SearchAction> = {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${origin}/explore?q={query}` },
    'query-input': 'required name=query',
  };
  return createGraph([
    {
      '@type': 'WebSite',
      '@id': `${origin}/#site`,
      url: `${origin}/`,
      name: SITE_NAME,
      inLanguage: 'en',
      potentialAction: search,
    },
  ]);
}

/** Data that a page publishes for people and programs. */
interface PublishedDataset {
  readonly name: string;
  readonly description: string;
  /** Path of the page. The JSON format has the same path. */
  readonly path: string;
  /** Name of the page in the breadcrumbs. */
  readonly pageName: string;
  /** Time of the newest figure in ISO 8601; null without figures. */
  readonly modifiedAt: string | null;
  /** First and last UTC day with figures, as YYYY-MM-DD; null without figures over time. */
  readonly days: { readonly first: string; readonly last: string } | null;
}

/**
 * Creates the JSON-LD of a page with statistics: a `Dataset` that can be downloaded as JSON, and breadcrumbs.
 *
 * @param origin Public origin of the site, without a path.
 */
export function createDatasetJsonLd(dataset: PublishedDataset, origin: string): Graph {
  const { name, description, path, pageName, modifiedAt, days } = dataset;
  const page = `${origin}${path}`;
  return createGraph([
    {
      '@type': 'Dataset',
      '@id': `${page}#dataset`,
      url: page,
      name,
      description,
      isAccessibleForFree: true,
      creator: { '@type': 'Organization', name: SITE_NAME, url: `${origin}/` },
      ...(modifiedAt === null ? {} : { dateModified: modifiedAt }),
      ...(days === null ? {} : { temporalCoverage: `${days.first}/${days.last}` }),
      distribution: {
        '@type': 'DataDownload',
        encodingFormat: 'application/json',
        contentUrl: `${page}.json`,
      },
    },
    {
      '@type': 'WebPage',
      '@id': page,
      url: page,
      about: { '@id': `${page}#dataset` },
      breadcrumb: createBreadcrumbs(origin, [{ name: pageName, path }]),
    },
  ]);
}

/** Page that lists endpoints, for example the leaderboard or the page of a provider. */
export interface Collection {
  readonly name: string;
  readonly description: string;
  /** Breadcrumbs of the page without the home page. The last breadcrumb is the page itself. */
  readonly breadcrumbs: readonly [...Breadcrumb[], Breadcrumb];
  /** Endpoints in the order of the page. */
  readonly snapshots: readonly Pick<Snapshot, 'slug' | 'resource'>[];
}

/**
 * Creates the JSON-LD of a page that lists endpoints: a `CollectionPage` with the list and breadcrumbs.
 *
 * @param origin Public origin of the site, without a path.
 */
export function createCollectionJsonLd(collection: Collection, origin: string): Graph {
  const { name, description, breadcrumbs, snapshots } = collection;
  const page = `${origin}${breadcrumbs[breadcrumbs.length - 1]?.path ?? '/'}`;
  return createGraph([
    {
      '@type': 'CollectionPage',
      '@id': page,
      url: page,
      name,
      description,
      breadcrumb: createBreadcrumbs(origin, breadcrumbs),
      mainEntity: {
        '@type': 'ItemList',
        numberOfItems: snapshots.length,
        itemListElement: snapshots.map(({ slug, resource }, index) => ({
          '@type': 'ListItem',
          position: index + 1,
          name: toPlainText(resource, 200),
          url: `${origin}/endpoint/${slug}`,
        })),
      },
    },
  ]);
}

/**
 * Creates the JSON-LD of an endpoint page: a `WebAPI` and breadcrumbs. The JSON-LD has no rating, because a computed
 * score is not a review.
 *
 * @param origin Public origin of the site, without a path.
 */
export function createEndpointJsonLd(snapshot: Snapshot, origin: string): Graph {
  const { slug, host, resource, serviceName, description, contentChangedAt, listingSource } = snapshot;
  const path = `/endpoint/${slug}`;
  const page = `${origin}${path}`;
  const name = toPlainText(resource);
  const link = toWebLink(resource);
  return createGraph([
    {
      '@type': 'WebAPI',
      '@id': `${page}#endpoint`,
      name: serviceName === null ? name : toPlainText(serviceName, 200),
      ...(link === null ? {} : { url: link }),
      ...(description === null ? {} : { description: toPlainText(description, 500) }),
      provider: { '@type': 'Organization', name: host },
    },
    {
      '@type': 'WebPage',
      '@id': page,
      url: page,
      dateModified: contentChangedAt,
      about: { '@id': `${page}#endpoint` },
      breadcrumb: createBreadcrumbs(origin, [
        { name: 'Explore', path: '/explore' },
        // A host without an endpoint in a directory can have no page.
        ...(listingSource === 'adopted' ? [] : [{ name: host, path: toProviderPath(host) }]),
        { name: toPlainText(formatPath(resource)), path },
      ]),
    },
  ]);
}

const createGraph = (nodes: Graph['@graph']): Graph => ({
  '@context': 'https://schema.org',
  '@graph': nodes,
});

/** Page in the breadcrumbs of another page. */
interface Breadcrumb {
  readonly name: string;
  /** Path of the page on this site. */
  readonly path: string;
}

/**
 * Creates the breadcrumbs of a page. The first breadcrumb is the home page, and the last breadcrumb is the page itself.
 */
function createBreadcrumbs(origin: string, pages: readonly Breadcrumb[]): BreadcrumbList {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [{ name: SITE_NAME, path: '/' }, ...pages].map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: `${origin}${path}`,
    })),
  };
}
