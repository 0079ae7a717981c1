import { getSiteOrigin } from '../../../../platform/config/config.ts';
import { loadExplorePage } from '../../../../interactive/explore/load-page.ts';
import { EXPLORE_TITLE } from '../../../../interactive/explore/list-filters.ts';
import { createPageMetadata } from '../../../../page-parts/create-page-metadata.ts';
import { JsonLd, createCollectionJsonLd } from '../../../../page-parts/json-ld.tsx';
import { loadCategories } from '../../../../serving/page-cache/page-data.ts';
import { Explore } from '../../../../interactive/explore/view/explore.tsx';

/** Same value as `PAGE_LIFETIME_S`, because Next requires a literal here. */
export const revalidate = 3600;

const PATH = '/explore';
const DESCRIPTION =
  'Find x402 endpoints by host, path, name or description. Filter them by grade, recommendation, network and price.';

export const metadata = createPageMetadata({
  title: EXPLORE_TITLE,
  description: DESCRIPTION,
  path: PATH,
  indexed: true,
});

export default async function ExplorePage() {
  const [page, categories] = await Promise.all([loadExplorePage(''), loadCategories()]);
  const collection = {
    name: EXPLORE_TITLE,
    description: DESCRIPTION,
    breadcrumbs: [{ name: 'Explore', path: PATH }] as const,
    snapshots: page.result.matches,
  };
  return (
    <>
      <Explore page={page} categories={categories} />
      <JsonLd data={createCollectionJsonLd(collection, getSiteOrigin(process.env))} />
      <script type="module" src="/explore.js" />
    </>
  );
}
