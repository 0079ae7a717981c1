import type { Grade } from '@touchstone/contract';

interface GradeShape {
  readonly outline: string;
  readonly plate: string;
  readonly letter: string;
  /** Baseline of the letter in the 48 by 56 drawing, in SVG units. */
  readonly baseline: number;
}

/** Shape, letter and colors of the mark of each grade. Outline and letter distinguish the grades without color. */
const GRADE_SHAPES: Readonly<Record<Grade, GradeShape>> = {
  A: {
    outline: 'M4 4h40v28c0 11-9 17-20 20C13 49 4 43 4 32z',
    plate: 'fill-gold',
    letter: 'fill-[#1b1404]',
    baseline: 37,
  },
  B: {
    outline: 'M13 4h22l9 9v30l-9 9H13l-9-9V13z',
    plate: 'fill-silver-plate',
    letter: 'fill-[#14181a]',
    baseline: 39,
  },
  C: {
    outline: 'M24 4c12 0 20 10 20 24S36 52 24 52 4 42 4 28 12 4 24 4z',
    plate: 'fill-copper',
    letter: 'fill-[#1a0d05]',
    baseline: 39,
  },
  D: {
    outline: 'M12 4h24a8 8 0 0 0 8 8v32a8 8 0 0 0-8 8H12a8 8 0 0 0-8-8V12a8 8 0 0 0 8-8z',
    plate: 'fill-iron-plate',
    letter: 'fill-[#ffffff]',
    baseline: 39,
  },
  F: {
    outline: 'M4 4h40v42l-6 6-7-7-7 7-7-7-7 7-6-6z',
    plate: 'fill-rust-plate',
    letter: 'fill-[#ffffff]',
    baseline: 36,
  },
  '?': {
    outline: 'M24 6a22 22 0 1 1 0 44 22 22 0 0 1 0-44z',
    plate: 'fill-transparent [stroke-dasharray:5_4]',
    letter: 'fill-current',
    baseline: 39,
  },
};

/** Formats a grade as accessible text. */
export function formatGrade(grade: Grade): string {
  return grade === '?' ? 'Ungraded' : `Grade ${grade}`;
}

/** Returns the outline of the mark of a grade as an SVG path in a drawing 48 wide and 56 high. */
export function getGradeOutline(grade: Grade): string {
  return GRADE_SHAPES[grade].outline;
}

/** Grade as an image with an accessible name. */
export function GradeMark({ grade, className }: { readonly grade: Grade; readonly className?: string }) {
  const { outline, plate, letter, baseline } = GRADE_SHAPES[grade];
  return (
    <svg viewBox="0 0 48 56" className={className} role="img" aria-label={formatGrade(grade)}>
      <path
        d={outline}
        className={`stroke-current ${plate}`}
        strokeWidth="2"
        vectorEffect="non-scaling-stroke"
        strokeLinejoin="round"
      />
      <text
        x="24"
        y={baseline}
        textAnchor="middle"
        fontSize="30"
        fontWeight="800"
        className={letter}
        aria-hidden="true"
      >
        {grade}
      </text>
    </svg>
  );
}
