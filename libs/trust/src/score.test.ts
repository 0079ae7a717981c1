import { describe, expect, test } from 'vitest';
import { advertising, daysAgo, healthy, probed, untouched, valueOf } from './test-fixtures.ts';
import { score } from './score.ts';

describe('the components of', () => {
  test('an endpoint with everything measured', () => {
    const verdict = score(healthy());
    expect(verdict.components.map(({ component, weight, points }) => [component, weight, points])).toEqual([
      ['uptime', 30, 30],
      ['compliance', 25, 25],
      ['stability', 15, 15],
      ['activity', 15, 15],
      ['age', 10, 10],
      ['latency', 5, 5],
    ]);
  });

  test('an endpoint with nothing measured but its age', () => {
    const verdict = score(untouched({ firstSeen: daysAgo(30) }));
    expect(verdict.components.map(({ value, points }) => [value, points])).toEqual([
      [null, 0],
      [null, 0],
      [null, 0],
      [null, 0],
      [0.7, 70],
      [null, 0],
    ]);
    expect(verdict.scoreRange).toEqual({ low: 7, point: 70, high: 97 });
  });

  test('settlements: half volume less the largest payer, half payers', () => {
    const settlement = { volumeUsd30d: 100, payers30d: 10, topPayerShare: 0.6 };
    expect(valueOf(score(healthy({ settlement })), 'activity')).toBeCloseTo((0.55 * 0.4 + 0.55) / 2, 9);
  });
});

test('confidence grows with scored probes and with the chains that were read', () => {
  const of = (scored: number, networksRead: number): number =>
    score(healthy({ ...probed(scored, scored), networksRead })).confidence;
  expect(of(0, 1)).toBe(0);
  expect(of(240, 1)).toBe(0.63);
  expect(of(240, 0)).toBe(0.51);
  expect(of(1_440, 1)).toBe(1);
  expect(of(1_440, 0)).toBe(0.8);
});

test('reasons name what decided, in order', () => {
  expect(score(healthy()).reasons).toEqual([
    'The score of 100.0 is 65 or more, and nothing warns about the money.',
  ]);
  expect(score(healthy({ downSince: daysAgo(3), ...advertising({ falseUsdc: true }) })).reasons).toEqual([
    'The token it asks for only calls itself USDC.',
    'It has not answered for a day or longer.',
    'The score of 20.0 is below 35.',
  ]);
});

test('flags say since when, where that is known', () => {
  const { flags } = score(
    healthy({ downSince: daysAgo(2), changes: [{ kind: 'payto_change', at: daysAgo(3) }] }),
  );
  expect(flags.map(({ slug, since }) => [slug, since])).toEqual([
    ['payto-changed-recently', daysAgo(3)],
    ['down-now', daysAgo(2)],
  ]);
});

test('every cap that applies is named, and the smallest decides', () => {
  const verdict = score(
    healthy({
      downSince: daysAgo(2),
      lastPayableAt: daysAgo(2),
      changes: [{ kind: 'payto_change', at: daysAgo(3) }],
    }),
  );
  expect(verdict.caps.map(({ rule, limit }) => [rule, limit])).toEqual([
    ['payto-changed-recently', 64],
    ['not-payable', 49],
    ['down-now', 34],
  ]);
  expect(verdict.score).toBe(34);
});
