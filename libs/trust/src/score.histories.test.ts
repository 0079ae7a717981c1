import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COMPONENTS } from './components/components.ts';
import { FLAG_CATALOGUE } from './flags/flags.ts';
import { toGrade } from './recommendation/grade.ts';
import { score } from './score.ts';
import {
  anyHistory,
  anyEndpointFacts,
  anyEndpointHistory,
  foldEndpointHistory,
} from './testing/arbitrary-history.ts';
import { foldHistory, SLOTS_PER_DAY, type History } from './testing/probe-history.ts';
import type { ProbeFinding } from './testing/probe-findings.ts';
import { toDaysAgo, NOW, findComponentValue } from './testing/fixtures.ts';

/** Probe findings that are challenges, from the worst to the best compliance verdict. */
const WORST_FIRST: readonly ProbeFinding[] = ['unpayable', 'errors', 'warnings', 'pass'];

describe('foldHistory', () => {
  test('counts each probe of the window once, and keeps the state at the last probe', () => {
    const { probes, envelopes, downSince, lastScoredAt, lastPayableAt, watchedSince, changes } = foldHistory(
      [
        { slots: 10 * SLOTS_PER_DAY, finding: 'pass' },
        { slots: 20 * SLOTS_PER_DAY, finding: 'pass' },
        { slots: SLOTS_PER_DAY, finding: 'blocked' },
        { slots: SLOTS_PER_DAY, finding: 'away' },
        { slots: SLOTS_PER_DAY, finding: 'down' },
      ],
      {
        now: NOW,
        listed: true,
        templated: false,
        description: null,
        settlement: null,
        networksRead: 0,
      },
    );
    // Only the last 30 of the 33 days count: 27 days with passing challenges, one blocked, one without probes, and one
    // down.
    expect(probes).toEqual({
      total: 29 * SLOTS_PER_DAY,
      scored: 28 * SLOTS_PER_DAY,
      up: 27 * SLOTS_PER_DAY,
      excluded: 0,
      blocked: SLOTS_PER_DAY,
      redirected: 0,
    });
    expect(envelopes).toEqual({ pass: 27 * SLOTS_PER_DAY, warnings: 0, errors: 0, unpayable: 0 });
    expect([downSince, watchedSince]).toEqual([toDaysAgo(1), toDaysAgo(1)]);
    expect([lastScoredAt, lastPayableAt]).toEqual([toDaysAgo(1 / 48), toDaysAgo(3 + 1 / 48)]);
    expect(changes).toEqual([]);
  });
});

