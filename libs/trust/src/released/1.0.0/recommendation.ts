import { LOW_CONFIDENCE } from './confidence.ts';
import { isFree } from './endpoint-state.ts';
import { preventsProceed } from './flags.ts';
import type { Grade, Recommendation } from './report-schema.ts';
import type { Flag, ScoreInputs } from './types.ts';

/** Minimum score of each grade, best grade first. */
export const GRADE_THRESHOLDS = [
  ['A', 80],
  ['B', 65],
  ['C', 50],
  ['D', 35],
  ['F', 0],
] as const satisfies readonly (readonly [Grade, number])[];

/**
 * Returns the grade of a score. The result is never `?`: `score` assigns this grade to endpoints that are free,
 * unverified, or not measured by any probe.
 *
 * @param score 0..100, as published
 */
export function toGrade(score: number): Exclude<Grade, '?'> {
  return GRADE_THRESHOLDS.find(([, minimum]) => score >= minimum)?.[0] ?? 'F';
}

/** Score below which the recommendation is `avoid`. */
const AVOID_BELOW = 35;
/** Minimum score of the recommendation `proceed`. */
const PROCEED_FROM = 65;

/** Inputs of a recommendation. Score and confidence are the published, rounded values. */
interface RecommendationInputs {
  readonly inputs: ScoreInputs;
  /**
   * True if probes measured at least one component. If false, a low score does not lead to the recommendation `avoid`.
   */
  readonly isJudged: boolean;
  readonly score: number;
  readonly confidence: number;
  readonly flags: readonly Flag[];
}

interface RecommendationRule {
  readonly recommendation: Recommendation;
  /** Returns one sentence for each reason why the rule applies, or an empty list if the rule does not apply. */
  readonly findReasons: (facts: RecommendationInputs) => readonly string[];
}

function reasonIf(condition: boolean, reason: string): readonly string[] {
  return condition ? [reason] : [];
}

/**
 * Returns the reasons for the recommendation `unverified`. Every endpoint needs at least one scored probe, with one
 * exception: a URL template that advertises payment terms is not unverified, because many templates cannot be probed.
 */
function findUnverifiedReasons({
  inputs: { templated, probes, advertised },
}: RecommendationInputs): readonly string[] {
  if (probes.scored > 0) return [];
  if (templated) {
    return reasonIf(
      advertised === null,
      'The URL is a template, no probe of it was scored in the last 30 days, and it advertises no payment terms.',
    );
  }
  return [
    probes.total > 0
      ? 'Probes were made in the last 30 days, but none could be scored.'
      : 'No probe was made in the last 30 days.',
  ];
}

/** All recommendation rules in order. The first rule that returns a reason decides. */
const RULES: readonly RecommendationRule[] = [
  {
    recommendation: 'free',
    findReasons: ({ inputs }) =>
      reasonIf(
        isFree(inputs),
        inputs.downSince === null
          ? 'The endpoint returns data without payment and has never sent a payment challenge.'
          : 'The endpoint returned data without payment until it went down, and has never sent a payment challenge.',
      ),
  },
  {
    recommendation: 'unverified',
    findReasons: findUnverifiedReasons,
  },
  {
    recommendation: 'avoid',
    findReasons: ({ flags, score, isJudged }) => [
      ...flags.filter(({ severity }) => severity === 'error').map(({ message }) => message),
      ...reasonIf(isJudged && score < AVOID_BELOW, `The score of ${score.toFixed(1)} is below 35.`),
    ],
  },
  {
    recommendation: 'parameterize',
    findReasons: ({ inputs }) =>
      reasonIf(inputs.templated, 'The URL is a template: fill in its placeholders before paying.'),
  },
  {
    recommendation: 'caution',
    findReasons: ({ confidence }) =>
      reasonIf(confidence < LOW_CONFIDENCE, `The confidence of ${confidence.toFixed(2)} is below 0.30.`),
  },
  {
    recommendation: 'proceed',
    findReasons: ({ score, flags }) =>
      reasonIf(
        score >= PROCEED_FROM && !flags.some(preventsProceed),
        `The score of ${score.toFixed(1)} is 65 or more, and no flag prevents the recommendation to proceed.`,
      ),
  },
  {
    recommendation: 'caution',
    findReasons: ({ score, flags }) => [
      ...reasonIf(score < PROCEED_FROM, `The score of ${score.toFixed(1)} is below 65.`),
      ...flags.filter(preventsProceed).map(({ message }) => message),
    ],
  },
];

/**
 * Returns the recommendation for an endpoint and the reasons for it. One rule always applies, because the last rule
 * applies whenever the rule before it does not.
 */
export function recommend(facts: RecommendationInputs): {
  recommendation: Recommendation;
  reasons: readonly string[];
} {
  for (const { recommendation, findReasons } of RULES) {
    const reasons = findReasons(facts);
    if (reasons.length > 0) return { recommendation, reasons };
  }
  return { recommendation: 'caution', reasons: [] };
}
