import { element } from './dom.ts';
import { GROUPS, NUMBER_IDS, NUMBERS, SWITCH_IDS, SWITCHES, type GroupId } from './fields.ts';
import { numberRow } from './number-row.ts';
import { HEALTHY, type PlaygroundState } from './state.ts';
import { switchRow } from './switch-row.ts';

/** What is open at first: what most endpoints differ in. */
const OPEN: ReadonlySet<GroupId> = new Set<GroupId>(['service']);

export interface Form {
  readonly element: HTMLElement;
  /** Shows a state, and opens what differs from a healthy endpoint. */
  show(state: PlaygroundState): void;
}

/** The fields of the playground in their groups. */
export function createForm(onChange: (differs: Partial<PlaygroundState>) => void): Form {
  const numbers = NUMBER_IDS.map((id) => ({
    id,
    group: NUMBERS[id].group,
    row: numberRow(id, (value) => onChange({ [id]: value })),
  }));
  const switches = SWITCH_IDS.map((id) => ({
    id,
    group: SWITCHES[id].group,
    row: switchRow(id, (value) => onChange({ [id]: value })),
  }));
  const fields = [...switches, ...numbers];
  const groups = GROUPS.map(({ id, title, hint }) => {
    const rows = fields.filter(({ group }) => group === id);
    return {
      ids: rows.map((field) => field.id),
      details: groupOf(
        { title, hint, open: OPEN.has(id) },
        rows.map(({ row }) => row.element),
      ),
    };
  });
  const form = element('form', { 'aria-label': 'What was observed', class: 'border-b border-line' }, [
    ...groups.map(({ details }) => details),
  ]);
  // There is nothing to send: every change is answered at once.
  form.addEventListener('submit', (event) => event.preventDefault());
  return {
    element: form,
    show: (state) => {
      for (const { id, row } of numbers) row.show(state[id]);
      for (const { id, row } of switches) row.show(state[id]);
      for (const { ids, details } of groups) {
        if (ids.some((id) => state[id] !== HEALTHY[id])) details.open = true;
      }
    },
  };
}

function groupOf(
  { title, hint, open }: { title: string; hint: string | null; open: boolean },
  rows: readonly HTMLElement[],
): HTMLDetailsElement {
  const details = element('details', { class: 'border-t border-line py-1' }, [
    element('summary', { class: 'cursor-pointer py-2 font-semibold' }, [title]),
    element('fieldset', { class: 'min-w-0 pb-3' }, [
      element('legend', { class: 'sr-only' }, [title]),
      ...(hint === null ? [] : [element('p', { class: 'pb-1 text-sm text-ink-soft' }, [hint])]),
      ...rows,
    ]),
  ]);
  details.open = open;
  return details;
}
