import { formatDay } from '@touchstone/common';
import {
  GRADE_THRESHOLDS,
  MIN_CAUTION_SCORE,
  MIN_PROCEED_SCORE,
  type Grade,
  type Recommendation,
} from '@touchstone/contract';
import { isCauseNamed } from '../caps.ts';
import { describeOutage, formatCause } from '../cause-texts.ts';
import { CONFIDENCE } from '../confidence.ts';
import { isFree } from '../endpoint-state.ts';
import { formatCount } from '../numbers.ts';
import type { Cap, ComponentScore, Flag, ScoreInputs } from '../types.ts';

/**
 * Returns the grade of a score. The result is never `?`: `score` assigns this grade to endpoints that are free,
 * unverified, or not measured by any probe.
 *
 * @param score 0..100, as published
 */
export function toGrade(score: number): Exclude<Grade, '?'> {
  return GRADE_THRESHOLDS.find(([, minimum]) => score >= minimum)?.[0] ?? 'F';
}

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
  readonly components: readonly ComponentScore[];
  readonly caps: readonly Cap[];
}

interface RecommendationRule {
  readonly recommendation: Recommendation;
  /** Published sentence that states when the rule applies. */
  readonly rule: string;
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
  inputs: { templated, probes, advertised, lastFailure },
}: RecommendationInputs): readonly string[] {
  if (probes.scored > 0) return [];
  if (templated) {
    return reasonIf(
      advertised === null,
      'The URL is a template, no probe of it was scored in the last 30 days, and it advertises no payment terms.',
    );
  }
  if (probes.total <= 0) return ['No probe was made in the last 30 days.'];
  const failure =
    lastFailure === null ? '' : `; since ${formatDay(lastFailure.since)}: ${formatCause(lastFailure)}`;
  return [
    `${formatCount(probes.total, 'probe')} in the last 30 days, none of which could be scored${failure}.`,
  ];
}

function explainFree(inputs: ScoreInputs): string {
  const outage = describeOutage(inputs);
  return outage === null
    ? 'The endpoint returns data without payment and has never sent a payment challenge.'
    : `The endpoint returned data without payment until it went down, and has never sent a payment challenge; ${outage}.`;
}

/** Returns the reasons for `caution` because of low confidence, including the warnings that advise against paying. */
function findLowConfidenceReasons({ confidence, inputs, flags }: RecommendationInputs): readonly string[] {
  const { probes, firstSeen } = inputs;
  if (confidence >= CONFIDENCE.low) return [];
  return [
    `Only ${formatCount(probes.scored, 'scored probe')} in the last 30 days, first seen on ${formatDay(firstSeen)}: ` +
      `the confidence of ${confidence.toFixed(2)} is below ${CONFIDENCE.low.toFixed(2)}.`,
    ...flags.filter((flag) => flag.preventsProceed).map(({ reason }) => reason),
  ];
}

/**
 * Returns the reasons of error flags. The share of unpayable challenges is left out if no challenge can be paid,
 * because the share then adds no information.
 */
function listErrorReasons(errors: readonly Flag[]): string[] {
  const isNotPayable = errors.some(({ slug }) => slug === 'not-payable');
  return errors
    .filter(({ slug }) => !isNotPayable || slug !== 'envelope-noncompliant')
    .map(({ reason }) => reason);
}

/**
 * Published list of all recommendation rules, in the order of evaluation. The first rule that returns a reason decides.
 */
