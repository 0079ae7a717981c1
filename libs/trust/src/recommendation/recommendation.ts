import { formatConfidence, formatCount, formatMinute, formatScore } from '@touchstone/common';
import {
  GRADE_THRESHOLDS,
  MIN_CAUTION_SCORE,
  MIN_PROCEED_SCORE,
  type Grade,
  type Recommendation,
} from '@touchstone/contract';
import { capitalize, describeFailure, describeOutage } from '../cause-texts.ts';
import { computeConfidence, CONFIDENCE } from '../confidence.ts';
import { isFree } from '../endpoint-state.ts';
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

/** Warnings that a payer should know before a payment, also those that do not exclude `proceed`. */
const ALWAYS_NAMED: ReadonlySet<string> = new Set([
  'payto-changed',
  'needs-client-settings',
  'buyers-report-failures',
]);

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
function findUnverifiedReasons({ inputs }: RecommendationInputs): readonly string[] {
  const { templated, probes, advertised, lastFailure } = inputs;
  if (probes.scored > 0) return [];
  if (templated) {
    return reasonIf(
      advertised === null,
      'The URL is a template, no probe of it was scored in the last 30 days, and it advertises no payment terms.',
    );
  }
  const failure = lastFailure === null ? '' : `; ${describeFailure(lastFailure)}`;
  // The probe that a purchased report makes is not counted.
  if (probes.total <= 0) return [`No scheduled probe was made in the last 30 days${failure}.`];
  const count = probes.total === 1 ? 'The only probe' : `None of the ${formatCount(probes.total, 'probe')}`;
  const verb = probes.total === 1 ? 'could not' : 'could';
  return [`${count} of the last 30 days ${verb} be scored${failure}.`];
}

function explainFree(inputs: ScoreInputs): string {
  const outage = describeOutage(inputs);
  if (outage !== null)
    return `The endpoint returned data without payment until it went down, and has never sent a payment challenge; ${outage}.`;
  return inputs.last24h.free > 0
    ? 'The endpoint returns data without payment and has never sent a payment challenge.'
    : 'The endpoint returned data without payment in the last 30 days, but not in the last 24 hours, and has never sent a payment challenge.';
}

/** Returns the reasons for `caution` because of low confidence, including the warnings that advise against paying. */
function findLowConfidenceReasons({ confidence, inputs, flags }: RecommendationInputs): readonly string[] {
  const { probes, firstSeen } = inputs;
  if (confidence >= CONFIDENCE.low) return [];
  const isChainMissing = computeConfidence({ ...inputs, networksRead: 1 }).overall >= CONFIDENCE.low;
  return [
    `The endpoint was first seen on ${formatMinute(firstSeen)} and has only ${formatCount(probes.scored, 'scored probe')} in the last 30 days` +
      `${isChainMissing ? ', and payments on its networks were not all read' : ''}: ` +
      `the confidence, ${formatConfidence(confidence)}, is below ${CONFIDENCE.low.toFixed(2)}.`,
    ...listReasons(findWarnings(flags)),
  ];
}

/** Returns the warnings that advise against paying, and those that are always named. */
function findWarnings(flags: readonly Flag[]): Flag[] {
  return flags.filter((flag) => flag.preventsProceed || ALWAYS_NAMED.has(flag.slug));
}

/** Returns the reasons of flags, without the flags that the reason of another one explains. */
function listReasons(named: readonly Flag[]): string[] {
  const explained = new Set(named.flatMap(({ explains }) => explains));
  return named.filter(({ slug }) => !explained.has(slug)).map(({ reason }) => reason);
}

/**
 * Returns the reasons of error flags and of a score that is too low, and of the warnings that are always named. The
 * reasons name an outage at most once.
 */
