import { NUMBERS, type NumberField, type NumberId } from './fields.ts';
import { clampToField } from './state.ts';

/** Maximum position of a slider with a logarithmic scale. */
export const SLIDER_POSITIONS = 200;

/** Converts a value to a slider position: the value itself, or 0 to 200 on a logarithmic scale. */
export function toPosition(id: NumberId, value: number): number {
  const { scale, max, min }: NumberField = NUMBERS[id];
  if (scale === 'linear') return value;
  if (value <= min) return 0;
  const start = getScaleStart(id);
  // Position 0 is the minimum, which may be 0 and then has no logarithm.
  return Math.round(
    Math.max(1, 1 + ((SLIDER_POSITIONS - 1) * Math.log(value / start)) / Math.log(max / start)),
  );
}

/** Converts a slider position to a value, rounded to two significant digits on a logarithmic scale. */
export function toValue(id: NumberId, position: number): number {
  const { scale, max, min }: NumberField = NUMBERS[id];
  if (scale === 'linear') return clampToField(id, position) ?? min;
  if (position <= 0) return min;
  if (position >= SLIDER_POSITIONS) return max;
  const start = getScaleStart(id);
  const share = (position - 1) / (SLIDER_POSITIONS - 1);
  return clampToField(id, Number((start * (max / start) ** share).toPrecision(2))) ?? min;
}

/** Returns the first value of a logarithmic scale. It is at least 1, because the minimum may be 0. */
function getScaleStart(id: NumberId): number {
  return Math.max(1, NUMBERS[id].min);
}
