import type { Column, Segment } from './day-layout.ts';

/** Returns the SVG path of a rectangle. */
export function drawBox({ x, width }: Column, { y, height }: Segment): string {
  return `M${x} ${y}h${width}v${height}h${-width}z`;
}
