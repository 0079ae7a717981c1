import { NUMBERS, type NumberField, type NumberId } from './fields.ts';
import { settle } from './state.ts';

/** Positions of a slider whose scale is logarithmic. */
export const POSITIONS = 200;

/** Where a slider stands for a figure: the figure itself, or on a logarithmic scale 0 to 200. */
export function positionOf(id: NumberId, value: number): number {
  const { scale, max, min }: NumberField = NUMBERS[id];
  if (scale === 'linear') return value;
  if (value <= min) return 0;
  const least = leastOf(id);
  // The first position is the minimum, which may be 0 and has no place on such a scale.
  return Math.round(Math.max(1, 1 + ((POSITIONS - 1) * Math.log(value / least)) / Math.log(max / least)));
}

/** The figure at a position of a slider, with two digits on a logarithmic scale. */
export function valueAt(id: NumberId, position: number): number {
  const { scale, max, min }: NumberField = NUMBERS[id];
  if (scale === 'linear') return settle(id, position) ?? min;
  if (position <= 0) return min;
  if (position >= POSITIONS) return max;
  const least = leastOf(id);
  const share = (position - 1) / (POSITIONS - 1);
  return settle(id, Number((least * (max / least) ** share).toPrecision(2))) ?? min;
}

/** Where a logarithmic scale begins, above its minimum of 0. */
function leastOf(id: NumberId): number {
  return Math.max(1, NUMBERS[id].min);
}
