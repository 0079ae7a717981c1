import type { ReactNode } from 'react';
import { MAX_QUERY_LENGTH } from './param-reader.ts';

/** Attributes of the search field, with and without suggestions. */
export const SEARCH_INPUT_PROPS = {
  id: 'search',
  type: 'search',
  maxLength: MAX_QUERY_LENGTH,
  'aria-describedby': 'search-hint',
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
  className: 'min-w-0 grow rounded-none border border-r-0 border-edge bg-panel px-4 py-3',
} as const;

/**
 * Label, search field and button of a search form.
 *
 * @param props.query Query that the field contains at first.
 * @param props.input Field with suggestions. The default is a plain field.
 */
export function SearchField({
  query = '',
  input = <input {...SEARCH_INPUT_PROPS} name="q" defaultValue={query} />,
}: {
  readonly query?: string;
  readonly input?: ReactNode;
}) {
  return (
    <>
      <label htmlFor="search" className="block font-semibold">
        Search endpoints
      </label>
      <div className="mt-2 flex">
        {input}
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
