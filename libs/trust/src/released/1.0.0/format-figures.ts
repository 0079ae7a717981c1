import { roundHalfUp } from '../../numbers/rounding.ts';

/** Formats a share as percent with one decimal, such as `99.4 %`. */
export function formatPercent(share: number): string {
  return `${String(roundHalfUp(share * 100, 1))} %`;
}

/** Formats a count with its noun in singular or plural: `1 day`, `2 days`. */
export function formatCount(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}
