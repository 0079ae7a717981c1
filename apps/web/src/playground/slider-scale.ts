import { NUMBERS, type NumberField, type NumberId } from './fields.ts';
import { clampToField } from './state.ts';

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
