import { loadAtFocus } from './field-state.ts';

// The suggestions are loaded when the visitor uses the field, so that most visitors load only this small script.
const form = document.getElementById('search-box');
const field = form?.querySelector<HTMLInputElement>('input[name="q"]');
if (form instanceof HTMLFormElement && field) {
  loadAtFocus(
    field,
    () => import('./mount-search-box.tsx'),
    ({ mountSearchBox }) => {
      mountSearchBox(form, field);
    },
  );
}
