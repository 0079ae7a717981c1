import { score, type ScoreInputs } from '@touchstone/trust';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toScoreInputs } from './score-inputs.ts';
import { HEALTHY_STATE, type PlaygroundState } from './fields.ts';
import { arbitraryState } from './testing/arbitrary-state.ts';

const NOW = Date.UTC(2026, 5, 1);
const createInputs = (changes: Partial<PlaygroundState>) =>
  toScoreInputs({ ...HEALTHY_STATE, ...changes }, NOW);
const sumEnvelopes = ({ pass, warnings, errors, unpayable }: ScoreInputs['envelopes']) =>
  pass + warnings + errors + unpayable;

it('toScoreInputs returns consistent inputs for any state', () => {
  fc.assert(
    fc.property(arbitraryState, (state) => {
      const inputs = toScoreInputs(state, NOW);
      const { probes, envelopes, latency, settlement, last24h, last7d } = inputs;
      const counts = [...Object.values(probes), ...Object.values(envelopes)];
      expect(counts.filter((count) => !Number.isInteger(count) || count < 0)).toEqual([]);
      expect(probes.up).toBeLessThanOrEqual(probes.scored);
      expect(probes.total).toBe(probes.scored + probes.excluded);
      expect(probes.blocked + probes.redirected).toBeLessThanOrEqual(probes.excluded);
      expect([0, probes.up]).toContain(sumEnvelopes(envelopes));
      if (latency !== null) expect(latency.p95).toBeGreaterThanOrEqual(latency.p50);
      if (settlement !== null) {
        expect(settlement.topPayerShare ?? 0).toBeGreaterThanOrEqual(0);
        expect(settlement.topPayerShare ?? 0).toBeLessThanOrEqual(1);
        if (settlement.payers30d === 0)
          expect(settlement).toMatchObject({ volumeUsd30d: 0, topPayerShare: null });
      }
      // The recent counts are part of the counts of 30 days.
      expect(last24h.scored).toBeLessThanOrEqual(last7d.scored);
      expect(last7d.scored).toBeLessThanOrEqual(probes.scored);
      for (const { scored, up } of [last24h, last7d])
        expect(up).toBeLessThanOrEqual(Math.min(scored, probes.up));
      expect([0, last24h.up]).toContain(sumEnvelopes(last24h.envelopes));
      if (last24h.free > 0) expect(inputs.answeredFree).toBe(true);
      if (sumEnvelopes(last24h.envelopes) > 0) expect(sumEnvelopes(envelopes)).toBeGreaterThan(0);
      const { firstSeen, lastScoredAt, downSince, lastChallengedAt, lastPayableAt, changes } = inputs;
      const times = [firstSeen, lastScoredAt, downSince, lastChallengedAt, lastPayableAt];
      for (const time of [...times, ...changes.map(({ at }) => at)])
        expect(time ?? NOW).toBeLessThanOrEqual(NOW);
      for (const { at } of changes) expect(NOW - at).toBeLessThanOrEqual(30 * 86_400_000);
      expect(lastPayableAt ?? -Infinity).toBeLessThanOrEqual(lastChallengedAt ?? -Infinity);
      expect(inputs.everChallenged).toBe(lastChallengedAt !== null);
      expect(probes.scored > 0).toBe(lastScoredAt !== null);
      if (inputs.latestCompliance !== null) expect(sumEnvelopes(envelopes)).toBeGreaterThan(0);
      const verdict = score(inputs);
      expect(verdict.score).toBeGreaterThanOrEqual(0);
      expect(verdict.score).toBeLessThanOrEqual(100);
      expect(verdict.reasons.length).toBeGreaterThan(0);
    }),
  );
});

describe('toScoreInputs', () => {
  it('splits all challenges in proportion to the parts', () => {
    const { envelopes } = createInputs({ pass: 1, warnings: 1, errors: 1, unpayable: 0, probes: 1000 });
    expect(sumEnvelopes(envelopes)).toBe(1000);
    for (const verdict of ['pass', 'warnings', 'errors'] as const) {
      expect(Math.abs(envelopes[verdict] - 1000 / 3)).toBeLessThan(1);
    }
    expect(envelopes.unpayable).toBe(0);
  });

  it('counts an outage as failed probes regardless of the uptime', () => {
    const { probes, downSince, lastChallengedAt } = createInputs({ uptime: 100, down: 10 });
    expect(probes).toMatchObject({ scored: 1440, up: 1420 });
    expect(NOW - (downSince ?? 0)).toBe(10 * 3_600_000);
    expect(lastChallengedAt).toBe(downSince);
  });

  it('puts an outage at the end of the last 24 hours and names its cause', () => {
    const { last24h, last7d, downSince, lastFailure } = createInputs({ down: 10 });
    expect(last24h).toMatchObject({ scored: 48, up: 28 });
    expect(last7d).toEqual({ scored: 336, up: 316 });
    expect(lastFailure).toMatchObject({ since: downSince, error: 'http-503' });
    expect(createInputs({}).lastFailure).toBeNull();
  });

  it('adds unpayable challenges to the earlier payable ones', () => {
    const inputs = createInputs({ unpayableFor: 48 });
    expect(inputs.envelopes).toMatchObject({ pass: 1344, unpayable: 96 });
    expect(inputs.latestCompliance).toBe('unpayable');
    expect(score(inputs).caps.map(({ rule }) => rule)).toContain('no-payable-challenge');
  });

  it('distributes the changes of a kind over the rest of the 30 days', () => {
    const { changes } = createInputs({ payToChanges: 3, payToDays: 15 });
    expect(changes.map(({ at }) => (NOW - at) / 86_400_000)).toEqual([15, 20, 25]);
    expect(new Set(changes.map(({ kind }) => kind))).toEqual(new Set(['payto_change']));
  });

  it('omits measurements that were not made', () => {
    expect(createInputs({ timed: false }).latency).toBeNull();
    expect(createInputs({ chainRead: false })).toMatchObject({ settlement: null, networksRead: 0 });
    expect(createInputs({ probes: 0 })).toMatchObject({
      lastScoredAt: null,
      latency: null,
      everChallenged: false,
    });
  });

  it('formats the price in dollars with six decimals', () => {
    expect(createInputs({ priceFactor: 12.3 }).advertised?.amountUsd).toBe('0.123000');
  });
});
