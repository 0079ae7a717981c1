import { createElement } from '../../../page-parts/dom.ts';
import {
  GROUPS,
  type FieldGroup,
  HEALTHY_STATE,
  NUMBERS,
  NUMBER_IDS,
  type NumberField,
  type NumberId,
  type PlaygroundState,
  SWITCHES,
  SWITCH_IDS,
  type SwitchId,
  clampToField,
} from './fields.ts';

/** Ids of the field groups that are open at first. */
const INITIALLY_OPEN: ReadonlySet<FieldGroup> = new Set<FieldGroup>(['service']);

interface Form {
  readonly element: HTMLElement;
  /** Shows a playground state. Opens each field group with a value that differs from a healthy endpoint. */
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
  // A change of a field takes effect immediately, so the form is never submitted.
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

/** Form row of one field. */
interface FieldRow<Value> {
  readonly element: HTMLElement;
  show(value: Value): void;
}

/** Creates a row with a slider and a number input. The slider and the input always show the same value. */
function createNumberRow(id: NumberId, onChange: (value: number) => void): FieldRow<number> {
  const field: NumberField = NUMBERS[id];
  const slider = createSlider(id, field);
  const box = createNumberBox(id, field);
  const show = (value: number): void => {
    slider.value = String(toPosition(id, value));
    slider.setAttribute('aria-valuetext', `${String(value)} ${field.unit}`.trim());
    // While the number input has the focus, it keeps the typed text.
    if (document.activeElement !== box) box.value = String(value);
  };
  const change = (value: number | null): void => {
    if (value !== null) onChange(value);
  };
  slider.addEventListener('input', () => change(toValue(id, Number(slider.value))));
  box.addEventListener('input', () => change(box.value === '' ? null : clampToField(id, Number(box.value))));
  return {
    show,
    element: createElement('div', { class: 'grid grid-cols-[1fr_auto] items-center gap-x-3 py-2' }, [
      createElement('label', { for: slider.id, class: 'min-w-0' }, [field.label]),
      createElement('span', { class: 'text-right text-sm whitespace-nowrap text-ink-soft' }, [
        box,
        ` ${field.unit}`,
      ]),
      slider,
    ]),
  };
}

function createSlider(id: NumberId, { scale, min, max, step }: NumberField): HTMLInputElement {
  const range = scale === 'log' ? { min: 0, max: SLIDER_POSITIONS, step: 1 } : { min, max, step };
  return createElement('input', {
    type: 'range',
    id: `play-${id}`,
    class: 'col-span-2 h-6 w-full cursor-pointer accent-accent',
    min: String(range.min),
    max: String(range.max),
    step: String(range.step),
  });
}

function createNumberBox(id: NumberId, { label, unit, min, max, step }: NumberField): HTMLInputElement {
  const box = createElement('input', {
    type: 'number',
    id: `play-${id}-number`,
    'aria-label': [label, 'exact value', unit].filter(Boolean).join(', '),
    class: 'w-22 border border-edge bg-panel px-2 py-0.5 text-right text-base text-ink tabular-nums',
    min: String(min),
    max: String(max),
    step: String(step),
    inputmode: 'decimal',
  });
  box.addEventListener('blur', () => {
    const clamped = box.value === '' ? null : clampToField(id, Number(box.value));
    // The typed text can be empty or out of range. The score always uses a valid value, so the input shows the valid
    // value.
    box.value = String(clamped ?? toValue(id, Number(findSlider(box)?.value)));
  });
  return box;
}

function findSlider(box: HTMLInputElement): HTMLInputElement | null {
  return box.closest('div')?.querySelector<HTMLInputElement>('input[type=range]') ?? null;
}

/** Creates a form row with a checkbox. */
function createSwitchRow(id: SwitchId, onChange: (value: boolean) => void): FieldRow<boolean> {
  const box = createElement('input', {
    type: 'checkbox',
    id: `play-${id}`,
    class: 'size-5 shrink-0 cursor-pointer accent-accent',
  });
  box.addEventListener('change', () => onChange(box.checked));
  return {
    show: (value) => {
      box.checked = value;
    },
    element: createElement('label', { for: box.id, class: 'flex cursor-pointer items-center gap-3 py-2' }, [
      box,
      SWITCHES[id].label,
    ]),
  };
}

/** Highest position of a slider with a logarithmic scale. The lowest position is 0. */
export const SLIDER_POSITIONS = 200;

/**
 * Converts the value of a field to a slider position. On a linear scale, the position is the value. On a logarithmic
 * scale, the position is a whole number from 0 to 200.
 */
export function toPosition(id: NumberId, value: number): number {
  const { scale, max, min }: NumberField = NUMBERS[id];
  if (scale === 'linear') return value;
  if (value <= min) return 0;
  const start = getScaleStart(id);
  // Position 0 is reserved for the minimum, because a minimum of 0 has no logarithm.
  return Math.round(
    Math.max(1, 1 + ((SLIDER_POSITIONS - 1) * Math.log(value / start)) / Math.log(max / start)),
  );
}

/**
 * Converts a slider position to the value of a field. On a logarithmic scale, the value is rounded to two significant
 * digits.
 */
export function toValue(id: NumberId, position: number): number {
  const { scale, max, min }: NumberField = NUMBERS[id];
  if (scale === 'linear') return clampToField(id, position) ?? min;
  if (position <= 0) return min;
  if (position >= SLIDER_POSITIONS) return max;
  const start = getScaleStart(id);
  const share = (position - 1) / (SLIDER_POSITIONS - 1);
  return clampToField(id, Number((start * (max / start) ** share).toPrecision(2))) ?? min;
}

/** Returns the value at position 1 of a logarithmic scale. The value is at least 1, because the minimum may be 0. */
function getScaleStart(id: NumberId): number {
  return Math.max(1, NUMBERS[id].min);
}
