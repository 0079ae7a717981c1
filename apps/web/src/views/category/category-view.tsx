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
  category,
  snapshots,
  hasMore,
  categories,
}: CategoryPage & { readonly categories: readonly Category[] }) {
  const url = toExploreUrl(toCategoryFilters(category));
  return (
    <PageFrame>
      <Breadcrumb parents={[]} current={toCategoryName(category)} />
      <h1 className="mt-3">{formatCategoryTitle(category)}</h1>
      <p className="mt-3 max-w-2xl text-lg text-ink-soft">
        {formatFigures(category)} Touchstone probes each of them about every 30 minutes.
      </p>
      <section aria-labelledby="endpoints" className="mt-8">
        <h2 id="endpoints" className="text-2xl font-bold">
          {hasMore ? `The ${formatCount(snapshots.length)} best endpoints` : 'Endpoints'}
        </h2>
        <p className="mt-1 mb-4 max-w-2xl text-sm text-ink-soft">
          By the lower bound of the score range. Tags, names and descriptions are unverified claims of the
          providers. Uptime is of the last 30 days.
        </p>
        <ComparableList endpoints={snapshots} sortedBy="score" />
        <p className="mt-4">
          <a href={url}>
            {hasMore
              ? `Explore all ${formatCount(category.endpoints)} endpoints`
              : 'Filter and sort these endpoints'}
          </a>
        </p>
      </section>
      <CategoryLinks
        title="Other categories"
        categories={categories.filter(({ tag }) => tag !== category.tag)}
      />
    </PageFrame>
  );
}

function formatFigures(category: Category): string {
  const { tag, endpoints, hosts, proceed } = category;
  const prices = formatPrices(category);
  return [
    `${formatCount(endpoints, 'listed endpoint')} of ${formatCount(hosts, 'host')} have the tag “${tag}”.`,
    `${formatCount(proceed)} of them ${proceed === 1 ? 'has' : 'have'} the recommendation Proceed.`,
    ...(prices === '' ? [] : [`They advertise prices ${prices}.`]),
  ].join(' ');
}
