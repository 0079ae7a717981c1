import { toPlainText } from '@touchstone/ui';
import type { Metadata } from 'next';

/** Name of the site in titles and link previews. */
export const SITE_NAME = 'Touchstone';

/** Default picture of a page, 1200 × 630 pixels. */
const SITE_PICTURE = '/picture/site.png';

/** Maximum length of a description, in characters. Search engines show about 160 characters. */
const MAX_DESCRIPTION_LENGTH = 200;

/** Description of one page for search engines and link previews. */
export interface PageDescription {
  /** Title without the name of the site. The title is untrusted if it contains text of a provider. */
  readonly title: string;
  /** True if the name of the site is not added to the title. */
  readonly titleIsComplete?: boolean;
  readonly description: string;
  /** Canonical path of the page. */
  readonly path: string;
  /** True if search engines may list the page. */
  readonly indexed: boolean;
  /** Path of the picture for link previews; without it, the picture of the site is used. */
  readonly picture?: string;
  /** Paths of other formats of the page by media type, for example `application/json`. */
  readonly formats?: Readonly<Record<string, string>>;
}

/**
 * Creates the metadata of a page: title, description, canonical URL, robots, OpenGraph and Twitter card. Every page
 * uses this function, so every page has all these parts. Search engines may follow the links of every page, even if
 * they must not list the page.
 */
export function createPageMetadata(page: PageDescription): Metadata {
  const title = toPlainText(page.title, 200);
  const description = toPlainText(page.description, MAX_DESCRIPTION_LENGTH);
  const fullTitle = page.titleIsComplete === true ? title : `${title} · ${SITE_NAME}`;
  const picture = page.picture ?? SITE_PICTURE;
  return {
    title: { absolute: fullTitle },
    description,
    alternates: { canonical: page.path, ...(page.formats ? { types: { ...page.formats } } : {}) },
    ...(page.indexed ? {} : { robots: { index: false, follow: true } }),
    openGraph: {
      type: 'website',
      siteName: SITE_NAME,
      locale: 'en',
      title: fullTitle,
      description,
      url: page.path,
      images: [{ url: picture, width: 1200, height: 630, alt: fullTitle }],
    },
    twitter: { card: 'summary_large_image', title: fullTitle, description, images: [picture] },
  };
}
