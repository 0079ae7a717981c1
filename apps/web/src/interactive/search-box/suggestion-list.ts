import { createElement, createSvgElement } from '../../page-parts/dom.ts';
import type { Suggestion, SuggestionGroup } from './suggestions.ts';

const LIST_ID = 'suggestions';
const LIST_CLASS =
  'absolute z-20 max-h-[min(34rem,70vh)] w-[max(var(--field-width),min(22rem,calc(100vw-2rem)))] overflow-y-auto ' +
  'overscroll-contain border border-edge bg-panel py-2 text-ink shadow-lg';
const OPTION_CLASS =
  'flex min-h-11 items-center gap-3 px-4 py-2 no-underline hover:bg-ground hover:text-ink ' +
  'aria-selected:bg-ground aria-selected:inset-ring-2 aria-selected:inset-ring-accent';

/** List box below a search field. */
interface SuggestionList {
  /**
   * Shows groups of suggestions. Without groups, or if the field has no focus, the list is closed.
   *
   * @param status Text for screen readers.
   */
  show(groups: readonly SuggestionGroup[], status: string): void;
  close(): void;
  /** Handles a key. Returns true if the browser must not handle the key too. */
  pressKey(key: string): boolean;
}

/**
 * Creates the list box of a search field. The list is added at the end of the landmark that contains the field. The
 * form around the field may belong to React, which does not expect other elements there.
 */
export function createSuggestionList(field: HTMLInputElement): SuggestionList {
  const landmark = field.closest<HTMLElement>('main, header') ?? document.body;
  document.getElementById(LIST_ID)?.remove();
  const list = createElement('div', {
    ...{ id: LIST_ID, role: 'listbox', class: LIST_CLASS, 'aria-label': 'Suggestions' },
  });
  list.hidden = true;
  const status = createElement('p', { role: 'status', class: 'sr-only' });
  landmark.append(list, status);
  let options: readonly HTMLAnchorElement[] = [];
  let active = -1;

  const activate = (index: number): void => {
    options[active]?.setAttribute('aria-selected', 'false');
    active = index;
    const option = options[index];
    option?.setAttribute('aria-selected', 'true');
    option?.scrollIntoView({ block: 'nearest' });
    if (option === undefined) field.removeAttribute('aria-activedescendant');
    else field.setAttribute('aria-activedescendant', option.id);
  };
  const setOpen = (isOpen: boolean): void => {
    list.hidden = !isOpen;
    field.setAttribute('aria-expanded', String(isOpen));
    activate(-1);
    if (isOpen) placeBelow(list, field, landmark);
  };
  for (const [name, value] of Object.entries(FIELD_ATTRIBUTES)) field.setAttribute(name, value);
  // The field keeps the focus while a suggestion is clicked.
  list.addEventListener('pointerdown', (event) => {
    event.preventDefault();
  });
  return {
    show(groups, text) {
      status.textContent = text;
      list.replaceChildren(...groups.map(createGroup));
      options = [...list.querySelectorAll('a')];
      for (const [index, option] of options.entries()) option.id = `${LIST_ID}-${String(index)}`;
      setOpen(options.length > 0 && document.activeElement === field);
    },
    close: () => {
      setOpen(false);
    },
    pressKey(key) {
      if (key === 'ArrowDown' || key === 'ArrowUp') {
        if (options.length === 0) return false;
        if (list.hidden) setOpen(true);
        // One more position than options: at -1, no suggestion is chosen.
        const count = options.length + 1;
        activate(((active + 1 + (key === 'ArrowDown' ? 1 : count - 1)) % count) - 1);
        return true;
      }
      if (list.hidden) return false;
      const option = options[active];
      if (key === 'Enter' && option !== undefined) option.click();
      else if (key === 'Escape') setOpen(false);
      else return false;
      return true;
    },
  };
}

const FIELD_ATTRIBUTES = {
  role: 'combobox',
  'aria-autocomplete': 'list',
  'aria-haspopup': 'listbox',
  'aria-expanded': 'false',
  'aria-controls': LIST_ID,
} as const;

/** Places the list below the field. Both coordinates are relative to the landmark that contains the list. */
function placeBelow(list: HTMLElement, field: HTMLElement, landmark: HTMLElement): void {
  const anchor = field.getBoundingClientRect();
  const origin = landmark.getBoundingClientRect();
  list.style.setProperty('--field-width', `${String(anchor.width)}px`);
  list.style.top = `${String(anchor.bottom - origin.top + 4)}px`;
  const maxLeft = document.documentElement.clientWidth - list.offsetWidth - 8;
  list.style.left = `${String(Math.max(8, Math.min(anchor.left, maxLeft)) - origin.left)}px`;
}

function createGroup({ label, items }: SuggestionGroup): HTMLElement {
  const heading = { class: 'px-4 py-1 text-sm text-ink-soft', 'aria-hidden': 'true' };
  return createElement('div', { role: 'group', class: 'not-first:mt-2', 'aria-label': label }, [
    createElement('p', heading, [label]),
    ...items.map(createOption),
  ]);
}

function createOption({ href, text, note, verdict }: Suggestion): HTMLElement {
  const attributes = { role: 'option', class: OPTION_CLASS, href, tabindex: '-1', 'aria-selected': 'false' };
  const label =
    verdict === undefined ? [] : [createElement('span', { class: verdict.tone }, [verdict.label])];
  const details = [...label, ...(note === '' ? [] : [createElement('bdi', {}, [note])])];
  return createElement('a', attributes, [
    ...(verdict === undefined ? [] : [createIcon(verdict)]),
    createElement('span', { class: 'min-w-0' }, [
      // Both texts are isolated, because they can contain a right-to-left text of a provider.
      createElement('bdi', { class: 'line-clamp-2 text-sm wrap-anywhere' }, [text]),
      createElement(
        'span',
        { class: 'block truncate text-sm text-ink-soft' },
        details.flatMap((part, index) => (index === 0 ? [part] : [' · ', part])),
      ),
    ]),
  ]);
}

function createIcon({ path, tone }: NonNullable<Suggestion['verdict']>): Element {
  const line = createSvgElement('path', {
    ...{ d: path, fill: 'none', stroke: 'currentColor' },
    ...{ 'stroke-width': '1.75', 'stroke-linecap': 'round', 'stroke-linejoin': 'round' },
  });
  const icon = { viewBox: '0 0 16 16', class: `size-5 shrink-0 ${tone}`, 'aria-hidden': 'true' };
  return createSvgElement('svg', icon, [line]);
}
