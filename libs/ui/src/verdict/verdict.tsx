import { toConfidenceBand } from '@touchstone/common';
import type { Grade, Recommendation } from '@touchstone/contract';
import { MIN_CAUTION_SCORE, MIN_PROCEED_SCORE } from '@touchstone/contract/shared/values';
import { StrokeIcon } from '../values/stroke-icon.tsx';

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

/** Formats a recommendation, followed by the grade if there is one. */
export function formatVerdict(verdict: {
  readonly grade: Grade;
  readonly recommendation: Recommendation;
}): string {
  const { label } = describeRecommendation(verdict.recommendation);
  return verdict.grade === '?' ? label : `${label} · ${formatGrade(verdict.grade)}`;
}

/**
 * Variant of the mark of a grade. `hollow`: the grade is provisional. `muted`: the recommendation is `avoid`, so the
 * grade must not look like praise.
 */
export type GradeVariant = 'solid' | 'hollow' | 'muted';

/** Returns the variant of the mark of a grade. A grade with a low confidence is provisional. */
export function getGradeVariant(verdict: {
  readonly recommendation: Recommendation;
  readonly confidence: number;
}): GradeVariant {
  if (toConfidenceBand(verdict.confidence) === 'low') return 'hollow';
  return verdict.recommendation === 'avoid' ? 'muted' : 'solid';
}

/** Returns the outline of the mark of a grade as an SVG path in a drawing 48 wide and 56 high. */
export function getGradeOutline(grade: Grade): string {
  return GRADE_SHAPES[grade].outline;
}

/** Fill of the plate and of the letter in each variant; null takes the colors of the grade. */
const GRADE_VARIANTS = {
  solid: null,
  hollow: { plate: 'fill-transparent', letter: 'fill-current' },
  muted: { plate: 'fill-line', letter: 'fill-current' },
} as const satisfies Readonly<Record<GradeVariant, Pick<GradeShape, 'plate' | 'letter'> | null>>;

/** Grade as an image with an accessible name. */
export function GradeMark({
  grade,
  variant = 'solid',
  className = '',
}: {
  readonly grade: Grade;
  readonly variant?: GradeVariant;
  readonly className?: string;
}) {
  const { outline, baseline, ...colors } = GRADE_SHAPES[grade];
  const { plate, letter } = (grade === '?' ? null : GRADE_VARIANTS[variant]) ?? colors;
  return (
    <svg
      viewBox="0 0 48 56"
      className={variant === 'solid' ? className : `text-ink-soft ${className}`}
      role="img"
      aria-label={formatGrade(grade)}
    >
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

interface RecommendationDescription {
  readonly label: string;
  /** Advice for a payer, in one to three sentences. */
  readonly meaning: string;
  /**
   * SVG path of the icon in a 16 by 16 drawing, for a stroke. Each recommendation has a different path, so that color is
   * not the only difference.
   */
  readonly path: string;
  /** Class of the text color on the background of a page. */
  readonly tone: string;
  /** Background of the band of an endpoint page, equal in both schemes. */
  readonly band: string;
  /** Color of `band`, for images. */
  readonly color: string;
}

const NEUTRAL = { band: 'bg-[#3d464b]', color: '#3d464b' } as const;

const RECOMMENDATION_DESCRIPTIONS: Readonly<Record<Recommendation, RecommendationDescription>> = {
  proceed: {
    label: 'Proceed',
    meaning: `The score is ${MIN_PROCEED_SCORE} or more with enough observations, and there is no error flag. Warnings can remain; read them before you pay.`,
    path: 'M3 8.5 6.5 12 13 4.5',
    tone: 'text-good',
    band: 'bg-[#1a6243]',
    color: '#1a6243',
  },
  caution: {
    label: 'Caution',
    meaning: `The score is below ${MIN_PROCEED_SCORE}, a warning advises care, or there are not enough measurements yet. Check the endpoint before you pay.`,
    path: 'M8 2.5 14.5 13.5h-13zM8 6.5v3.2M8 11.4v.6',
    tone: 'text-warn',
    band: 'bg-[#7a4f00]',
    color: '#7a4f00',
  },
  parameterize: {
    label: 'Parameterize',
    meaning:
      'The URL is a template. Replace its placeholders with real values, and get a report on the resulting URL before you pay.',
    path: 'M6 2.5c-2 0-2 1-2 2.5S3.5 8 2 8c1.5 0 2 1.5 2 3s0 2.5 2 2.5M10 2.5c2 0 2 1 2 2.5s.5 3 2 3c-1.5 0-2 1.5-2 3s0 2.5-2 2.5',
    tone: 'text-ink',
    ...NEUTRAL,
  },
  avoid: {
    label: 'Avoid',
    meaning: `Do not pay the endpoint at present. One error flag or a score below ${MIN_CAUTION_SCORE} is enough for this recommendation.`,
    path: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
    tone: 'text-bad',
    band: 'bg-[#9d2719]',
    color: '#9d2719',
  },
  unverified: {
    label: 'Unverified',
    meaning: 'No probe could be scored in the last 30 days, so the endpoint has no grade.',
    path: 'M5.5 6a2.5 2.5 0 1 1 3.5 2.3c-.7.4-1 .8-1 1.7M8 12.4v.6',
    tone: 'text-ink-soft',
    ...NEUTRAL,
  },
  free: {
    label: 'Free',
    meaning: 'The endpoint returns data without payment and has never requested payment, so it has no grade.',
    path: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11',
    tone: 'text-ink-soft',
    ...NEUTRAL,
  },
};

/** Color of the text on the color of a recommendation. */
export const RECOMMENDATION_TEXT_COLOR = '#fbfcfa';

/** Returns the label, the meaning, the icon and the colors of a recommendation. */
export function describeRecommendation(recommendation: Recommendation): RecommendationDescription {
  return RECOMMENDATION_DESCRIPTIONS[recommendation];
}

/**
 * Recommendation as an icon with a label.
 *
 * @param props.isOnBand True on the background of the recommendation, where the text has the color of its parent.
 */
export function RecommendationChip({
  recommendation,
  isOnBand = false,
  className = '',
}: {
  readonly recommendation: Recommendation;
  readonly isOnBand?: boolean;
  readonly className?: string;
}) {
  const { label, path, tone } = describeRecommendation(recommendation);
  return (
    <span
      className={`inline-flex items-center gap-1.5 font-semibold whitespace-nowrap ${isOnBand ? '' : tone} ${className}`}
    >
      <StrokeIcon path={path} className="size-[1em] shrink-0" />
      {label}
    </span>
  );
}
