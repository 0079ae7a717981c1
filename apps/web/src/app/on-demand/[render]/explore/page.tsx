import { NO_PARAMS } from '../../../../explore/explore-params.ts';
import { loadExplorePage } from '../../../../explore/load-page.ts';
import { EXPLORE_TITLE } from '../../../../explore/page-text.ts';
import { createPageMetadata } from '../../../../seo/create-page-metadata.ts';
import { Explore } from '../../../../views/explore/explore.tsx';

/** Same value as `PAGE_LIFETIME_S`, because Next requires a literal here. */
export const revalidate = 3600;

export const metadata = createPageMetadata({
  title: EXPLORE_TITLE,
  description:
    'Find x402 endpoints by host, path, name or description. Filter them by grade, recommendation, network and price.',
  path: '/explore',
  indexed: true,
});

export default async function ExplorePage() {
  const { page, choices } = await loadExplorePage({ params: NO_PARAMS, ignored: [] });
  return (
    <>
      <Explore page={page} choices={choices} />
      <script type="module" src="/explore.js" />
    </>
  );
}
