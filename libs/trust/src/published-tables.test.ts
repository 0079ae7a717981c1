import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CAP_LIMITS } from './caps.ts';
import { COMPONENTS } from './components/components.ts';
import { COMPLIANCE_VALUES } from './components/service-components.ts';
import { CONFIDENCE } from './confidence.ts';
import { evaluateCurve } from './components/curves.ts';
import { FLAG_CATALOGUE } from './flags/flags.ts';
import { RECOMMENDATION_RULES } from './recommendation/recommendation.ts';
import { score, SCORING_VERSION, SCORING_VERSIONS } from './score.ts';
import { anyInputs, toDaysAgo, createHealthyInputs } from './testing/fixtures.ts';
import type { ComponentScore } from './types.ts';

const SENTENCE = /^[A-Z0-9].+\.$/;

/**
 * Returns a figure of a component as a number. A missing figure becomes NaN, so that every comparison with it fails.
 */
function readFigure({ inputs }: ComponentScore, name: string): number {
  return Number(inputs[name] ?? Number.NaN);
}

/** Evaluates the published curve of a figure at the published value of the figure. */
function evaluatePublishedCurve(component: ComponentScore, name: string): number {
  const curve = COMPONENTS.find((row) => row.component === component.component)?.curves[name];
  return curve === undefined ? Number.NaN : evaluateCurve(curve, readFigure(component, name));
}

/**
 * Functions that compute a component value as a reader would: from the published figures and the published table only.
 */
const COMPUTE_FROM_TABLE: Readonly<Record<string, (component: ComponentScore) => number>> = {
  uptime: (of) => {
    const curve = COMPONENTS[0]?.curves['share'];
    return curve === undefined
      ? Number.NaN
      : evaluateCurve(curve, readFigure(of, 'up') / readFigure(of, 'scored'));
  },
  compliance: (of) => {
    const verdicts = ['pass', 'warnings', 'errors', 'unpayable'] as const;
    const sum = verdicts.reduce((total, name) => total + readFigure(of, name), 0);
    return verdicts.reduce((total, name) => total + readFigure(of, name) * COMPLIANCE_VALUES[name], 0) / sum;
  },
  stability: (of) => Math.max(0, 1 - readFigure(of, 'lost')),
  activity: (of) =>
    (evaluatePublishedCurve(of, 'volumeUsd30d') * (1 - Number(of.inputs['topPayerShare'] ?? 0)) +
      evaluatePublishedCurve(of, 'payers30d')) /
    2,
  age: (of) => evaluatePublishedCurve(of, 'days'),
  latency: (of) => (evaluatePublishedCurve(of, 'p50') + evaluatePublishedCurve(of, 'p95')) / 2,
};

describe('the components', () => {
  test('are documented in sentences, including each figure', () => {
    for (const { measures, formula, unmeasured, figures, curves } of COMPONENTS) {
      const rows = Object.values(figures);
      for (const text of [measures, formula, unmeasured, ...rows.map(({ is }) => is)]) {
        expect(text).toMatch(SENTENCE);
      }
      for (const { unit } of rows) expect(unit.length).toBeGreaterThan(3);
      expect(Object.keys(figures)).toEqual(expect.arrayContaining(Object.keys(curves)));
    }
  });

  test('have exactly the documented figures', () => {
    for (const { component, inputs } of score(createHealthyInputs()).components) {
      const row = COMPONENTS.find((candidate) => candidate.component === component);
      expect(Object.keys(inputs).sort()).toEqual(Object.keys(row?.figures ?? {}).sort());
    }
  });

  test('can be recomputed from their figures and the published table', () => {
    fc.assert(
      fc.property(anyInputs, (inputs) => {
        for (const component of score(inputs).components) {
          const { value, component: name } = component;
          if (value !== null)
            expect(value).toBeCloseTo(COMPUTE_FROM_TABLE[name]?.(component) ?? Number.NaN, 8);
        }
      }),
      { numRuns: 200 },
    );
  });
});

test('caps, flags and recommendation rules are documented in sentences', () => {
  const texts = [
    ...CAP_LIMITS.map(({ explanation }) => explanation),
    ...FLAG_CATALOGUE.flatMap(({ trigger, message, fix }) => [trigger, message, fix]),
    ...RECOMMENDATION_RULES.map(({ rule }) => rule),
  ];
  for (const text of texts) expect(text).toMatch(SENTENCE);
});

test.each([
  ['slow', 'The median time to the last byte is 2,000 ms or more, or the 95th percentile 5,000 ms or more.'],
  ['low-confidence', 'Confidence is below 0.30.'],
  [
    'uptime-low',
    'At least 20 probes were scored in the last 30 days, and fewer than 95 % of them succeeded.',
  ],
  [
    'uptime-falling',
    'The uptime of the last 24 hours or of the last 7 days is more than 10 percentage points below that of the last 30 days. The period has at least 8 scored probes.',
  ],
  ['network-changed-recently', 'The payment network or token changed within the last 14 days.'],
])('the trigger of %s states its thresholds', (slug, trigger) => {
  expect(FLAG_CATALOGUE.find((flag) => flag.slug === slug)?.trigger).toBe(trigger);
});

test('the rules of the recommendation are published in their order', () => {
  expect(RECOMMENDATION_RULES.map(({ recommendation }) => recommendation)).toEqual([
    ...['free', 'unverified', 'avoid', 'parameterize', 'caution', 'proceed', 'caution'],
  ]);
});

test('the formulas of the confidence contain its constants', () => {
  expect(CONFIDENCE.observation).toBe('1 − e^(−scored probes in the last 30 days / 240)');
  expect(CONFIDENCE.overall).toBe('observation × (0.8 + 0.2 × economic), two decimals');
});

test('a verdict names the latest version, and each version has a date and changes', () => {
  expect(score(createHealthyInputs({ firstSeen: toDaysAgo(1) })).scoringVersion).toBe(SCORING_VERSION);
  expect(SCORING_VERSIONS[0].version).toBe(SCORING_VERSION);
  for (const { version, date, changes } of SCORING_VERSIONS) {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(new Date(date).toISOString().slice(0, 10)).toBe(date);
    expect(changes.length).toBeGreaterThan(0);
  }
});
