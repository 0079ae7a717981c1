import type { Graph } from 'schema-dts';
import { SITE_NAME } from '../create-page-metadata.ts';
import { createBreadcrumbs } from './breadcrumbs.ts';

/** Data that a page publishes for people and programs. */
export interface PublishedDataset {
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
  return {
    '@context': 'https://schema.org',
    '@graph': [
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
        distribution: { '@type': 'DataDownload', encodingFormat: 'application/json', contentUrl: page },
      },
      {
        '@type': 'WebPage',
        '@id': page,
        url: page,
        about: { '@id': `${page}#dataset` },
        breadcrumb: createBreadcrumbs(origin, [{ name: pageName, path }]),
      },
    ],
  };
}