function findAvoidReasons(facts: RecommendationInputs): readonly string[] {
  const hasError = facts.flags.some(({ severity }) => severity === 'error');
  const isLow = facts.isJudged && facts.score < MIN_CAUTION_SCORE;
  if (!hasError && !isLow) return [];
  const named = facts.flags.filter(({ severity, slug }) => severity === 'error' || ALWAYS_NAMED.has(slug));
  const outage = hasError || !isLow ? null : describeOutage(facts.inputs);
  return [
    ...listReasons(named),
    ...(isLow ? explainLowScore(facts, MIN_CAUTION_SCORE, named) : []),
    ...(outage === null ? [] : [`${capitalize(outage)}.`]),
  ];
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
    findReasons: findAvoidReasons,
  },
  {
    recommendation: 'parameterize',
    rule: 'The URL is a template, and its placeholders must be filled in before paying.',
    findReasons: ({ inputs, flags }) =>
      inputs.templated
        ? [
            'The URL is a template: fill in its placeholders before paying.',
            ...listReasons(flags.filter(({ slug }) => ALWAYS_NAMED.has(slug))),
          ]
        : [],
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
        ? [explainGoodScore(facts), ...listReasons(findWarnings(facts.flags))]
        : [],
  },
  {
    recommendation: 'caution',
    rule: 'None of the rules above applies.',
    findReasons: (facts) => {
      const warnings = findWarnings(facts.flags);
      const isScoreLow = facts.score < MIN_PROCEED_SCORE;
      return [
        ...listReasons(warnings),
        ...(isScoreLow ? explainLowScore(facts, MIN_PROCEED_SCORE, warnings) : []),
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
 * Returns the names of the caps and components that the reasons of the given flags explain. A flag also explains the cap
 * of the same name.
 */
function findExplained(named: readonly Flag[], { probes }: ScoreInputs): ReadonlySet<string> {
  const explained = new Set(named.flatMap(({ slug, explains }) => [slug, ...explains]));
  // An outage explains the uptime only if no scored probe succeeded before it.
  if (probes.up <= 0 && named.some(({ slug }) => OUTAGE_FLAGS.has(slug))) explained.add('uptime');
  return explained;
}

/**
 * Explains a low score by its causes: the cap that limits the score, or the two components that cost the most points.
 * Returns no sentence if the reasons of flags already name the main cause.
 *
 * @param threshold minimum score that the endpoint missed
 * @param named flags whose reasons precede this sentence; the explanation does not repeat the causes of these flags
 */
function explainLowScore(facts: ScoreFacts, threshold: number, named: readonly Flag[]): string[] {
  const explained = findExplained(named, facts.inputs);
  const cap = findDecisiveCap(facts);
  const causes = cap === undefined ? findLosses(facts) : [{ name: cap.rule, explanation: cap.explanation }];
  const [main] = causes;
  if (main === undefined || explained.has(main.name)) return [];
  const texts = causes.filter(({ name }) => !explained.has(name)).map(({ explanation }) => explanation);
  return [`Score ${formatScore(facts.score)} of 100, below ${String(threshold)}: ${texts.join(' ')}`];
}

/** Explains a score that is high enough for `proceed`. The explanation names the warnings and the measured uptime. */
function explainGoodScore({ score, components, flags }: RecommendationInputs): string {
  const uptime = components.find(({ component }) => component === 'uptime');
  const measured = uptime === undefined || uptime.value === null ? '' : ` ${uptime.explanation}`;
  const warnings = flags.map(({ slug }) => slug).join(', ');
  const found = warnings === '' ? 'with no error and no warning' : `with no error; warnings: ${warnings}`;
  return `Score ${formatScore(score)} of 100, ${found}.${measured}`;
}

/** Returns the cap with the smallest limit; undefined if the score is below this limit. */
function findDecisiveCap({ caps, score }: ScoreFacts): Cap | undefined {
  const limit = Math.min(...caps.map((cap) => cap.limit));
  return caps.find((cap) => cap.limit === limit && score >= limit);
}

/** Returns the components that cost the most points, at most two. */
function findLosses({ components }: ScoreFacts): { name: string; explanation: string }[] {
  const measured = components.filter(({ value }) => value !== null);
  const total = measured.reduce((sum, { weight }) => sum + weight, 0);
  return measured
    .map(({ component, weight, value, explanation }) => ({
      loss: (100 * weight * (1 - (value ?? 1))) / total,
      ...{ name: component, explanation },
    }))
    .filter(({ loss }) => loss >= MIN_LOSS)
    .sort((one, other) => other.loss - one.loss)
    .slice(0, MAX_NAMED);
}
