import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CAP_LIMITS } from './caps.ts';
import { COMPONENTS } from './components/components.ts';
import { COMPLIANCE_VALUES } from './components/service-components.ts';
import { CONFIDENCE } from './confidence.ts';
import { evaluateCurve } from './components/curves.ts';
import { preventsProceed, FLAG_CATALOGUE } from './flags/flags.ts';
import { RECOMMENDATION_RULES } from './recommendation/recommendation.ts';
import { score } from './score.ts';
import { anyInputs, toDaysAgo, createHealthyInputs } from './testing/fixtures.ts';
import type { ComponentScore } from './types.ts';
import { SCORING_VERSION, SCORING_VERSIONS } from './versions.ts';
import { WEIGHTS } from './components/component-rule.ts';

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
  test('have weights with a sum of 100', () => {
    expect(COMPONENTS.map(({ component, weight }) => [component, weight])).toEqual([
      ['uptime', 30],
      ['compliance', 25],
      ['stability', 15],
      ['activity', 15],
      ['age', 10],
      ['latency', 5],
    ]);
    expect(Object.fromEntries(COMPONENTS.map(({ component, weight }) => [component, weight]))).toEqual(
      WEIGHTS,
    );
  });

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
      { numRuns: 500 },
    );
  });
});

test('the caps have the limits of the formula', () => {
  expect(Object.fromEntries(CAP_LIMITS.map(({ rule, limit }) => [rule, limit]))).toEqual({
    'payto-changed-recently': 64,
    'not-payable': 49,
    'down-now': 34,
    'asset-not-usdc': 20,
  });
  for (const { explanation } of CAP_LIMITS) expect(explanation).toMatch(SENTENCE);
});

describe('the catalogue', () => {
  const slugs = (of: (flag: (typeof FLAG_CATALOGUE)[number]) => boolean): string[] =>
    FLAG_CATALOGUE.filter(of)
      .map(({ slug }) => slug)
      .sort();

  test('documents every flag', () => {
    expect(slugs(({ severity }) => severity === 'error')).toEqual([
      'asset-not-usdc',
      'down-now',
      'envelope-noncompliant',
      'not-payable',
      'payto-changed-recently',
      'price-spike',
    ]);
    expect(slugs(({ severity }) => severity === 'warning')).toEqual([
      'blocked',
      'delisted',
      'envelope-nonconforming',
      'first-contact',
      'header-body-mismatch',
      'legacy-version',
      'low-confidence',
      'missing-resource-info',
      'network-changed-recently',
      'network-unknown',
      'no-description',
      'no-settlements',
      'not-payable-now',
      'not-seen-lately',
      'payto-shared',
      'payto-varies',
      'price-unknown',
      'price-varies',
      'redirects',
      'single-payer',
      'slow',
      'template-unresolved',
      'uptime-falling',
      'uptime-low',
    ]);
    for (const { trigger, message, fix } of FLAG_CATALOGUE) {
      for (const text of [trigger, message, fix]) expect(text).toMatch(SENTENCE);
    }
  });

  test('marks the warnings that exclude proceed and the flags that are not raised for templates', () => {
    expect(slugs((flag) => flag.preventsProceed === true)).toEqual(slugs(preventsProceed));
    expect(FLAG_CATALOGUE.filter(preventsProceed).every(({ severity }) => severity === 'warning')).toBe(true);
    expect(slugs(({ notForTemplates }) => notForTemplates === true)).toEqual([
      'payto-changed-recently',
      'payto-shared',
      'payto-varies',
      'price-spike',
      'price-varies',
    ]);
  });

  test('states the thresholds in the triggers', () => {
    const trigger = (slug: string): string | undefined =>
      FLAG_CATALOGUE.find((flag) => flag.slug === slug)?.trigger;
    expect(trigger('slow')).toBe(
      'The median time to the last byte is 2000 ms or more, or the 95th percentile 5000 ms or more.',
    );
    expect(trigger('low-confidence')).toBe('Confidence is below 0.30.');
    expect(trigger('uptime-low')).toBe(
      'At least 20 probes were scored in the last 30 days, and fewer than 95 % of them succeeded.',
    );
    expect(trigger('uptime-falling')).toBe(
      'The uptime of the last 24 hours or of the last 7 days is more than 10 percentage points below that of the last 30 days. The period has at least 8 scored probes.',
    );
    expect(trigger('network-changed-recently')).toBe(
      'The payment network or token changed within the last 14 days.',
    );
  });
});

test('the recommendation rules are published in their order', () => {
  expect(RECOMMENDATION_RULES.map(({ recommendation }) => recommendation)).toEqual([
    'free',
    'unverified',
    'avoid',
    'parameterize',
    'caution',
    'proceed',
    'caution',
  ]);
  for (const { rule } of RECOMMENDATION_RULES) expect(rule).toMatch(SENTENCE);
});

test('the confidence formulas contain the constants', () => {
  expect(CONFIDENCE).toMatchObject({ probesScale: 240, withoutChain: 0.8, low: 0.3 });
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
