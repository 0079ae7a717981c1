import type { Snapshot } from '@touchstone/store';
import { toPlainText, toWebLink } from '@touchstone/ui';
import type { Graph } from 'schema-dts';
import { toProviderPath } from '../../provider/host-path.ts';
import { formatPath } from '../../views/shared/format-path.ts';
import { createBreadcrumbs } from './breadcrumbs.ts';

/**
 * Creates the JSON-LD of an endpoint page: a `WebAPI` and breadcrumbs. It has no rating, because a computed score is
 * not a review.
 *
 * @param origin Public origin of the site, without a path.
 */
export function createEndpointJsonLd(snapshot: Snapshot, origin: string): Graph {
  const { slug, host, resource, serviceName, description, contentChangedAt } = snapshot;
  const path = `/endpoint/${slug}`;
  const page = `${origin}${path}`;
  const name = toPlainText(resource);
  const link = toWebLink(resource);
  return {
    '@context': 'https://schema.org',
    '@graph': [
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
          { name: host, path: toProviderPath(host) },
          { name: toPlainText(formatPath(resource)), path },
        ]),
      },
    ],
  };
}
