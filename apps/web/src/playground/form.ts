import { createElement } from './dom.ts';
import { GROUPS, NUMBER_IDS, NUMBERS, SWITCH_IDS, SWITCHES, type GroupId } from './fields.ts';
import { createNumberRow } from './number-row.ts';
import { HEALTHY_STATE, type PlaygroundState } from './state.ts';
import { createSwitchRow } from './switch-row.ts';

/** Ids of the field groups that are open at first. */
const INITIALLY_OPEN: ReadonlySet<GroupId> = new Set<GroupId>(['service']);

export interface Form {
  readonly element: HTMLElement;
  /** Shows a playground state, and opens each field group whose values differ from those of a healthy endpoint. */
  show(state: PlaygroundState): void;
}

/** Creates the form with all fields in their groups. */
export function createForm(onChange: (differs: Partial<PlaygroundState>) => void): Form {
  const numbers = NUMBER_IDS.map((id) => ({
    id,
    group: NUMBERS[id].group,
    row: createNumberRow(id, (value) => onChange({ [id]: value })),
  }));
  const switches = SWITCH_IDS.map((id) => ({
    id,
    group: SWITCHES[id].group,
    row: createSwitchRow(id, (value) => onChange({ [id]: value })),
  }));
  const fields = [...switches, ...numbers];
  const groups = GROUPS.map(({ id, title, hint }) => {
    const rows = fields.filter(({ group }) => group === id);
    return {
      ids: rows.map((field) => field.id),
      details: createGroup(
        { title, hint, open: INITIALLY_OPEN.has(id) },
        rows.map(({ row }) => row.element),
      ),
    };
  });
  const form = createElement('form', { 'aria-label': 'Observations', class: 'border-b border-line' }, [
    ...groups.map(({ details }) => details),
  ]);
  // A change of a field takes effect at once, so the form is never submitted.
  form.addEventListener('submit', (event) => event.preventDefault());
  return {
    element: form,
    show: (state) => {
      for (const { id, row } of numbers) row.show(state[id]);
      for (const { id, row } of switches) row.show(state[id]);
      for (const { ids, details } of groups) {
        if (ids.some((id) => state[id] !== HEALTHY_STATE[id])) details.open = true;
      }
    },
  };
}

function createGroup(
  { title, hint, open }: { title: string; hint: string | null; open: boolean },
  rows: readonly HTMLElement[],
): HTMLDetailsElement {
  const details = createElement('details', { class: 'border-t border-line py-1' }, [
    createElement('summary', { class: 'cursor-pointer py-2 font-semibold' }, [title]),
    createElement('fieldset', { class: 'min-w-0 pb-3' }, [
      createElement('legend', { class: 'sr-only' }, [title]),
      ...(hint === null ? [] : [createElement('p', { class: 'pb-1 text-sm text-ink-soft' }, [hint])]),
      ...rows,
    ]),
  ]);
  details.open = open;
  return details;
}
