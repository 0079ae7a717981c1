import {
  Combobox,
  ComboboxGroup,
  ComboboxGroupLabel,
  ComboboxItem,
  ComboboxPopover,
  ComboboxProvider,
} from '@ariakit/react';
import { GradeMark, ResourceText } from '@touchstone/ui';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createExploreClient } from '../trpc/client.ts';
import { normalizeQuery } from '../../page-parts/param-reader.ts';
import { SEARCH_INPUT_PROPS, SearchField } from '../../page-parts/search-field.tsx';
import { restoreFocus, type FieldState } from './field-state.ts';
import {
  type Suggestion,
  type SuggestionGroup,
  countSuggestions,
  loadSuggestions,
  toGroups,
} from './suggestions.ts';

const client = createExploreClient();
const NO_GROUPS: readonly SuggestionGroup[] = [];
const POPOVER_CLASS =
  'z-20 max-h-[min(var(--popover-available-height),34rem)] w-[max(var(--popover-anchor-width),min(20.5rem,var(--popover-available-width)))] ' +
  'overflow-y-auto overscroll-contain border border-edge bg-panel py-2 text-ink shadow-lg';

/**
 * Search field with suggestions. Each suggestion is a link. The Enter key without a chosen suggestion submits the form
 * around the field.
 *
 * @param props.initial Content of the plain field that this field replaces.
 */
export function SearchBox({ initial }: { readonly initial: FieldState }) {
  const [text, setText] = useState(initial.text);
  const [isTyped, setIsTyped] = useState(initial.isTyped);
  const [isOpen, setIsOpen] = useState(initial.isTyped && initial.isFocused);
  const groups = useSuggestions(isTyped ? normalizeQuery(text) : '');
  const isShown = isOpen && groups.length > 0;
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (field.current !== null) restoreFocus(field.current, initial);
  }, [initial]);
  return (
    <ComboboxProvider
      inputValue={text}
      setInputValue={(value) => {
        setText(value);
        setIsTyped(true);
      }}
      open={isShown}
      setOpen={setIsOpen}
      placement="bottom-start"
    >
      <SearchField
        input={
          <Combobox
            ref={field}
            {...SEARCH_INPUT_PROPS}
            name="q"
            onKeyDown={(event) => {
              if (event.key === 'Escape') setIsOpen(false);
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
              if (event.currentTarget.hasAttribute('aria-activedescendant')) return;
              setIsOpen(false);
              // Without a chosen suggestion, Ariakit ignores the key while the suggestions are open.
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
            onBlur={() => {
              // Suggestions that load after the blur stay closed. Ariakit itself closes suggestions that are open.
              if (!isShown) setIsOpen(false);
            }}
          />
        }
      />
      <p role="status" className="sr-only">
        {groups.length === 0 ? null : countSuggestions(groups)}
      </p>
      <ComboboxPopover
        aria-label="Suggestions"
        gutter={4}
        unmountOnHide
        hideOnEscape={keepText}
        className={POPOVER_CLASS}
      >
        {groups.map((group) => (
          <Group key={group.label} group={group} />
        ))}
      </ComboboxPopover>
    </ComboboxProvider>
  );
}

/** Prevents the browser from clearing the field when Escape closes the suggestions. */
function keepText(event: { preventDefault(): void }): boolean {
  event.preventDefault();
  return true;
}

/** Returns the suggestions for a normalized text; an empty text has no suggestions. */
function useSuggestions(text: string): readonly SuggestionGroup[] {
  const [groups, setGroups] = useState(NO_GROUPS);
  useEffect(() => {
    if (text === '') {
      setGroups(NO_GROUPS);
      return undefined;
    }
    return loadSuggestions(
      text,
      (value, signal) => client.suggest.query({ text: value }, { signal }),
      (suggestions) => {
        setGroups(suggestions === null ? NO_GROUPS : toGroups(suggestions));
      },
    );
  }, [text]);
  return groups;
}

function Group({ group }: { readonly group: SuggestionGroup }) {
  return (
    <ComboboxGroup className="not-first:mt-2">
      <ComboboxGroupLabel className="px-4 py-1 text-sm text-ink-soft">{group.label}</ComboboxGroupLabel>
      {group.items.map((suggestion) => (
        <Item key={suggestion.href} suggestion={suggestion} />
      ))}
    </ComboboxGroup>
  );
}

function Item({ suggestion }: { readonly suggestion: Suggestion }) {
  const { href, text, note, grade } = suggestion;
  return (
    <ComboboxItem
      focusOnHover
      render={<a href={href} />}
      className="flex items-center gap-3 px-4 py-2 no-underline data-active-item:bg-ink data-active-item:text-ground"
    >
      {grade === undefined ? null : <GradeMark grade={grade} className="h-8 w-7 shrink-0" />}
      <span className="min-w-0">
        <span className="line-clamp-2 text-sm">
          <ResourceText resource={text} />
        </span>
        <span className="block truncate text-sm opacity-80">
          <bdi>{note}</bdi>
        </span>
      </span>
    </ComboboxItem>
  );
}
