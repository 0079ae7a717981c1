import { formatCount } from '@touchstone/common';
import type { Category } from '@touchstone/store';
import { PageFrame } from '@touchstone/ui';
import { toExploreUrl } from '../../interactive/explore/explore-params.ts';
import { ComparableList } from '../../page-parts/comparable-list.tsx';
import { Breadcrumb } from '../../page-parts/breadcrumb.tsx';
import { CategoryLinks } from './category-links.tsx';
import {
  type CategoryPage,
  formatCategoryTitle,
  formatPrices,
  toCategoryFilters,
  toCategoryName,
} from './category-page.ts';

/**
 * Page of a category: the listed endpoints with a tag, best first.
 *
 * @param props.categories All categories, the largest first.
 */
export function CategoryView({
  page,
  categories,
}: {
  readonly page: CategoryPage;
  readonly categories: readonly Category[];
}) {
  const { tag, endpoints, snapshots } = page;
  const url = toExploreUrl(toCategoryFilters(page));
  const hasMore = endpoints > snapshots.length;
  return (
    <PageFrame>
      <Breadcrumb parents={[]} current={toCategoryName(page)} />
      <h1 className="mt-3">{formatCategoryTitle(page)}</h1>
      <p className="mt-3 max-w-2xl text-lg text-ink-soft">
        <Figures page={page} /> Touchstone probes each of them about every 30 minutes.
      </p>
      <section aria-labelledby="endpoints" className="mt-8">
        <h2 id="endpoints">
          {hasMore ? `The ${formatCount(snapshots.length)} best endpoints` : 'Endpoints'}
        </h2>
        <p className="mt-1 mb-4 max-w-2xl text-sm text-ink-soft">
          By the lower bound of the score range. Tags, names and descriptions are unverified claims of the
          providers.
        </p>
        <ComparableList endpoints={snapshots} sortedBy="score" />
        <p className="mt-4">
          <a href={url}>
            {hasMore ? `Explore all ${formatCount(endpoints)} endpoints` : 'Filter and sort these endpoints'}
          </a>
        </p>
      </section>
      <CategoryLinks title="Other categories" categories={categories.filter((other) => other.tag !== tag)} />
    </PageFrame>
  );
}

/** Figures of the listed endpoints. The numbers of endpoints are links to these endpoints. */
function Figures({ page }: { readonly page: CategoryPage }) {
  const { tag, endpoints, hosts, proceed } = page;
  const filters = toCategoryFilters(page);
  const prices = formatPrices(page);
  return (
    <>
      <a href={toExploreUrl(filters)}>{formatCount(endpoints, 'listed endpoint')}</a> of{' '}
      {formatCount(hosts, 'host')} {endpoints === 1 ? 'has' : 'have'} the tag “{tag}”.{' '}
      <a href={toExploreUrl({ ...filters, recommendations: ['proceed'] })}>{formatCount(proceed)} of them</a>{' '}
      {proceed === 1 ? 'has' : 'have'} the recommendation Proceed.
      {prices === '' ? '' : ` Across all ${formatCount(endpoints)}, advertised prices are ${prices}.`}
    </>
  );
}
