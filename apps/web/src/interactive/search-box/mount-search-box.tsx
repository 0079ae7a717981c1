import { createRoot } from 'react-dom/client';
import { flushSync } from 'react-dom';
import { readField } from './field-state.ts';
import { SearchBox } from './search-box.tsx';

/** Replaces the content of a search form by a field with suggestions. The text, the selection and the focus stay. */
export function mountSearchBox(form: HTMLFormElement, field: HTMLInputElement): void {
  const initial = readField(field);
  flushSync(() => {
    createRoot(form).render(<SearchBox initial={initial} />);
  });
}
