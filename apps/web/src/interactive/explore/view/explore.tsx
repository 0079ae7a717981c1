import { PageFrame } from '@touchstone/ui';
import { SearchField } from '../../../page-parts/search-field.tsx';
import { ExploreView } from './explore-view.tsx';
import { ResultList } from './result-list.tsx';
import type { FirstPage } from '../list-endpoints.ts';

/**
 * Explore page: search, filters and the endpoints that match. The script `/explore.js` renders the page in
 * `#explore-root` again, with event handlers.
 */
export function Explore({ page }: { readonly page: FirstPage }) {
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
    </PageFrame>
  );
}
