import { createElement } from './dom.ts';
import { NUMBERS, type NumberField, type NumberId } from './fields.ts';
import { SLIDER_POSITIONS, toPosition, toValue } from './slider-scale.ts';
import { clampToField } from './state.ts';

/** Form row of one field. */
export interface FieldRow<Value> {
  readonly element: HTMLElement;
  show(value: Value): void;
}

/** Creates a row with a slider and a number input, which always show the same value. */
export function createNumberRow(id: NumberId, onChange: (value: number) => void): FieldRow<number> {
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
    // The typed text can be empty or out of range, but the score was computed with a valid value. The input now shows
    // that value.
    box.value = String(clamped ?? toValue(id, Number(findSlider(box)?.value)));
  });
  return box;
}

function findSlider(box: HTMLInputElement): HTMLInputElement | null {
  return box.closest('div')?.querySelector<HTMLInputElement>('input[type=range]') ?? null;
}
