import { createExploreClient } from '../trpc/client.ts';
import { normalizeQuery } from '../../page-parts/param-reader.ts';
import { createSuggestionList } from './suggestion-list.ts';
import { countSuggestions, loadSuggestions, toGroups } from './suggestions.ts';

const client = createExploreClient();

/**
 * Adds suggestions to a search field, as a combobox with a list box (ARIA Authoring Practices). Each suggestion is a
 * link. The Enter key without a chosen suggestion submits the form of the field.
 */
export function attachSuggestions(field: HTMLInputElement): void {
  const list = createSuggestionList(field);
  let cancel = (): void => undefined;
  const update = (): void => {
    cancel();
    const text = normalizeQuery(field.value);
    if (text === '') {
      list.show([], '');
      return;
    }
    cancel = loadSuggestions(
      text,
      (value, signal) => client.suggest.query({ text: value }, { signal }),
      (suggestions) => {
        const groups = suggestions === null ? [] : toGroups(suggestions, text);
        list.show(groups, groups.length === 0 ? '' : countSuggestions(groups));
      },
    );
  };
  field.addEventListener('input', update);
  field.addEventListener('blur', () => {
    cancel();
    list.close();
  });
  field.form?.addEventListener('submit', () => {
    cancel();
    list.close();
  });
  field.addEventListener('keydown', (event) => {
    if (!event.isComposing && list.pressKey(event.key)) event.preventDefault();
  });
  // The visitor may have typed before this script was loaded.
  if (field.value !== field.defaultValue && document.activeElement === field) update();
}
