import { SearchField } from './search-field.tsx';

/**
 * Form that searches the catalog. It works without JavaScript. On a page with the module `/search.js`, the field has
 * suggestions.
 *
 * @param props.query Query that the field contains at first.
 */
export function SearchForm({ query = '' }: { readonly query?: string }) {
  return (
    <form id="search-box" action="/explore" method="get" role="search" className="max-w-2xl">
      <SearchField query={query} />
    </form>
  );
}
