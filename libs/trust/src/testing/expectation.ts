import { expect } from 'vitest';
import type { Grade, Recommendation } from '@touchstone/contract';
import { score } from '../score.ts';
import type { ScoreInputs } from '../types.ts';

/** Expected component values, 0 to 1, calculated by hand; null for an unmeasured component. */
type Values = readonly [
  uptime: number | null,
  compliance: number | null,
  stability: number | null,
  activity: number | null,
  age: number | null,
  latency: number | null,
];

/** Expected verdict, calculated by hand from the published formula. */
export interface Expected {
  readonly values: Values;
  readonly score: number;
  readonly grade: Grade;
  readonly recommendation: Recommendation;
  readonly flags: readonly string[];
  readonly caps: readonly string[];
}

/**
 * Component weights and caps, copied from the text of score formula 1.0.0. The values are not imported from the code,
 * so that the tests can find wrong constants.
 */
const WEIGHTS = [30, 25, 15, 15, 10, 5];
const CAPS: Readonly<Record<string, number>> = {
  'fewer-than-48-probes': 79,
  'fewer-than-10-probes': 64,
  'payto-changed-recently': 64,
  'no-payable-challenge': 49,
  'down-now': 34,
  'asset-not-usdc': 20,
};

interface ExpectedMean {
  readonly values: readonly (number | null)[];
  readonly caps: readonly string[];
}

/**
 * Computes 100 × Σ weight·value / Σ weight over the measured values, limited by the smallest cap and rounded to one
 * decimal.
 */
export function computeExpectedScore({ values, caps }: ExpectedMean): number {
  const rows = WEIGHTS.map((weight, index) => ({ weight, value: values[index] ?? null }));
  const measured = rows.filter(({ value }) => value !== null);
  const sum = measured.reduce((total, { weight, value }) => total + weight * (value ?? 0), 0);
  const weights = measured.reduce((total, { weight }) => total + weight, 0);
  const mean = weights === 0 ? 0 : (100 * sum) / weights;
  return Math.round(Math.min(mean, ...caps.map((rule) => CAPS[rule] ?? Number.NaN)) * 10 + 1e-9) / 10;
}

/**
 * Asserts that score inputs give the expected verdict. Also asserts that the expected score follows from the expected
 * component values and caps.
 */
export function expectVerdict(inputs: ScoreInputs, expected: Expected): void {
  const verdict = score(inputs);
  expect({
    values: formatValues(verdict.components.map(({ value }) => value)),
    score: verdict.score,
    grade: verdict.grade,
    recommendation: verdict.recommendation,
    flags: verdict.flags.map(({ slug }) => slug),
    caps: verdict.caps.map(({ rule }) => rule),
  }).toEqual({
    values: formatValues(expected.values),
    score: expected.score,
    grade: expected.grade,
    recommendation: expected.recommendation,
    flags: expected.flags,
    caps: expected.caps,
  });
  expect(computeExpectedScore(expected)).toBe(expected.score);
}

/** Formats each component value with five decimals, the precision of the hand calculation. */
function formatValues(values: readonly (number | null)[]): (string | null)[] {
  return values.map((value) => (value === null ? null : value.toFixed(5)));
}
