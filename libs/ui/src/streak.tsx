import type { Grade } from './verdict.ts';

const METALS: Readonly<Record<Grade, string>> = {
  A: 'stroke-gold',
  B: 'stroke-silver',
  C: 'stroke-copper',
  D: 'stroke-iron',
  F: 'stroke-rust',
  '?': 'stroke-stone-soft',
};

const SCRATCHES = 14;

/**
 * The scratches of a streak rubbed onto the stone, in a drawing 100 wide and 10 high: some fainter, some ending
 * sooner, as grains of the stone took them. They are always the same, so a page rendered twice is the same page.
 *
 * @param length How far the longest reaches, 0 to 100.
 * @param grain Which of the scratches to draw: every third one, beginning with this one.
 */
export function scratches(length: number, grain: 0 | 1 | 2): string {
  const reach = Math.min(100, Math.max(0, length));
  return Array.from({ length: SCRATCHES }, (_, index) => index)
    .filter((index) => index % 3 === grain)
    .map((index) => {
      const height = 0.4 + (9.2 * index) / (SCRATCHES - 1);
      const start = roughness(index) * Math.min(1, reach / 10);
      const end = reach - roughness(index + SCRATCHES) * Math.min(5, reach / 6);
      return `M${round(start)} ${round(height)}H${round(end)}`;
    })
    .join('');
}

/** A fixed number from 0 to 1 for each whole number, without a visible pattern between neighbours. */
function roughness(index: number): number {
  const wave = Math.sin((index + 1) * 127.1) * 43758.5453;
  return wave - Math.floor(wave);
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}

/** A streak of a grade's metal, as long as a share of the stone. A drawing only: its value stands beside it in text. */
export function Streak({
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
      className={`${METALS[grade]} ${className}`}
      aria-hidden="true"
    >
      <path d={scratches(length, 0)} strokeWidth="1.1" />
      <path d={scratches(length, 1)} strokeWidth=".9" opacity=".8" />
      <path d={scratches(length, 2)} strokeWidth=".8" opacity=".55" />
    </svg>
  );
}