describe('for all histories', () => {
  test('the same history gives the same verdict, to the last digit', () => {
    fc.assert(
      fc.property(anyEndpointHistory, (endpointHistory) => {
        const once = JSON.stringify(score(foldEndpointHistory(endpointHistory)));
        expect(JSON.stringify(score(foldEndpointHistory(structuredClone(endpointHistory))))).toBe(once);
        expect(JSON.stringify(score(structuredClone(foldEndpointHistory(endpointHistory))))).toBe(once);
      }),
    );
  });

  test('score and projection are 0..100, and low ≤ point ≤ high', () => {
    fc.assert(
      fc.property(anyEndpointHistory, (endpointHistory) => {
        const { score: points, scoreRange, projection } = score(foldEndpointHistory(endpointHistory));
        expect(points >= 0 && points <= 100 && Number(points.toFixed(1)) === points).toBe(true);
        expect(scoreRange.low <= scoreRange.point && scoreRange.point <= scoreRange.high).toBe(true);
        expect(scoreRange.low >= 0 && scoreRange.high <= 100).toBe(true);
        if (projection === null) return;
        expect(projection.score >= 0 && projection.score <= 100).toBe(true);
        expect([toGrade(projection.score), '?']).toContain(projection.grade);
        expect(projection.at).toBe(toDaysAgo(-30));
      }),
      { numRuns: 500 },
    );
  });

  test('there is a projection only with a scored probe in the last 24 hours', () => {
    fc.assert(
      fc.property(anyEndpointHistory, (endpointHistory) => {
        const inputs = foldEndpointHistory(endpointHistory);
        const { lastScoredAt } = inputs;
        const isRecentlyProbed = lastScoredAt !== null && lastScoredAt >= toDaysAgo(1);
        expect(score(inputs).projection !== null).toBe(isRecentlyProbed);
      }),
    );
  });

  test('a template has no flag and no cap about price or payTo', () => {
    const excluded = new Set(
      FLAG_CATALOGUE.filter(({ notForTemplates }) => notForTemplates === true).map(({ slug }) => slug),
    );
    fc.assert(
      fc.property(anyEndpointHistory, ([history, known]) => {
        const { flags, caps } = score(foldEndpointHistory([history, { ...known, templated: true }]));
        expect(flags.filter(({ slug }) => excluded.has(slug))).toEqual([]);
        expect(caps.filter(({ rule }) => rule === 'payto-changed-recently')).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('every figure is documented, and every flag is in the catalogue with the same message and severity', () => {
    fc.assert(
      fc.property(anyEndpointHistory, (endpointHistory) => {
        const { flags, components } = score(foldEndpointHistory(endpointHistory));
        for (const { slug, severity, message } of flags) {
          expect(FLAG_CATALOGUE).toContainEqual(expect.objectContaining({ slug, severity, message }));
        }
        for (const { component, inputs } of components) {
          const row = COMPONENTS.find((candidate) => candidate.component === component);
          expect(Object.keys(row?.figures ?? {})).toEqual(Object.keys(inputs));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('provider texts are in no sentence of the verdict, and in evidence only as plain values', () => {
    // A text that no sentence of the formula contains. It is used as description, network and payTo.
    const providerText = '<script>\u202e"; drop--';
    fc.assert(
      fc.property(anyEndpointHistory, ([history, known]) => {
        const providerHistory: History = history.map((stretch) => ({
          ...stretch,
          ...(stretch.terms && { terms: { ...stretch.terms, payTo: providerText, network: providerText } }),
        }));
        const inputs = foldEndpointHistory([providerHistory, { ...known, description: providerText }]);
        const verdict = score(inputs);
        const { flags, ...rest } = verdict;
        expect(JSON.stringify(rest)).not.toContain('script');
        for (const { evidence, ...flag } of flags) {
          expect(JSON.stringify(flag)).not.toContain('script');
          for (const value of Object.values(evidence)) {
            const isPlain = value === null || typeof value === 'number' || typeof value === 'string';
            expect(isPlain).toBe(true);
            if (typeof value === 'string' && value.includes('script')) expect(value).toBe(providerText);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('the score never decreases with', () => {
  /** Returns a copy of the probe history with another finding in one stretch. */
  function replaceFinding(history: History, index: number, finding: ProbeFinding): History {
    return history.map((stretch, at) => (at === index ? { ...stretch, finding } : stretch));
  }

  test('a challenge with a better verdict in any stretch', () => {
    fc.assert(
      fc.property(anyEndpointHistory, fc.nat(), ([history, known], pick) => {
        fc.pre(history.length > 0);
        const index = pick % history.length;
        const rank = WORST_FIRST.indexOf(history[index]?.finding ?? 'ours');
        fc.pre(rank >= 0 && rank < WORST_FIRST.length - 1);
        const better = replaceFinding(history, index, WORST_FIRST[rank + 1] ?? 'pass');
        const [before, after] = [history, better].map(
          (each) => score(foldEndpointHistory([each, known])).score,
        );
        expect(after).toBeGreaterThanOrEqual(before ?? Number.NaN);
      }),
      { numRuns: 1_000 },
    );
  });

  test('faster responses', () => {
    fc.assert(
      fc.property(anyEndpointHistory, fc.integer({ min: 1, max: 20 }), ([history, known], times) => {
        const faster = history.map((stretch) =>
          stretch.latencyMs === undefined ? stretch : { ...stretch, latencyMs: stretch.latencyMs / times },
        );
        expect(score(foldEndpointHistory([faster, known])).score).toBeGreaterThanOrEqual(
          score(foldEndpointHistory([history, known])).score,
        );
      }),
      { numRuns: 500 },
    );
  });

  test('another payment gate instead of an outage, which changes only uptime', () => {
    fc.assert(
      fc.property(anyHistory, anyEndpointFacts, fc.nat(), (history, known, pick) => {
        fc.pre(history.length > 0);
        const index = pick % history.length;
        fc.pre(history[index]?.finding === 'down');
        // A gate of another payment protocol is not an x402 challenge, and its latency is not measured here. Replacing
        // the outage with it therefore changes only uptime.
        const better: History = history.map((stretch, at) =>
          at === index ? { slots: stretch.slots, finding: 'gate' } : stretch,
        );
        const [before, after] = [history, better].map((each) => score(foldEndpointHistory([each, known])));
        if (before === undefined || after === undefined) throw new Error('Both histories must be scored.');
        // If all scored probes are more than 30 days old, uptime is unmeasured in both histories.
        const [was, is] = [findComponentValue(before, 'uptime'), findComponentValue(after, 'uptime')];
        if (was === null || is === null) expect(is).toBe(was);
        else expect(is).toBeGreaterThanOrEqual(was);
        expect(after.score).toBeGreaterThanOrEqual(before.score);
      }),
      { numRuns: 1_000 },
    );
  });
});

test('an additional cap never raises the score, and the score never exceeds a cap', () => {
  fc.assert(
    fc.property(anyEndpointHistory, (endpointHistory) => {
      const inputs = foldEndpointHistory(endpointHistory);
      const before = score(inputs);
      const capped = score({
        ...inputs,
        advertised: inputs.advertised && { ...inputs.advertised, falseUsdc: true },
        downSince: inputs.downSince ?? toDaysAgo(40),
      });
      expect(capped.score).toBeLessThanOrEqual(before.score);
      expect(capped.caps.length).toBeGreaterThanOrEqual(before.caps.length);
      for (const { limit } of capped.caps) expect(capped.score).toBeLessThanOrEqual(limit);
    }),
    { numRuns: 300 },
  );
});
