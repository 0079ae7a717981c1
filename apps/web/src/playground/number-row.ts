import { element } from './dom.ts';
import { NUMBERS, type NumberField, type NumberId } from './fields.ts';
import { POSITIONS, positionOf, valueAt } from './slider.ts';
import { settle } from './state.ts';

/** Part of the form that shows one field. */
export interface Row<Value> {
  readonly element: HTMLElement;
  show(value: Value): void;
}

/** A figure as a slider for trying and a box for typing; both always show the same. */
export function numberRow(id: NumberId, onChange: (value: number) => void): Row<number> {
  const field: NumberField = NUMBERS[id];
  const slider = sliderOf(id, field);
  const box = boxOf(id, field);
  const show = (value: number): void => {
    slider.value = String(positionOf(id, value));
    slider.setAttribute('aria-valuetext', `${String(value)} ${field.unit}`.trim());
    // A box that is being typed in says what was typed until it is left.
    if (document.activeElement !== box) box.value = String(value);
  };
  const change = (value: number | null): void => {
    if (value !== null) onChange(value);
  };
  slider.addEventListener('input', () => change(valueAt(id, Number(slider.value))));
  box.addEventListener('input', () => change(box.value === '' ? null : settle(id, Number(box.value))));
  return {
    show,
    element: element('div', { class: 'grid grid-cols-[1fr_auto] items-center gap-x-3 py-2' }, [
      element('label', { for: slider.id, class: 'min-w-0' }, [field.label]),
      element('span', { class: 'text-right text-sm whitespace-nowrap text-ink-soft' }, [
        box,
        ` ${field.unit}`,
      ]),
      slider,
    ]),
  };
}

function sliderOf(id: NumberId, { scale, min, max, step }: NumberField): HTMLInputElement {
  const range = scale === 'log' ? { min: 0, max: POSITIONS, step: 1 } : { min, max, step };
  return element('input', {
    type: 'range',
    id: `play-${id}`,
    class: 'col-span-2 h-6 w-full cursor-pointer accent-accent',
    min: String(range.min),
    max: String(range.max),
    step: String(range.step),
  });
}

function boxOf(id: NumberId, { label, unit, min, max, step }: NumberField): HTMLInputElement {
  const box = element('input', {
    type: 'number',
    id: `play-${id}-figure`,
    'aria-label': [label, 'as a figure', unit].filter(Boolean).join(', '),
    class: 'w-22 border border-edge bg-panel px-2 py-0.5 text-right text-base text-ink tabular-nums',
    min: String(min),
    max: String(max),
    step: String(step),
    inputmode: 'decimal',
  });
  box.addEventListener('blur', () => {
    const settled = box.value === '' ? null : settle(id, Number(box.value));
    // What was left empty or out of bounds becomes what the score was computed with.
    box.value = String(settled ?? valueAt(id, Number(sliderBeside(box)?.value)));
  });
  return box;
}

function sliderBeside(box: HTMLInputElement): HTMLInputElement | null {
  return box.closest('div')?.querySelector<HTMLInputElement>('input[type=range]') ?? null;
}
