import type { Recommendation } from '@touchstone/contract';
import { CONFIDENCE } from '../confidence.ts';
import { isFree } from '../endpoint-state.ts';
import { preventsProceed } from '../flags/flags.ts';
import type { Flag, ScoreInputs } from '../types.ts';

const AVOID_BELOW = 35;
const PROCEED_FROM = 65;

/** Inputs of a recommendation. Score and confidence are the published, rounded values. */
export interface RecommendationInputs {
  readonly inputs: ScoreInputs;
  /**
   * True if probes measured at least one component. If false, a low score does not lead to the recommendation `avoid`.
   */
  readonly isJudged: boolean;
  readonly score: number;
  readonly confidence: number;
  readonly flags: readonly Flag[];
}

/**
 * Published description of a recommendation rule. `recommend` uses the same object, so description and result always
 * agree.
 */
interface RecommendationRow {
  readonly recommendation: Recommendation;
  /** Sentence that states when the rule applies. */
  readonly rule: string;
}

interface RecommendationRule extends RecommendationRow {
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
    rule: 'The endpoint returns data without payment and has never sent a payment challenge. It has no grade.',
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
    rule: 'No probe was scored in the last 30 days. For a template, the rule also requires that no payment terms are advertised. The endpoint has no grade.',
    findReasons: findUnverifiedReasons,
  },
  {
    recommendation: 'avoid',
    rule: `A flag of severity error is raised, or the score is below ${String(AVOID_BELOW)} and is based on at least one probe.`,
    findReasons: ({ flags, score, isJudged }) => [
      ...flags.filter(({ severity }) => severity === 'error').map(({ message }) => message),
      ...reasonIf(
        isJudged && score < AVOID_BELOW,
        `The score of ${score.toFixed(1)} is below ${String(AVOID_BELOW)}.`,
      ),
    ],
  },
  {
    recommendation: 'parameterize',
    rule: 'The URL is a template, and its placeholders must be filled in before paying.',
    findReasons: ({ inputs }) =>
      reasonIf(inputs.templated, 'The URL is a template: fill in its placeholders before paying.'),
  },
  {
    recommendation: 'caution',
    rule: `Confidence is below ${CONFIDENCE.low.toFixed(2)}.`,
    findReasons: ({ confidence }) =>
      reasonIf(
        confidence < CONFIDENCE.low,
        `The confidence of ${confidence.toFixed(2)} is below ${CONFIDENCE.low.toFixed(2)}.`,
      ),
  },
  {
    recommendation: 'proceed',
    rule: `The score is ${String(PROCEED_FROM)} or more, and no flag prevents the recommendation to proceed.`,
    findReasons: ({ score, flags }) =>
      reasonIf(
        score >= PROCEED_FROM && !flags.some(preventsProceed),
        `The score of ${score.toFixed(1)} is ${String(PROCEED_FROM)} or more, and no flag prevents the recommendation to proceed.`,
      ),
  },
  {
    recommendation: 'caution',
    rule: 'None of the rules above applies.',
    findReasons: ({ score, flags }) => [
      ...reasonIf(score < PROCEED_FROM, `The score of ${score.toFixed(1)} is below ${String(PROCEED_FROM)}.`),
      ...flags.filter(preventsProceed).map(({ message }) => message),
    ],
  },
];

/** Published list of all recommendation rules, in order. */
export const RECOMMENDATION_RULES: readonly RecommendationRow[] = RULES;

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
