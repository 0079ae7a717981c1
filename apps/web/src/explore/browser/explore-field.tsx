import { useEffect, useState, type ComponentType } from 'react';
import { loadAtFocus, readField, type FieldState } from '../../search-box/field-state.ts';
import { SearchField } from '../../views/shared/search-field.tsx';

interface LoadedBox {
  readonly SearchBox: ComponentType<{ readonly initial: FieldState }>;
  readonly initial: FieldState;
}

/** Search field of the explore page. It gets suggestions when the visitor uses it. */
export function ExploreField({ text }: { readonly text: string }) {
  const [box, setBox] = useState<LoadedBox | null>(null);
  useEffect(() => {
    const field = document.querySelector<HTMLInputElement>('#explore-root input[name="q"]');
    if (!field) return;
    loadAtFocus(
      field,
      () => import('../../search-box/search-box.tsx'),
      ({ SearchBox }) => {
        setBox({ SearchBox, initial: readField(field) });
      },
    );
  }, []);
  return box === null ? <SearchField query={text} /> : <box.SearchBox initial={box.initial} />;
}
