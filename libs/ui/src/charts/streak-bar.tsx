import type { Grade } from '@touchstone/contract';

const METAL_CLASSES: Readonly<Record<Grade, string>> = {
  A: 'stroke-gold',
  B: 'stroke-silver',
  C: 'stroke-copper',
  D: 'stroke-iron',
  F: 'stroke-rust',
  '?': 'stroke-stone-soft',
};

const SCRATCH_COUNT = 14;

/**
 * Returns an SVG path of horizontal lines with uneven ends, in a drawing 100 wide and 10 high. The lines look like a
 * streak of metal on a touchstone. The result is deterministic, so that repeated renderings are equal.
 *
 * @param length Length of the longest line, 0 to 100.
 * @param grain Index of the first line to draw; after it, every third line is drawn.
 */
export function drawScratches(length: number, grain: 0 | 1 | 2): string {
  const reach = Math.min(100, Math.max(0, length));
  return Array.from({ length: SCRATCH_COUNT }, (_, index) => index)
    .filter((index) => index % 3 === grain)
    .map((index) => {
      const height = 0.4 + (9.2 * index) / (SCRATCH_COUNT - 1);
      const start = getRoughness(index) * Math.min(1, reach / 10);
      const end = reach - getRoughness(index + SCRATCH_COUNT) * Math.min(5, reach / 6);
      return `M${round(start)} ${round(height)}H${round(end)}`;
    })
    .join('');
}

/** Returns a fixed pseudo-random number from 0 to 1 for each index. */
function getRoughness(index: number): number {
  const wave = Math.sin((index + 1) * 127.1) * 43758.5453;
  return wave - Math.floor(wave);
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}

/** Bar in the color of a grade. Screen readers skip the bar, because the page also shows its value as text. */
export function StreakBar({
  length,
  grade,
  className = '',
}: {
  readonly length: number;
  readonly grade: Grade;
  readonly className?: string;
}) {
  return (
    <svg
      viewBox="0 0 100 10"
      preserveAspectRatio="none"
      className={`${METAL_CLASSES[grade]} ${className}`}
      aria-hidden="true"
    >
      <path d={drawScratches(length, 0)} strokeWidth="1.1" />
      <path d={drawScratches(length, 1)} strokeWidth=".9" opacity=".8" />
      <path d={drawScratches(length, 2)} strokeWidth=".8" opacity=".55" />
    </svg>
  );
}
