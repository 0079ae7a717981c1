import { formatCount } from '@touchstone/common';
import type { Category } from '@touchstone/store';
import { toCategoryPath } from '../../serving/known-pages/known-categories.ts';
import { toCategoryName } from './category-page.ts';

/** Maximum number of categories in a list of links. */
const MAX_LINKS = 24;

/**
 * Section with links to the largest categories. Without a category, the section is left out.
 *
 * @param props.categories Categories, the largest first.
 */
export function CategoryLinks(props: { readonly title: string; readonly categories: readonly Category[] }) {
  const { title, categories } = props;
  if (categories.length === 0) return null;
  return (
    <section aria-labelledby="categories" className="mt-16">
      <h2 id="categories">{title}</h2>
      <ul className="mt-4 flex flex-wrap gap-2">
        {categories.slice(0, MAX_LINKS).map(({ tag, endpoints }) => (
          <li key={tag}>
            <a
              href={toCategoryPath(tag)}
              className="inline-flex items-baseline gap-2 border border-edge bg-panel px-3 py-1.5 no-underline hover:border-accent"
            >
              {toCategoryName({ tag })}
              <span className="text-sm text-ink-soft tabular-nums">{formatCount(endpoints, 'endpoint')}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
