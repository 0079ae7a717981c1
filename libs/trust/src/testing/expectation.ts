import { expect } from 'vitest';
import { score } from '../score.ts';
import type { Grade, Recommendation, ScoreInputs } from '../types.ts';

/** Values of the components by hand, 0..1; null where unmeasured. */
type Values = readonly [
  uptime: number | null,
  compliance: number | null,
  stability: number | null,
  activity: number | null,
  age: number | null,
  latency: number | null,
];

/** A verdict as it is expected, worked out by hand from the published formula. */
export interface Expected {
  readonly values: Values;
  readonly score: number;
  readonly grade: Grade;
  readonly recommendation: Recommendation;
  readonly flags: readonly string[];
  readonly caps: readonly string[];
}

/** The weights and caps of formula 1.0.0 as it is written, not as it is programmed. */
const WEIGHTS = [30, 25, 15, 15, 10, 5];
const CAPS: Readonly<Record<string, number>> = {
  'payto-changed-recently': 64,
  'not-payable': 49,
  'down-now': 34,
  'asset-not-usdc': 20,
};

/** 100 × Σ weight·value / Σ weight over what was measured, under the smallest cap; one decimal. */
function byHand({ values, caps }: Pick<Expected, 'values' | 'caps'>): number {
  const rows = WEIGHTS.map((weight, index) => ({ weight, value: values[index] ?? null }));
  const measured = rows.filter(({ value }) => value !== null);
  const sum = measured.reduce((total, { weight, value }) => total + weight * (value ?? 0), 0);
  const weights = measured.reduce((total, { weight }) => total + weight, 0);
  const mean = weights === 0 ? 0 : (100 * sum) / weights;
  return Math.round(Math.min(mean, ...caps.map((rule) => CAPS[rule] ?? Number.NaN)) * 10 + 1e-9) / 10;
}

/** Checks a verdict against an expectation, and the expected score against the arithmetic of its own values. */
export function expectVerdict(inputs: ScoreInputs, expected: Expected): void {
  const verdict = score(inputs);
  expect({
    values: shown(verdict.components.map(({ value }) => value)),
    score: verdict.score,
    grade: verdict.grade,
    recommendation: verdict.recommendation,
    flags: verdict.flags.map(({ slug }) => slug),
    caps: verdict.caps.map(({ rule }) => rule),
  }).toEqual({
    values: shown(expected.values),
    score: expected.score,
    grade: expected.grade,
    recommendation: expected.recommendation,
    flags: expected.flags,
    caps: expected.caps,
  });
  expect(byHand(expected)).toBe(expected.score);
}

/** Five decimals of each value, which is what can be worked out by hand. */
function shown(values: readonly (number | null)[]): (string | null)[] {
  return values.map((value) => (value === null ? null : value.toFixed(5)));
}
