import type { TrustReport } from '@touchstone/contract';
import { GRADE_THRESHOLDS } from '../recommendation/grade.ts';
import { figures, maybeMoment, moment } from './report-values.ts';
import { roundHalfUp } from '../numbers/rounding.ts';
import type { Component, ComponentScore, Verdict } from '../types.ts';

type Derived =
  | 'score'
  | 'scoreRange'
  | 'grade'
  | 'gradeThresholds'
  | 'recommendation'
  | 'reasons'
  | 'confidence'
  | 'confidenceDetail'
  | 'scoringVersion'
  | 'breakdown'
  | 'components'
  | 'caps'
  | 'flags'
  | 'projection';

/** A verdict as a report carries it. */
export function reportedVerdict(verdict: Verdict): Pick<TrustReport, Derived> {
  const { scoreRange, confidenceDetail, projection } = verdict;
  return {
    score: verdict.score,
    scoreRange: { ...scoreRange },
    grade: verdict.grade,
    gradeThresholds: thresholds(),
    recommendation: verdict.recommendation,
    reasons: [...verdict.reasons],
    confidence: verdict.confidence,
    confidenceDetail: { ...confidenceDetail },
    scoringVersion: verdict.scoringVersion,
    breakdown: ofEach(verdict, ({ value }) => (value === null ? null : roundHalfUp(value * 100, 1))),
    components: ofEach(verdict, ({ value, weight, points, inputs, explanation }) => ({
      value,
      weight,
      points,
      inputs: figures(inputs),
      explanation,
    })),
    caps: verdict.caps.map((cap) => ({ ...cap })),
    flags: Object.fromEntries(
      verdict.flags.map(({ slug, severity, message, evidence, since }) => [
        slug,
        { severity, message, evidence: figures(evidence), since: maybeMoment(since) },
      ]),
    ),
    projection: projection && { ...projection, at: moment(projection.at) },
  };
}

function thresholds(): TrustReport['gradeThresholds'] {
  const lowest = (grade: keyof TrustReport['gradeThresholds']): number =>
    GRADE_THRESHOLDS.find(([name]) => name === grade)?.[1] ?? 0;
  return { A: lowest('A'), B: lowest('B'), C: lowest('C'), D: lowest('D'), F: lowest('F') };
}

function ofEach<T>({ components }: Verdict, say: (score: ComponentScore) => T): Record<Component, T> {
  const of = (name: Component): T => {
    const found = components.find(({ component }) => component === name);
    if (found === undefined) throw new RangeError(`The verdict has no component ${name}`);
    return say(found);
  };
  return {
    uptime: of('uptime'),
    compliance: of('compliance'),
    stability: of('stability'),
    activity: of('activity'),
    age: of('age'),
    latency: of('latency'),
  };
}
