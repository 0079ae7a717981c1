import { formatTimestamp, formatTimestampOrNull } from '@touchstone/common';
import { GRADE_THRESHOLDS, type Component, type TrustReport } from '@touchstone/contract';
import { toReportFigures } from '../report-values.ts';
import { roundHalfUp } from '../numbers.ts';
import type { ComponentScore, Verdict } from '../types.ts';

/** Converts a trust verdict to the members of a report. */
export function toReportVerdict(verdict: Verdict) {
  const { scoreRange, confidenceDetail, projection } = verdict;
  return {
    score: verdict.score,
    scoreRange: { ...scoreRange },
    grade: verdict.grade,
    gradeThresholds: toGradeThresholds(),
    recommendation: verdict.recommendation,
    reasons: [...verdict.reasons],
    confidence: verdict.confidence,
    confidenceDetail: { ...confidenceDetail },
    scoringVersion: verdict.scoringVersion,
    breakdown: mapComponents(verdict, ({ value }) => (value === null ? null : roundHalfUp(value * 100, 1))),
    components: mapComponents(verdict, ({ value, weight, points, inputs, explanation }) => ({
      value,
      weight,
      points,
      inputs: toReportFigures(inputs),
      explanation,
    })),
    caps: verdict.caps.map((cap) => ({ ...cap })),
    flags: Object.fromEntries(
      verdict.flags.map(({ slug, severity, message, evidence, since }) => [
        slug,
        { severity, message, evidence: toReportFigures(evidence), since: formatTimestampOrNull(since) },
      ]),
    ),
    flagsDetailed: verdict.flags.map(({ slug, severity, message }) => ({ code: slug, severity, message })),
    projection: projection && { ...projection, at: formatTimestamp(projection.at) },
  } satisfies Partial<TrustReport>;
}

function toGradeThresholds(): TrustReport['gradeThresholds'] {
  const [[, A], [, B], [, C], [, D], [, F]] = GRADE_THRESHOLDS;
  return { A, B, C, D, F };
}

function mapComponents<T>(
  { components }: Verdict,
  toValue: (score: ComponentScore) => T,
): Record<Component, T> {
  const entries = components.map((score) => [score.component, toValue(score)] as const);
  // A verdict has every component, so the cast is safe.
  return Object.fromEntries(entries) as Record<Component, T>;
}