export const RECOMMENDATION_RULES: readonly RecommendationRule[] = [
  {
    recommendation: 'free',
    rule: 'The endpoint returns data without payment and has never sent a payment challenge. It has no grade.',
    findReasons: ({ inputs }) => reasonIf(isFree(inputs), explainFree(inputs)),
  },
  {
    recommendation: 'unverified',
    rule: 'No probe was scored in the last 30 days. For a template, the rule also requires that no payment terms are advertised. The endpoint has no grade.',
    findReasons: findUnverifiedReasons,
  },
  {
    recommendation: 'avoid',
    rule: `A flag of severity error is raised, or the score is below ${String(MIN_CAUTION_SCORE)} and is based on at least one probe.`,
    findReasons: (facts) => {
      const errors = facts.flags.filter(({ severity }) => severity === 'error');
      const isScoreLow = facts.isJudged && facts.score < MIN_CAUTION_SCORE;
      return [
        ...listErrorReasons(errors),
        ...(isScoreLow ? [explainLowScore(facts, MIN_CAUTION_SCORE, errors)] : []),
      ];
    },
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
    findReasons: findLowConfidenceReasons,
  },
  {
    recommendation: 'proceed',
    rule: `The score is ${String(MIN_PROCEED_SCORE)} or more, and no flag prevents the recommendation to proceed.`,
    findReasons: (facts) =>
      facts.score >= MIN_PROCEED_SCORE && !facts.flags.some((flag) => flag.preventsProceed)
        ? [
            explainGoodScore(facts),
            ...facts.flags.filter(({ slug }) => slug === 'payto-changed').map(({ reason }) => reason),
          ]
        : [],
  },
  {
    recommendation: 'caution',
    rule: 'None of the rules above applies.',
    findReasons: (facts) => {
      const warnings = facts.flags.filter((flag) => flag.preventsProceed);
      return [
        ...warnings.map(({ reason }) => reason),
        ...(facts.score < MIN_PROCEED_SCORE ? [explainLowScore(facts, MIN_PROCEED_SCORE, warnings)] : []),
      ];
    },
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
  for (const { recommendation, findReasons } of RECOMMENDATION_RULES) {
    const reasons = findReasons(facts);
    if (reasons.length > 0) return { recommendation, reasons };
  }
  return { recommendation: 'caution', reasons: [] };
}

/** Inputs of the sentences that explain a score. */
type ScoreFacts = Pick<RecommendationInputs, 'inputs' | 'score' | 'components' | 'caps'>;

/** Maximum number of components that a reason names. */
const MAX_NAMED = 2;

/** Minimum number of points that a component costs. A component with a smaller loss is not named. */
const MIN_LOSS = 1;

/** Flags whose reason describes the current outage. */
const OUTAGE_FLAGS: ReadonlySet<string> = new Set(['down-now', 'not-payable-now']);

/**
 * Explains a low score by its causes: the cap that limits the score, the current outage, or the two components that
 * cost the most points.
 *
 * @param threshold minimum score that the endpoint missed
 * @param named flags whose reasons precede this sentence; the explanation does not repeat the causes of these flags
 */
function explainLowScore(facts: ScoreFacts, threshold: number, named: readonly Flag[]): string {
  const start = `Score ${facts.score.toFixed(1)} of 100, below ${String(threshold)}:`;
  const cap = findDecisiveCap(facts);
  if (cap !== undefined && isCauseNamed(cap, named))
    return `${start} limited to ${String(cap.limit)} by the rule ${cap.rule}.`;
  const isOutageNamed = named.some(({ slug }) => OUTAGE_FLAGS.has(slug));
  const outage = isOutageNamed ? null : describeOutage(facts.inputs);
  if (outage !== null) return `${start} ${outage}.`;
  const causes = cap === undefined ? explainLosses(facts) : [cap.explanation];
  return `${start} ${causes.join(' ')}`;
}

/** Explains a score that is high enough for `proceed`. The explanation states the measured uptime. */
function explainGoodScore({ score, components }: ScoreFacts): string {
  const uptime = components.find(({ component }) => component === 'uptime');
  const measured = uptime === undefined || uptime.value === null ? '' : ` ${uptime.explanation}`;
  return `Score ${score.toFixed(1)} of 100, and no flag advises against paying.${measured}`;
}

/** Returns the cap with the smallest limit; undefined if the score is below this limit. */
function findDecisiveCap({ caps, score }: ScoreFacts): Cap | undefined {
  const limit = Math.min(...caps.map((cap) => cap.limit));
  return caps.find((cap) => cap.limit === limit && score >= limit);
}

/** Returns the explanations of the components that cost the most points, at most two. */
function explainLosses({ components }: ScoreFacts): string[] {
  const measured = components.filter(({ value }) => value !== null);
  const total = measured.reduce((sum, { weight }) => sum + weight, 0);
  return measured
    .map(({ weight, value, explanation }) => ({
      loss: (100 * weight * (1 - (value ?? 1))) / total,
      explanation,
    }))
    .filter(({ loss }) => loss >= MIN_LOSS)
    .sort((one, other) => other.loss - one.loss)
    .slice(0, MAX_NAMED)
    .map(({ explanation }) => explanation);
}
