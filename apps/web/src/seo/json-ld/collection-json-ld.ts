import type { Snapshot } from '@touchstone/store';
import { toPlainText } from '@touchstone/ui';
import type { Graph } from 'schema-dts';
import { createBreadcrumbs, type Breadcrumb } from './breadcrumbs.ts';

/** Page that lists endpoints, for example the leaderboard or the page of a provider. */
export interface Collection {
  readonly name: string;
  readonly description: string;
  /** Pages from the one below the home page to this page. */
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
  return {
    '@context': 'https://schema.org',
    '@graph': [
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
    ],
  };
}
