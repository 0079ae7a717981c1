import { applyCaps, findCaps } from './caps.ts';
import { computeWeightedMean, hasProbeMeasurement, measureComponents } from './components/components.ts';
import { computeConfidence } from './confidence.ts';
import { detectFlags } from './flags/flags.ts';
import { roundHalfUp, computeWilsonInterval, type Interval } from './numbers.ts';
import { toGrade, recommend } from './recommendation/recommendation.ts';
import type { ScoreInputs, Verdict, Cap, ComponentScore } from './types.ts';
import { CURVES, evaluateCurve } from './components/curves.ts';
import { computeUptimeShare, countChallenges, isFree, WINDOW_DAYS } from './endpoint-state.ts';
import { DAY_MS } from '@touchstone/common';

/** Version of the score formula. */
export interface ScoringVersion {
  readonly version: string;
  /** Day on which the version came into force, YYYY-MM-DD. */
  readonly date: string;
  /** Differences from the previous version of the formula, one sentence each. */
  readonly changes: readonly string[];
}

/** All versions of the score formula, latest first. */
export const SCORING_VERSIONS = [
  {
    version: '1.0.0',
    date: '2026-11-22',
    changes: [
      'First version: six components, six caps, and recommendations based on score, confidence and flags.',
    ],
  },
] as const satisfies readonly ScoringVersion[];

/** Current version of the whole score formula: components, weights, curves, caps, flags and recommendations. */
export const SCORING_VERSION: string = SCORING_VERSIONS[0].version;

/**
 * Scores an endpoint from its observations. The function is pure and receives the current time as an input. The same
 * inputs therefore give the same verdict to the last digit, on any machine and at any time.
 *
 * The score is `100 × Σ weight·value / Σ weight` over the measured components, lowered to the smallest cap that applies
 * and rounded half up to one decimal. If no component was measured, the score is 0. Grade and recommendation are based
 * on the rounded score.
 *
 * @param inputs counts of the last 30 days, the current state and the current time
 */
export function score(inputs: ScoreInputs): Verdict {
  const components = measureComponents(inputs);
  const caps = findCaps(inputs);
  const point = roundHalfUp(applyCaps(computeWeightedMean(components), caps), 1);
  const confidenceDetail = computeConfidence(inputs);
  const confidence = confidenceDetail.overall;
  const flags = detectFlags({ inputs, confidence });
  const isJudged = hasProbeMeasurement(components);
  const { recommendation, reasons } = recommend({
    inputs,
    isJudged,
    score: point,
    confidence,
    flags,
    components,
    caps,
  });
  const isGraded = isJudged && recommendation !== 'free' && recommendation !== 'unverified';
  const { low, high } = computeScoreRange(inputs, components, caps);
  return {
    scoringVersion: SCORING_VERSION,
    score: point,
    scoreRange: { low, point, high },
    grade: isGraded ? toGrade(point) : '?',
    recommendation,
    reasons,
    confidence,
    confidenceDetail,
    components,
    caps,
    flags,
    projection: projectScore(inputs),
  };
}

/**
 * Computes the lowest and highest score that are compatible with the observations. The caps of the score limit both.
 * Uptime and compliance vary within their 95 % Wilson intervals. An unmeasured component varies from 0 to 1 with its
 * full weight. All other component values count as exact.
 */
function computeScoreRange(
  inputs: ScoreInputs,
  components: readonly ComponentScore[],
  caps: readonly Cap[],
): Interval {
  const at = (bound: keyof Interval): number => {
    const values = components.map((score) => ({
      weight: score.weight,
      value: toBoundValue(inputs, score, bound),
    }));
    return roundHalfUp(applyCaps(computeWeightedMean(values), caps), 1);
  };
  return { low: at('low'), high: at('high') };
}

function toBoundValue(
  inputs: ScoreInputs,
  { component, value }: ComponentScore,
  bound: keyof Interval,
): number {
  if (value === null) return bound === 'low' ? 0 : 1;
  if (component === 'uptime') {
    const interval = computeWilsonInterval(computeUptimeShare(inputs.probes) ?? 0, inputs.probes.scored);
    return evaluateCurve(CURVES.uptime, interval[bound]);
  }
  return component === 'compliance'
    ? computeWilsonInterval(value, countChallenges(inputs.envelopes))[bound]
    : value;
}

const AHEAD_MS = WINDOW_DAYS * DAY_MS;

/**
 * Projects the score 30 days ahead, under the assumption that the last 24 hours repeat. The projected probes are those
 * of 30 such days, and the challenges have the same shares of each outcome as in the last 24 hours. The result of the
 * last probe alone does not count, so two projections a second apart agree. Payment terms do not change, so past changes
 * cost nothing in 30 days. Settlements and latency stay, and the endpoint is 30 days older.
 *
 * @returns null if no probe was scored in the last 24 hours, because the current state is then unknown
 */
function projectScore(inputs: ScoreInputs): Verdict['projection'] {
  if (inputs.last24h.scored <= 0) return null;
  const future = extrapolateInputs(inputs);
  const points = roundHalfUp(applyCaps(computeWeightedMean(measureComponents(future)), findCaps(future)), 1);
  return { at: future.now, score: points, grade: isFree(future) ? '?' : toGrade(points) };
}

/** Returns the score inputs of the endpoint as they will be after 30 days that repeat the last 24 hours. */
function extrapolateInputs(inputs: ScoreInputs): ScoreInputs {
  const { probes, last24h, downSince, lastChallengedAt, lastPayableAt } = inputs;
  const now = inputs.now + AHEAD_MS;
  // A wrong clock may have produced times in the future. Times are limited to now, so that no time lies in the
  // projected days.
  const limitToNow = (at: number): number => Math.min(at, inputs.now);
  const isDown = last24h.up <= 0;
  const isChallenging = countChallenges(last24h.envelopes) > 0;
  const isPayable = countChallenges(last24h.envelopes) > last24h.envelopes.unpayable;
  return {
    ...inputs,
    now,
    firstSeen: limitToNow(inputs.firstSeen),
    probes: { ...probes, scored: last24h.scored * WINDOW_DAYS, up: last24h.up * WINDOW_DAYS },
    envelopes: last24h.envelopes,
    changes: [],
    answeredFree: last24h.free > 0,
    lastScoredAt: now,
    downSince: isDown ? limitToNow(downSince ?? inputs.now) : null,
    lastChallengedAt: isChallenging ? now : lastChallengedAt && limitToNow(lastChallengedAt),
    lastPayableAt: isPayable ? now : lastPayableAt && limitToNow(lastPayableAt),
    watchedSince: limitToNow(inputs.now),
  };
}
