import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COMPONENTS } from './components/components.ts';
import { FLAG_CATALOGUE } from './flags/flags.ts';
import { gradeOf } from './recommendation/grade.ts';
import { score } from './score.ts';
import { anyHistory, anyKnown, anyLife, inputsOf } from './testing/arbitrary-history.ts';
import { fold, SLOTS_PER_DAY, type History, type Seen } from './testing/probe-history.ts';
import { daysAgo, NOW, valueOf } from './testing/fixtures.ts';

/** How good what a probe met is, as compliance and uptime see it. */
const WORST_FIRST: readonly Seen[] = ['unpayable', 'errors', 'warnings', 'pass'];

describe('what a history folds into', () => {
  test('counts each probe of the window once, and keeps the state of the last', () => {
    const { probes, envelopes, downSince, lastProbedAt, lastPayableAt, watchedSince, changes } = fold(
      [
        { slots: 10 * SLOTS_PER_DAY, seen: 'pass' },
        { slots: 20 * SLOTS_PER_DAY, seen: 'pass' },
        { slots: SLOTS_PER_DAY, seen: 'blocked' },
        { slots: SLOTS_PER_DAY, seen: 'away' },
        { slots: SLOTS_PER_DAY, seen: 'down' },
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
    // Of 33 days the last 30 count: 27 of passes, one blocked, one away, one down.
    expect(probes).toEqual({
      total: 29 * SLOTS_PER_DAY,
      scored: 28 * SLOTS_PER_DAY,
      up: 27 * SLOTS_PER_DAY,
      excluded: 0,
      blocked: SLOTS_PER_DAY,
      redirected: 0,
    });
    expect(envelopes).toEqual({ pass: 27 * SLOTS_PER_DAY, warnings: 0, errors: 0, unpayable: 0 });
    expect([downSince, watchedSince]).toEqual([daysAgo(1), daysAgo(1)]);
    expect([lastProbedAt, lastPayableAt]).toEqual([daysAgo(1 / 48), daysAgo(3 + 1 / 48)]);
    expect(changes).toEqual([]);
  });
});

describe('for all histories', () => {
  test('the same history gives the same verdict, to the last digit', () => {
    fc.assert(
      fc.property(anyLife, (life) => {
        const once = JSON.stringify(score(inputsOf(life)));
        expect(JSON.stringify(score(inputsOf(structuredClone(life))))).toBe(once);
        expect(JSON.stringify(score(structuredClone(inputsOf(life))))).toBe(once);
      }),
    );
  });

  test('score and projection are 0..100, and low ≤ point ≤ high', () => {
    fc.assert(
      fc.property(anyLife, (life) => {
        const { score: points, scoreRange, projection } = score(inputsOf(life));
        expect(points >= 0 && points <= 100 && Number(points.toFixed(1)) === points).toBe(true);
        expect(scoreRange.low <= scoreRange.point && scoreRange.point <= scoreRange.high).toBe(true);
        expect(scoreRange.low >= 0 && scoreRange.high <= 100).toBe(true);
        if (projection === null) return;
        expect(projection.score >= 0 && projection.score <= 100).toBe(true);
        expect([gradeOf(projection.score), '?']).toContain(projection.grade);
        expect(projection.at).toBe(daysAgo(-30));
      }),
      { numRuns: 500 },
    );
  });

  test('there is a projection exactly where a probe was scored, and a day ago at most', () => {
    fc.assert(
      fc.property(anyLife, (life) => {
        const inputs = inputsOf(life);
        const { lastProbedAt } = inputs;
        const isInSight = lastProbedAt !== null && lastProbedAt >= daysAgo(1);
        expect(score(inputs).projection !== null).toBe(inputs.probes.scored > 0 && isInSight);
      }),
    );
  });

  test('a template has no flag and no cap about price or payTo', () => {
    const barred = new Set(
      FLAG_CATALOGUE.filter(({ notForTemplates }) => notForTemplates === true).map(({ slug }) => slug),
    );
    fc.assert(
      fc.property(anyLife, ([history, known]) => {
        const { flags, caps } = score(inputsOf([history, { ...known, templated: true }]));
        expect(flags.filter(({ slug }) => barred.has(slug))).toEqual([]);
        expect(caps.filter(({ rule }) => rule === 'payto-changed-recently')).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('every figure is documented, and every flag has a row with the same message and severity', () => {
    fc.assert(
      fc.property(anyLife, (life) => {
        const { flags, components } = score(inputsOf(life));
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

  test('what a provider wrote reaches no sentence, and evidence only as a plain value', () => {
    // A text that none of our own sentences holds, as a description, a network and a payTo.
    const hostile = '<script>\u202e"; drop--';
    fc.assert(
      fc.property(anyLife, ([history, known]) => {
        const theirs: History = history.map((stretch) => ({
          ...stretch,
          ...(stretch.terms && { terms: { ...stretch.terms, payTo: hostile, network: hostile } }),
        }));
        const inputs = inputsOf([theirs, { ...known, description: hostile }]);
        const verdict = score(inputs);
        const { flags, ...rest } = verdict;
        expect(JSON.stringify(rest)).not.toContain('script');
        for (const { evidence, ...flag } of flags) {
          expect(JSON.stringify(flag)).not.toContain('script');
          for (const value of Object.values(evidence)) {
            const isPlain = value === null || typeof value === 'number' || typeof value === 'string';
            expect(isPlain).toBe(true);
            if (typeof value === 'string' && value.includes('script')) expect(value).toBe(hostile);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('a better history never scores lower:', () => {
  /** The history with the first probes of a stretch replaced. */
  function replaced(history: History, index: number, seen: Seen): History {
    return history.map((stretch, at) => (at === index ? { ...stretch, seen } : stretch));
  }

  test('a challenge of a better verdict, at any place', () => {
    fc.assert(
      fc.property(anyLife, fc.nat(), ([history, known], pick) => {
        fc.pre(history.length > 0);
        const index = pick % history.length;
        const rank = WORST_FIRST.indexOf(history[index]?.seen ?? 'ours');
        fc.pre(rank >= 0 && rank < WORST_FIRST.length - 1);
        const better = replaced(history, index, WORST_FIRST[rank + 1] ?? 'pass');
        const [before, after] = [history, better].map((each) => score(inputsOf([each, known])).score);
        expect(after).toBeGreaterThanOrEqual(before ?? Number.NaN);
      }),
      { numRuns: 1_000 },
    );
  });

  test('answers that came sooner', () => {
    fc.assert(
      fc.property(anyLife, fc.integer({ min: 1, max: 20 }), ([history, known], times) => {
        const sooner = history.map((stretch) =>
          stretch.latencyMs === undefined ? stretch : { ...stretch, latencyMs: stretch.latencyMs / times },
        );
        expect(score(inputsOf([sooner, known])).score).toBeGreaterThanOrEqual(
          score(inputsOf([history, known])).score,
        );
      }),
      { numRuns: 500 },
    );
  });

  test('uptime itself: an outage that was another gate answering instead', () => {
    fc.assert(
      fc.property(anyHistory, anyKnown, fc.nat(), (history, known, pick) => {
        fc.pre(history.length > 0);
        const index = pick % history.length;
        fc.pre(history[index]?.seen === 'down');
        // Another gate is no challenge, and here its answers were not timed: uptime is all that changes.
        const better: History = history.map((stretch, at) =>
          at === index ? { slots: stretch.slots, seen: 'gate' } : stretch,
        );
        const [before, after] = [history, better].map((each) => score(inputsOf([each, known])));
        if (before === undefined || after === undefined) throw new Error('both were scored');
        // What was scored before the window alone has no uptime, in either history.
        const [was, is] = [valueOf(before, 'uptime'), valueOf(after, 'uptime')];
        if (was === null || is === null) expect(is).toBe(was);
        else expect(is).toBeGreaterThanOrEqual(was);
        expect(after.score).toBeGreaterThanOrEqual(before.score);
      }),
      { numRuns: 1_000 },
    );
  });
});

test('a cap more never raises the score, and each lowers it to its limit at most', () => {
  fc.assert(
    fc.property(anyLife, (life) => {
      const inputs = inputsOf(life);
      const before = score(inputs);
      const capped = score({
        ...inputs,
        advertised: inputs.advertised && { ...inputs.advertised, falseUsdc: true },
        downSince: inputs.downSince ?? daysAgo(40),
      });
      expect(capped.score).toBeLessThanOrEqual(before.score);
      expect(capped.caps.length).toBeGreaterThanOrEqual(before.caps.length);
      for (const { limit } of capped.caps) expect(capped.score).toBeLessThanOrEqual(limit);
    }),
    { numRuns: 300 },
  );
});
