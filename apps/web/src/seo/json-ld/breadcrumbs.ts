import type { BreadcrumbList } from 'schema-dts';
import { SITE_NAME } from '../create-page-metadata.ts';

/** Page in the breadcrumbs of another page. */
export interface Breadcrumb {
  readonly name: string;
  /** Path of the page on this site. */
  readonly path: string;
}

/** Creates the breadcrumbs of a page. The first breadcrumb is the home page, and the last one is the page itself. */
export function createBreadcrumbs(origin: string, pages: readonly Breadcrumb[]): BreadcrumbList {
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
