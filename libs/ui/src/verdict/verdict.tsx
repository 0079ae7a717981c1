import type { Grade, Recommendation } from '@touchstone/contract';
import { MIN_CAUTION_SCORE, MIN_PROCEED_SCORE } from '@touchstone/contract/shared/values';

interface RecommendationText {
  readonly label: string;
  /** Advice for a payer, in one to three sentences. */
  readonly meaning: string;
}

const RECOMMENDATION_TEXTS: Readonly<Record<Recommendation, RecommendationText>> = {
  proceed: {
    label: 'Proceed',
    meaning: `The score is ${MIN_PROCEED_SCORE} or more with enough observations, and there is no error flag. Warnings can remain; read them before you pay.`,
  },
  caution: {
    label: 'Caution',
    meaning: `The score is below ${MIN_PROCEED_SCORE}, a warning advises care, or there are not enough measurements yet. Check the endpoint before you pay.`,
  },
  parameterize: {
    label: 'Parameterize',
    meaning:
      'The URL is a template. Replace its placeholders with real values, and get a report on the resulting URL before you pay.',
  },
  avoid: {
    label: 'Avoid',
    meaning: `Do not pay the endpoint at present. One error flag or a score below ${MIN_CAUTION_SCORE} is enough for this recommendation.`,
  },
  unverified: {
    label: 'Unverified',
    meaning: 'No probe could be scored in the last 30 days, so the endpoint has no grade.',
  },
  free: {
    label: 'Free',
    meaning: 'The endpoint returns data without payment and has never requested payment, so it has no grade.',
  },
};

/** Returns the label and the meaning of a recommendation. */
export function getRecommendationText(recommendation: Recommendation): RecommendationText {
  return RECOMMENDATION_TEXTS[recommendation];
}

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

/** Returns true if a reader must see the recommendation before the grade. */
export function isCautionary(recommendation: Recommendation): boolean {
  return recommendation === 'avoid' || recommendation === 'caution';
}

/** Formats a grade, after the recommendation if it is `avoid` or `caution`. Without a grade: the recommendation. */
export function formatVerdict(verdict: {
  readonly grade: Grade;
  readonly recommendation: Recommendation;
}): string {
  const grade = formatGrade(verdict.grade);
  const { label } = getRecommendationText(verdict.recommendation);
  if (isCautionary(verdict.recommendation)) return `${label} · ${grade}`;
  return verdict.grade === '?' ? label : grade;
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

interface RecommendationIcon {
  /**
   * SVG path of the icon in a 16 by 16 drawing. Each recommendation has a different path, so that color is not the only
   * difference.
   */
  readonly path: string;
  readonly tone: string;
}

const RECOMMENDATION_ICONS: Readonly<Record<Recommendation, RecommendationIcon>> = {
  proceed: { path: 'M3 8.5 6.5 12 13 4.5', tone: 'text-good' },
  caution: { path: 'M8 2.5 14.5 13.5h-13zM8 6.5v3.2M8 11.4v.6', tone: 'text-warn' },
  parameterize: {
    path: 'M6 2.5c-2 0-2 1-2 2.5S3.5 8 2 8c1.5 0 2 1.5 2 3s0 2.5 2 2.5M10 2.5c2 0 2 1 2 2.5s.5 3 2 3c-1.5 0-2 1.5-2 3s0 2.5-2 2.5',
    tone: 'text-ink',
  },
  avoid: { path: 'M3.5 3.5l9 9M12.5 3.5l-9 9', tone: 'text-bad' },
  unverified: { path: 'M5.5 6a2.5 2.5 0 1 1 3.5 2.3c-.7.4-1 .8-1 1.7M8 12.4v.6', tone: 'text-ink-soft' },
  free: { path: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11', tone: 'text-ink-soft' },
};

/** Recommendation as an icon with a label. */
export function RecommendationChip({
  recommendation,
  className = '',
}: {
  readonly recommendation: Recommendation;
  readonly className?: string;
}) {
  const { path, tone } = RECOMMENDATION_ICONS[recommendation];
  return (
    <span className={`inline-flex items-center gap-1.5 font-semibold whitespace-nowrap ${tone} ${className}`}>
      <svg viewBox="0 0 16 16" className="size-[1em] shrink-0" aria-hidden="true">
        <path
          d={path}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.75"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      {getRecommendationText(recommendation).label}
    </span>
  );
}
