import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '@touchstone/common';
import type { Component } from '@touchstone/contract';
import { COMPONENTS } from './components/components.ts';
import { anyInputs, toDaysAgo } from './testing/fixtures.ts';
import { FLAG_CATALOGUE } from './flags/flags.ts';
import { toGrade } from './recommendation/recommendation.ts';
import { score } from './score.ts';
import type { ScoreInputs } from './types.ts';

/** Recomputes the score before caps from the published component values and weights. */
function computeUncappedScore(components: readonly { value: number | null; weight: number }[]): number {
  const measured = components.filter(({ value }) => value !== null);
  const weights = measured.reduce((sum, { weight }) => sum + weight, 0);
  const sum = measured.reduce((total, { value, weight }) => total + weight * (value ?? 0), 0);
  return weights === 0 ? 0 : (100 * sum) / weights;
}

describe('for all inputs', () => {
  test('the same inputs give the same verdict, to the last digit, and are not modified', () => {
    fc.assert(
      fc.property(anyInputs, (inputs) => {
        const copy = structuredClone(inputs);
        expect(JSON.stringify(score(copy))).toBe(JSON.stringify(score(inputs)));
        expect(copy).toEqual(inputs);
      }),
    );
  });

  test('the score is 0..100 with one decimal, within its range and caps, and follows from the components', () => {
    fc.assert(
      fc.property(anyInputs, (inputs) => {
        const { score: points, scoreRange, caps, components } = score(inputs);
        expect(points).toBeGreaterThanOrEqual(0);
        expect(points).toBeLessThanOrEqual(100);
        expect(Number(points.toFixed(1))).toBe(points);
        expect(scoreRange.point).toBe(points);
        expect(scoreRange.low).toBeLessThanOrEqual(points);
        expect(scoreRange.high).toBeGreaterThanOrEqual(points);
        expect(caps.every(({ limit }) => scoreRange.high <= limit)).toBe(true);
        const expected = Math.min(computeUncappedScore(components), ...caps.map(({ limit }) => limit));
        expect(Math.abs(points - expected)).toBeLessThanOrEqual(0.05 + 1e-6);
        const sum = components.reduce((total, component) => total + component.points, 0);
        expect(Math.abs(sum - computeUncappedScore(components))).toBeLessThanOrEqual(0.031);
      }),
      { numRuns: 300 },
    );
  });

  test('the grade follows from the score, and is ? only if free, unverified or not measured by a probe', () => {
    fc.assert(
      fc.property(anyInputs, (inputs) => {
        const { grade, recommendation, score: points, reasons, components } = score(inputs);
        const isMeasured = components.some(
          ({ component, value }) => value !== null && component !== 'age' && component !== 'activity',
        );
        const ungraded = recommendation === 'free' || recommendation === 'unverified' || !isMeasured;
        expect(grade).toBe(ungraded ? '?' : toGrade(points));
        expect(reasons.length).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });

  test('recommendations agree with flags, score, confidence and state', () => {
    fc.assert(
      fc.property(anyInputs, (inputs) => {
        const { recommendation, flags, score: points, confidence, grade } = score(inputs);
        const hasError = flags.some(({ severity }) => severity === 'error');
        if (recommendation === 'proceed') {
          expect(hasError || inputs.templated || points < 65 || confidence < 0.3).toBe(false);
          // `proceed` requires that the endpoint is up, payable and recently probed, and that its price is known.
          const { now, lastScoredAt, downSince, latestCompliance, advertised } = inputs;
          expect(downSince).toBeNull();
          expect(latestCompliance).not.toBe('unpayable');
          expect(lastScoredAt !== null && now - lastScoredAt > DAY_MS).toBe(false);
          expect(advertised !== null && advertised.amountUsd === null).toBe(false);
        }
        if (recommendation === 'parameterize')
          expect(inputs.templated && !hasError && (points >= 35 || grade === '?')).toBe(true);
        if (hasError) expect(['avoid', 'free', 'unverified']).toContain(recommendation);
        if (recommendation === 'avoid') expect(hasError || points < 35).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('has a projection of 0 to 100 only with a scored probe in the last 24 hours', () => {
    fc.assert(
      fc.property(anyInputs, (inputs) => {
        const { projection } = score(inputs);
        expect(projection !== null).toBe(inputs.last24h.scored > 0);
        if (projection === null) return;
        expect(projection.score >= 0 && projection.score <= 100).toBe(true);
        expect([toGrade(projection.score), '?']).toContain(projection.grade);
        expect(projection.at).toBe(toDaysAgo(-30));
      }),
    );
  });

  test('of a template has no flag and no cap about price or payTo', () => {
    const excluded = FLAG_CATALOGUE.filter(({ notForTemplates }) => notForTemplates === true);
    const slugs = new Set(excluded.map(({ slug }) => slug));
    fc.assert(
      fc.property(anyInputs, (inputs) => {
        const { flags, caps } = score({ ...inputs, templated: true });
        expect(flags.filter(({ slug }) => slugs.has(slug))).toEqual([]);
        expect(caps.filter(({ rule }) => rule === 'payto-changed-recently')).toEqual([]);
      }),
    );
  });

  test('has a confidence of 0 to 1, documented figures, and each flag once, as in the catalogue', () => {
    fc.assert(
      fc.property(anyInputs, (inputs) => {
        const { flags, components, confidence, confidenceDetail } = score(inputs);
        expect(confidence).toBe(confidenceDetail.overall);
        expect(confidence >= 0 && confidence <= 1 && Number(confidence.toFixed(2)) === confidence).toBe(true);
        expect(new Set(flags.map(({ slug }) => slug)).size).toBe(flags.length);
        for (const { slug, severity, message } of flags) {
          expect(FLAG_CATALOGUE).toContainEqual(expect.objectContaining({ slug, severity, message }));
        }
        for (const { component, inputs: figures } of components) {
          const row = COMPONENTS.find((candidate) => candidate.component === component);
          expect(Object.keys(row?.figures ?? {})).toEqual(Object.keys(figures));
        }
      }),
    );
  });

  test('has provider texts in no sentence, and in evidence only as plain values', () => {
    // A text that no sentence of the formula contains.
    const text = '<script>\u202e"; drop--';
    fc.assert(
      fc.property(anyInputs, (inputs) => {
        const changes = inputs.changes.map((change) => ({ ...change, before: text, after: text }));
        const advertised = inputs.advertised && {
          ...inputs.advertised,
          network: text,
          asset: text,
          payTo: text,
        };
        const { flags, ...rest } = score({ ...inputs, description: text, changes, advertised });
        expect(JSON.stringify(rest)).not.toContain('script');
        for (const { evidence, ...flag } of flags) {
          expect(JSON.stringify(flag)).not.toContain('script');
          for (const value of Object.values(evidence)) {
            expect(value === null || typeof value === 'number' || typeof value === 'string').toBe(true);
            if (typeof value === 'string' && value.includes('script')) expect(value).toBe(text);
          }
        }
      }),
    );
  });
});

describe('without further probes', () => {
  /** Returns only the caps and flags of the 24-hour rules about outages and payability. */
  function findDayRules(inputs: ScoreInputs): unknown[] {
    const { caps, flags } = score(inputs);
    const dayRules = new Set(['down-now', 'not-payable', 'no-payable-challenge']);
    return [
      ...caps.filter(({ rule }) => dayRules.has(rule)),
      ...flags.filter(({ slug }) => dayRules.has(slug)),
    ];
  }

  test('passing time neither adds nor changes a cap or flag of the 24-hour rules', () => {
    fc.assert(
      fc.property(anyInputs, fc.integer({ min: 0, max: 40 * DAY_MS }), (inputs, passed) => {
        expect(findDayRules({ ...inputs, now: inputs.now + passed })).toEqual(findDayRules(inputs));
      }),
      { numRuns: 300 },
    );
  });

  test('no 24-hour rule applies before the first probe', () => {
    fc.assert(
      fc.property(anyInputs, (inputs) => {
        expect(findDayRules({ ...inputs, lastScoredAt: null, lastFailure: null })).toEqual([]);
      }),
    );
  });
});

describe('the score never decreases with', () => {
  test('more probes that were up, in addition or in place of failed probes', () => {
    fc.assert(
      fc.property(anyInputs, fc.nat(60), fc.nat(100), (inputs, added, gain) => {
        fc.pre(inputs.probes.scored > 0);
        const scored = inputs.probes.scored + added;
        const probes = { ...inputs.probes, scored, up: Math.min(scored, inputs.probes.up + added + gain) };
        expect(score({ ...inputs, probes }).score).toBeGreaterThanOrEqual(score(inputs).score);
      }),
      { numRuns: 300 },
    );
  });

  test('a lower latency', () => {
    fc.assert(
      fc.property(
        anyInputs,
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        (inputs, one, other) => {
          fc.pre(inputs.latency !== null);
          const { p50, p95, n } = inputs.latency;
          const better = { ...inputs, latency: { p50: p50 * one, p95: p95 * other, n } };
          expect(score(better).score).toBeGreaterThanOrEqual(score(inputs).score);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('a challenge with a better verdict', () => {
    const worstFirst = ['unpayable', 'errors', 'warnings', 'pass'] as const;
    fc.assert(
      fc.property(anyInputs, fc.nat(2), fc.integer({ min: 1, max: 50 }), (inputs, step, moved) => {
        const from = worstFirst[step] ?? 'unpayable';
        const to = worstFirst[step + 1] ?? 'pass';
        const { envelopes } = inputs;
        const count = Math.min(moved, envelopes[from]);
        const better = { ...envelopes, [from]: envelopes[from] - count, [to]: envelopes[to] + count };
        expect(score({ ...inputs, envelopes: better }).score).toBeGreaterThanOrEqual(score(inputs).score);
      }),
      { numRuns: 300 },
    );
  });
});

/** Functions by component. Each function removes only the measurement of its component from the score inputs. */
const UNMEASURED: Readonly<Partial<Record<Component, (inputs: ScoreInputs) => ScoreInputs>>> = {
  compliance: (inputs) => ({ ...inputs, envelopes: { pass: 0, warnings: 0, errors: 0, unpayable: 0 } }),
  stability: (inputs) => ({ ...inputs, everChallenged: false, changes: [] }),
  activity: (inputs) => ({ ...inputs, settlement: null }),
  uptime: (inputs) => ({ ...inputs, probes: { ...inputs.probes, scored: 0, up: 0 } }),
  latency: (inputs) => ({ ...inputs, latency: null }),
};

test.each(Object.entries(UNMEASURED))(
  'when %s becomes unmeasured, the others keep value and weight, and the mean loses exactly its share',
  (component, removeMeasurement) => {
    fc.assert(
      fc.property(anyInputs, (inputs) => {
        const before = score(inputs).components;
        const after = score(removeMeasurement(inputs)).components;
        // Cases in which age is the only known component are skipped, because age alone does not count.
        fc.pre(after.some(({ value }) => value !== null));
        const others = (list: typeof before): unknown[] =>
          list
            .filter((item) => item.component !== component)
            .map(({ value, weight, explanation }) => [value, weight, explanation]);
        expect(others(after)).toEqual(others(before));
        expect(after.find((item) => item.component === component)).toMatchObject({ value: null, points: 0 });
        const lost = before.find((item) => item.component === component);
        const total = before.reduce((sum, { value, weight }) => sum + (value === null ? 0 : weight), 0);
        if (lost === undefined || lost.value === null) return;
        // The new mean is (mean·W − 100·w·v) / (W − w), where W is the total weight and w and v are weight and value of
        // the removed component.
        const expected =
          (computeUncappedScore(before) * total - 100 * lost.weight * lost.value) / (total - lost.weight);
        expect(computeUncappedScore(after)).toBeCloseTo(expected, 6);
      }),
    );
  },
);

test('age counts only if another component was measured, and alone gives no score and no grade', () => {
  fc.assert(
    fc.property(anyInputs, fc.boolean(), (inputs, isUnmeasured) => {
      const unmeasuredInputs = Object.values(UNMEASURED).reduce(
        (left, removeMeasurement) => removeMeasurement(left),
        inputs,
      );
      const {
        components,
        score: points,
        grade,
        scoreRange,
        recommendation,
        caps,
      } = score(isUnmeasured ? unmeasuredInputs : inputs);
      const age = components.find(({ component }) => component === 'age');
      const others = components.filter(({ component }) => component !== 'age');
      expect(age?.value !== null).toBe(others.some(({ value }) => value !== null));
      if (age?.value !== null) return;
      const high = Math.min(100, ...caps.map(({ limit }) => limit));
      expect({ points, grade, scoreRange }).toEqual({
        points: 0,
        grade: '?',
        scoreRange: { low: 0, point: 0, high },
      });
      expect(recommendation).not.toBe('proceed');
    }),
    { numRuns: 300 },
  );
});
