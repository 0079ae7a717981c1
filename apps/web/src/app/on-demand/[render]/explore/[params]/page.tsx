import type { Metadata } from 'next';
import { decodeParams } from '../../../../../interactive/explore/explore-route.ts';
import { loadExplorePage } from '../../../../../interactive/explore/load-page.ts';
import { getExploreTitle } from '../../../../../interactive/explore/list-filters.ts';
import { createPageMetadata } from '../../../../../page-parts/create-page-metadata.ts';
import { Explore } from '../../../../../interactive/explore/view/explore.tsx';

interface Props {
  /** Path segment with the parameters of the URL, encoded by `encodePageParams`. */
  readonly params: Promise<{ readonly params: string }>;
}

/** Returns no parameters, so the build renders no page with parameters. */
export function generateStaticParams(): { params: string }[] {
  return [];
}

/** Creates the page metadata. Search engines must not list pages with parameters. */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return createPageMetadata({
    title: getExploreTitle(decodeParams((await params).params).params),
    description: 'x402 endpoints that match a search or a filter, with trust score, uptime and price.',
    path: '/explore',
    indexed: false,
  });
}

export default async function ExploreResultPage({ params }: Props) {
  const page = await loadExplorePage((await params).params);
  return (
    <>
      <Explore page={page} />
      <script type="module" src="/explore.js" />
    </>
  );
}
