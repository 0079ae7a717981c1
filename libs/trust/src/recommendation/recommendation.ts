import { CONFIDENCE } from '../confidence.ts';
import { isFree } from '../endpoint-state.ts';
import { barsProceed } from '../flags/flags.ts';
import type { Flag, Recommendation, ScoreInputs } from '../types.ts';

const AVOID_BELOW = 35;
const PROCEED_FROM = 65;

/** What a recommendation is made from; score and confidence as published. */
export interface RecommendFacts {
  readonly inputs: ScoreInputs;
  /** Whether a probe measured anything; else the score says nothing of the endpoint. */
  readonly isJudged: boolean;
  readonly score: number;
  readonly confidence: number;
  readonly flags: readonly Flag[];
}

/** A rule as it is published: a row for people to read, and the object that decides. */
interface RecommendationRow {
  readonly recommendation: Recommendation;
  /** When it applies, as a sentence. */
  readonly rule: string;
}

interface RecommendationRule extends RecommendationRow {
  /** Why the rule applies, a sentence for each reason; none when it does not. */
  readonly reasons: (facts: RecommendFacts) => readonly string[];
}

function when(condition: boolean, reason: string): readonly string[] {
  return condition ? [reason] : [];
}

/**
 * A template can often not be probed at all, so one that advertises what it costs is not unverified for want
 * of probes alone; for any other endpoint a scored probe is the least that must have been measured.
 */
function reasonsUnverified({ inputs: { templated, probes, advertised } }: RecommendFacts): readonly string[] {
  if (probes.scored > 0) return [];
  return templated
    ? when(advertised === null, 'The address is a template that was never probed and advertises no price.')
    : [
        probes.total > 0
          ? 'Every probe was turned away or told nothing of it.'
          : 'No probe has measured it yet.',
      ];
}

/** In order: the first rule with a reason decides. */
const RULES: readonly RecommendationRule[] = [
  {
    recommendation: 'free',
    rule: 'It answers plain requests with data and has never presented a payment challenge; it has no grade.',
    reasons: ({ inputs }) =>
      when(
        isFree(inputs),
        inputs.downSince === null
          ? 'It answers plain requests with data and has never asked to be paid.'
          : 'It answered plain requests with data until it went down, and has never asked to be paid.',
      ),
  },
  {
    recommendation: 'unverified',
    rule: 'No probe was scored in 30 days; a template only where it advertises no price either. It has no grade.',
    reasons: reasonsUnverified,
  },
  {
    recommendation: 'avoid',
    rule: `A flag of severity error is raised, or the score is below ${String(AVOID_BELOW)} and a probe measured something of it.`,
    reasons: ({ flags, score, isJudged }) => [
      ...flags.filter(({ severity }) => severity === 'error').map(({ message }) => message),
      ...when(
        isJudged && score < AVOID_BELOW,
        `The score of ${score.toFixed(1)} is below ${String(AVOID_BELOW)}.`,
      ),
    ],
  },
  {
    recommendation: 'parameterize',
    rule: 'The address is a template, whose placeholders must be filled in before paying.',
    reasons: ({ inputs }) =>
      when(inputs.templated, 'The address is a template: fill in its placeholders before paying.'),
  },
  {
    recommendation: 'caution',
    rule: `Confidence is below ${CONFIDENCE.low.toFixed(2)}.`,
    reasons: ({ confidence }) =>
      when(
        confidence < CONFIDENCE.low,
        `The confidence of ${confidence.toFixed(2)} is below ${CONFIDENCE.low.toFixed(2)}.`,
      ),
  },
  {
    recommendation: 'proceed',
    rule: `The score is ${String(PROCEED_FROM)} or more, and no warning that bars it is raised.`,
    reasons: ({ score, flags }) =>
      when(
        score >= PROCEED_FROM && !flags.some(barsProceed),
        `The score of ${score.toFixed(1)} is ${String(PROCEED_FROM)} or more, and no warning bars it.`,
      ),
  },
  {
    recommendation: 'caution',
    rule: 'None of the rules above applies.',
    reasons: ({ score, flags }) => [
      ...when(score < PROCEED_FROM, `The score of ${score.toFixed(1)} is below ${String(PROCEED_FROM)}.`),
      ...flags.filter(barsProceed).map(({ message }) => message),
    ],
  },
];

/** The rules as they are published, in order: the very rows that decide. */
export const RECOMMENDATION_RULES: readonly RecommendationRow[] = RULES;

/** The recommendation, and the sentences that led to it. One rule always applies: the last is the rest of the one before. */
export function recommend(facts: RecommendFacts): {
  recommendation: Recommendation;
  reasons: readonly string[];
} {
  for (const { recommendation, reasons } of RULES) {
    const given = reasons(facts);
    if (given.length > 0) return { recommendation, reasons: given };
  }
  return { recommendation: 'caution', reasons: [] };
}
