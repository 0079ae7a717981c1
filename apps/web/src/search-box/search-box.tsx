import { Autocomplete } from '@base-ui/react/autocomplete';
import { GradeMark, ResourceText } from '@touchstone/ui';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createExploreClient } from '../explore/browser/explore-client.ts';
import { normalizeQuery } from '../explore/search-query.ts';
import { SEARCH_INPUT_PROPS, SearchField } from '../views/shared/search-field.tsx';
import { restoreFocus, type FieldState } from './field-state.ts';
import { loadSuggestions } from './suggestion-loader.ts';
import { countSuggestions, toGroups, type Suggestion, type SuggestionGroup } from './suggestions.ts';

const client = createExploreClient();
const NO_GROUPS: readonly SuggestionGroup[] = [];
const POPUP_CLASS =
  'max-h-[min(var(--available-height),34rem)] w-[max(var(--anchor-width),min(20.5rem,var(--available-width)))] ' +
  'overflow-y-auto overscroll-contain border border-edge bg-panel py-2 text-ink shadow-lg';

/**
 * Search field with suggestions. Each suggestion is a link. The Enter key without a chosen suggestion submits the form
 * around the field.
 *
 * @param props.initial Content of the plain field that this one replaces.
 */
export function SearchBox({ initial }: { readonly initial: FieldState }) {
  const [text, setText] = useState(initial.text);
  const [isTyped, setIsTyped] = useState(initial.isTyped);
  const [isOpen, setIsOpen] = useState(initial.isTyped && initial.isFocused);
  const groups = useSuggestions(isTyped ? normalizeQuery(text) : '');
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (field.current !== null) restoreFocus(field.current, initial);
  }, [initial]);
  return (
    <Autocomplete.Root
      items={groups}
      filter={null}
      mode="none"
      name="q"
      value={text}
      onValueChange={(value, { reason }) => {
        // The text stays as typed when a suggestion is chosen, because the choice opens another page.
        if (reason === 'item-press') return;
        setText(value);
        setIsTyped(true);
      }}
      open={isOpen && groups.length > 0}
      onOpenChange={setIsOpen}
      itemToStringValue={(suggestion: Suggestion) => suggestion.text}
    >
      <SearchField input={<Autocomplete.Input ref={field} {...SEARCH_INPUT_PROPS} />} />
      <Autocomplete.Status className="sr-only">
        {groups.length === 0 ? null : countSuggestions(groups)}
      </Autocomplete.Status>
      <Autocomplete.Portal>
        <Autocomplete.Positioner align="start" sideOffset={4} className="z-20">
          <Autocomplete.Popup className={POPUP_CLASS}>
            <Autocomplete.List aria-label="Suggestions">
              {(group: SuggestionGroup) => <Group key={group.label} group={group} />}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  );
}

/** Returns the suggestions for a normalized text; none for an empty text. */
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
    <Autocomplete.Group items={group.items} className="not-first:mt-2">
      <Autocomplete.GroupLabel className="px-4 py-1 text-sm text-ink-soft">
        {group.label}
      </Autocomplete.GroupLabel>
      <Autocomplete.Collection>
        {(suggestion: Suggestion) => <Item key={suggestion.href} suggestion={suggestion} />}
      </Autocomplete.Collection>
    </Autocomplete.Group>
  );
}

function Item({ suggestion }: { readonly suggestion: Suggestion }) {
  const { href, text, note, grade } = suggestion;
  return (
    <Autocomplete.Item
      value={suggestion}
      render={<a href={href} />}
      className="flex items-center gap-3 px-4 py-2 no-underline data-highlighted:bg-ink data-highlighted:text-ground"
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
    </Autocomplete.Item>
  );
}
