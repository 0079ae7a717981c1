/** Maximum length of a search query after normalization, in UTF-16 units. */
export const MAX_QUERY_LENGTH = 500;

/**
 * Attributes of the search field of a page. A page has one search field: its own, or the field of the header. The script
 * of the page finds the field by its name.
 */
export const SEARCH_INPUT_PROPS = {
  id: 'search',
  type: 'search',
  name: 'q',
  maxLength: MAX_QUERY_LENGTH,
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
  'aria-keyshortcuts': '/ Control+K',
} as const;

/** Search form of the header. It works without JavaScript. */
export function HeaderSearch() {
  return (
    <form action="/explore" method="get" role="search" className="flex min-w-0 grow xl:max-w-xs">
      <label htmlFor="search" className="sr-only">
        Search endpoints
      </label>
      <input
        {...SEARCH_INPUT_PROPS}
        placeholder="Search"
        className="h-11 w-0 min-w-0 grow rounded-none border border-r-0 border-edge bg-panel px-2 text-base sm:px-3 placeholder:text-ink-soft"
      />
      <button
        type="submit"
        aria-label="Search"
        className="flex size-11 shrink-0 cursor-pointer items-center justify-center border border-edge bg-panel hover:border-accent hover:text-accent"
      >
        <svg viewBox="0 0 16 16" className="size-4" aria-hidden="true" focusable="false">
          <path
            d="M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.5 10.5l3.5 3.5"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.75"
            strokeLinecap="round"
          />
        </svg>
      </button>
    </form>
  );
}
