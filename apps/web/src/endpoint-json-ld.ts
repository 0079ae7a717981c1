import type { Snapshot } from '@touchstone/store';
import { toPlainText, toWebLink } from '@touchstone/ui';

/**
 * An endpoint as a `WebAPI` with its breadcrumbs. It names no rating: a machine's score is not a review.
 *
 * @param origin The public address of the site, without a path.
 */
export function endpointJsonLd(snapshot: Snapshot, origin: string): Readonly<Record<string, unknown>> {
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
