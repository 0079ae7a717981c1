import type { Snapshot } from '@touchstone/store';
import { toPlainText, toWebLink } from '@touchstone/ui';

/**
 * Creates the JSON-LD of an endpoint page: a `WebAPI` and breadcrumbs. It has no rating, because a computed score is
 * not a review.
 *
 * @param origin Public origin of the site, without a path.
 */
export function createEndpointJsonLd(snapshot: Snapshot, origin: string): Readonly<Record<string, unknown>> {
  const { slug, host, resource, serviceName, description, contentChangedAt } = snapshot;
  const page = `${origin}/endpoint/${slug}`;
  const link = toWebLink(resource);
  return {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'WebAPI',
        '@id': `${page}#endpoint`,
        name: serviceName === null ? resource : toPlainText(serviceName, 200),
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
        breadcrumb: {
          '@type': 'BreadcrumbList',
          itemListElement: [
            { '@type': 'ListItem', position: 1, name: 'Touchstone', item: `${origin}/` },
            { '@type': 'ListItem', position: 2, name: 'Leaderboard', item: `${origin}/trust/leaderboard` },
            { '@type': 'ListItem', position: 3, name: resource, item: page },
          ],
        },
      },
    ],
  };
}
