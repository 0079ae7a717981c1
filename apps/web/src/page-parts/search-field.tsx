import { SEARCH_INPUT_PROPS } from '@touchstone/ui';

/**
 * Label, search field and button of a search form. The script of the page adds suggestions to the field.
 *
 * @param props.query Query that the field contains at first.
 */
export function SearchField({ query = '' }: { readonly query?: string }) {
  return (
    <>
      <label htmlFor="search" className="block font-semibold">
        Search endpoints
      </label>
      <div className="mt-2 flex">
        <input
          {...SEARCH_INPUT_PROPS}
          aria-describedby="search-hint"
          className="min-w-0 grow rounded-none border border-r-0 border-edge bg-panel px-4 py-3"
          defaultValue={query}
        />
        <button
          type="submit"
          className="shrink-0 cursor-pointer border border-ink bg-ink px-5 py-3 font-semibold text-ground hover:border-accent hover:bg-accent"
        >
          Search
        </button>
      </div>
      <p id="search-hint" className="mt-2 text-sm text-ink-soft">
        A host, a path, a purpose such as “weather”, or the whole URL of an endpoint.
      </p>
    </>
  );
}

/**
 * Form that searches the catalog. It works without JavaScript.
 *
 * @param props.query Query that the field contains at first.
 */
export function SearchForm({ query = '' }: { readonly query?: string }) {
  return (
    <form action="/explore" method="get" role="search" className="max-w-2xl">
      <SearchField query={query} />
    </form>
  );
}
