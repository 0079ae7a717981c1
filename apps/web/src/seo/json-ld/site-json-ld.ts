import type { Graph, SearchAction, WithActionConstraints } from 'schema-dts';
import { SITE_NAME } from '../create-page-metadata.ts';

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
  return {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'WebSite',
        '@id': `${origin}/#site`,
        url: `${origin}/`,
        name: SITE_NAME,
        inLanguage: 'en',
        potentialAction: search,
      },
    ],
  };
}
