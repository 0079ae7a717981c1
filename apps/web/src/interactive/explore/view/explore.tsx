import type { Category } from '@touchstone/store';
import { PageFrame } from '@touchstone/ui';
import { SearchField } from '../../../page-parts/search-field.tsx';
import { CategoryLinks } from '../../../views/category/category-links.tsx';
import { ExploreView } from './explore-view.tsx';
import { ResultList } from './result-list.tsx';
import type { FirstPage } from '../list-endpoints.ts';

/**
 * Explore page: search, filters and the endpoints that match. The script `/explore.js` renders the page in
 * `#explore-root` again, with event handlers.
 *
 * @param props.categories Categories for links, the largest first.
 */
export function Explore({
  page,
  categories = [],
}: {
  readonly page: FirstPage;
  readonly categories?: readonly Category[];
}) {
  return (
    <PageFrame current="explore" hasSearch>
      <h1 className="mb-6">Find an x402 endpoint</h1>
      <div id="explore-root" data-page={JSON.stringify(page)}>
        <ExploreView
          params={page.params}
          ignored={page.ignored}
          result={page.result}
          searchField={<SearchField query={page.params.text} />}
        >
          <ResultList params={page.params} pages={[page.result]} ignored={page.ignored} actions={undefined} />
        </ExploreView>
      </div>
      <CategoryLinks title="Categories" categories={categories} />
    </PageFrame>
  );
}
