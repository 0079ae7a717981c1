const SEARCH_FIELD = 'input[name=q]';

/**
 * Calls `enhance` when a search field of the page gets the focus for the first time, or immediately if it has the focus.
 * The keys `/` and Ctrl-K move the focus to the search field.
 *
 * @param enhance Adds the suggestions to a field. The field itself stays in the document, so that no letter is lost.
 */
export function watchSearchField(enhance: (field: HTMLInputElement) => void): void {
  let enhanced: Element;
  const enhanceOnce = (element: Element | null): void => {
    if (element === null || element === enhanced || !element.matches(SEARCH_FIELD)) return;
    enhanced = element;
    // The selector matches only input elements.
    enhance(element as HTMLInputElement);
  };
  enhanceOnce(document.activeElement);
  addEventListener('focusin', ({ target }) => {
    enhanceOnce(target as Element);
  });
  addEventListener('keydown', (event) => {
    const field = document.querySelector<HTMLInputElement>(SEARCH_FIELD);
    if (field === null || !isSearchKey(event)) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
}

/** Returns true for Ctrl-K, Command-K, and `/` outside of a field. */
function isSearchKey({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  // The target of a key is an element.
  return ctrlKey || metaKey
    ? key.toLowerCase() === 'k' // Caps Lock changes the letter.
    : key === '/' && !(target as Element).closest('input,select,textarea');
}
