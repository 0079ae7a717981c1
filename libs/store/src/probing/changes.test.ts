import { DAY_MS, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { describe, expect, it } from 'vitest';
import type { Observation } from '../index.ts';
import { makeEndpoint, useTestDatabase, makeObservation, T0, makeTerms } from '../testing/fixtures.ts';
import { TERMS_CASES } from '@touchstone/trust/testing/terms-changes';

const down = { vitality: 'down', outcome: 'timeout', compliance: null, bucket: null } as const;
const blocked = { vitality: 'neither', outcome: 'blocked', compliance: null, bucket: null } as const;

const database = useTestDatabase();

/**
 * Creates an endpoint and returns test functions for this endpoint. `at` records one observation at a number of hours
 * after T0.
 */
async function endpoint(id: string) {
  await database.discover(`changes ${id}`, T0, [makeEndpoint(id)]);
  const at = async (hour: number, extra: Partial<Observation> = {}): Promise<void> => {
    await database.record([makeObservation(id, T0 + hour * HOUR_MS, extra)], T0 + hour * HOUR_MS + MINUTE_MS);
  };
  const changes = async () => {
    const { data } = await database.db
      .from('changes')
      .select('kind, at, before, after')
      .eq('endpoint_id', id)
      .neq('kind', 'listed')
      .order('at');
    return (data ?? []).map(({ kind, at: when, before, after }) => ({
      kind,
      hour: (Date.parse(when) - T0) / HOUR_MS,
      before,
      after,
    }));
  };
  const readHour = async (name: 'downSince' | 'watchedSince'): Promise<number | null> => {
    const since = (await database.readInput(id, T0 + 30 * DAY_MS))?.state[name] ?? null;
    return since === null ? null : (since - T0) / HOUR_MS;
  };
  return {
    at,
    changes,
    downSince: () => readHour('downSince'),
    watchedSince: () => readHour('watchedSince'),
  };
}

describe('liveness', () => {
  it('changes to down at the second consecutive miss and to up at the first success, once each', async () => {
    const { at, changes, downSince } = await endpoint('liveaaaaaa');
    await at(0);
    await at(0.5, down);
    await at(1);
    expect(await changes()).toEqual([]);
    await at(1.5, down);
    await at(2, down);
    await at(2.5, down);
    expect(await downSince()).toBe(1.5);
    await at(3);
    expect(await downSince()).toBeNull();
    await at(3.5);
    expect(await changes()).toMatchObject([
      { kind: 'liveness_down', hour: 2, before: { liveness: 'up' }, after: { liveness: 'down' } },
      { kind: 'liveness_recovered', hour: 3, before: { liveness: 'down' }, after: { liveness: 'up' } },
    ]);
  });

  it('is the same for one batch as for many', async () => {
    await database.discover('changes batch', T0, [makeEndpoint('batchaaaaa')]);
    const rows = [{}, down, {}, down, down, down, {}].map((extra, i) =>
      makeObservation('batchaaaaa', T0 + i * 30 * MINUTE_MS, extra),
    );
    await database.record(rows, T0 + 4 * HOUR_MS);
    expect(await database.readChangeKinds('batchaaaaa')).toEqual([
      'listed',
      'liveness_down',
      'liveness_recovered',
    ]);
  });

  it('ignores observations that are neither up nor down, and self-inflicted failures', async () => {
    const { at, changes } = await endpoint('neitheraaa');
    await at(0);
    await at(0.5, blocked);
    await at(1, blocked);
    await at(1.5, { ...down, excluded: true });
    await at(2, { ...down, excluded: true });
    await at(2.5, down);
    await at(3, { ...down, excluded: true });
    expect(await changes()).toEqual([]);
    await at(3.5, blocked);
    await at(4, down);
    expect(await changes()).toMatchObject([{ kind: 'liveness_down', hour: 4 }]);
  });

  it('records no change to down for an endpoint that was never up', async () => {
    const { at, changes } = await endpoint('neveraaaaa');
    await at(0, down);
    await at(0.5, down);
    expect(await changes()).toEqual([]);
    await at(1);
    expect(await changes()).toMatchObject([{ kind: 'liveness_recovered', hour: 1 }]);
  });
});

describe('an outage', () => {
  it('starts again after a monitoring gap; a miss before the gap does not count', async () => {
    const { at, changes, downSince } = await endpoint('gapaaaaaaa');
    await at(0);
    await at(0.5, down);
    await at(72, down);
    expect(await downSince()).toBe(72);
    expect(await changes()).toEqual([]);
    await at(72.5, down);
    expect(await downSince()).toBe(72);
    expect(await changes()).toMatchObject([{ kind: 'liveness_down', hour: 72.5 }]);
    await at(144, blocked);
    expect(await downSince()).toBeNull();
  });

  it('continues over a few missed slots and an hour of self-inflicted failures', async () => {
    const { at, downSince } = await endpoint('shortaaaaa');
    await at(0, down);
    await at(1.5, down);
    await at(2, { ...down, excluded: true });
    await at(2.5, { ...down, excluded: true });
    await at(3, down);
    expect(await downSince()).toBe(0);
  });

  it('ends at a day of self-inflicted failures, which is a monitoring gap', async () => {
    const { at, downSince } = await endpoint('failuresaa');
    await at(0, down);
    for (let hour = 1; hour < 24; hour += 1) await at(hour, { ...down, excluded: true });
    await at(24, down);
    expect(await downSince()).toBe(24);
  });

  it('is not changed by late observations', async () => {
    const { at, changes, downSince } = await endpoint('lateaaaaaa');
    await at(0);
    await at(1, down);
    await at(1.5, down);
    await at(0.5);
    expect(await downSince()).toBe(1);
    expect(await changes()).toMatchObject([{ kind: 'liveness_down', hour: 1.5 }]);
  });
});

describe('compliance', () => {
  it('records a change with both verdicts when the verdict on the challenge differs', async () => {
    const { at, changes } = await endpoint('complyaaaa');
    await at(0, { compliance: 'pass' });
    await at(0.5, down);
    await at(1, { compliance: 'pass' });
    await at(1.5, { compliance: 'errors' });
    await at(2, { compliance: 'errors' });
    await at(2.5, { compliance: 'unpayable', excluded: true });
    await at(3, { compliance: 'pass' });
    expect(await changes()).toEqual([
      {
        kind: 'compliance_change',
        hour: 1.5,
        before: { compliance: 'pass' },
        after: { compliance: 'errors' },
      },
      { kind: 'compliance_change', hour: 3, before: { compliance: 'errors' }, after: { compliance: 'pass' } },
    ]);
  });
});

describe('payment terms', () => {
  it('change with price, wallet and network, but not by self-inflicted failures', async () => {
    const { at, changes } = await endpoint('termsaaaaa');
    await at(0, { terms: makeTerms('1000', '0xa') });
    await at(0.5, { terms: makeTerms('9000', '0xb'), excluded: true });
    await at(1, { terms: makeTerms('1000', '0xa') });
    expect(await changes()).toEqual([]);
    await at(1.5, { terms: makeTerms('2000', '0xb') });
    await at(2, { terms: makeTerms('2000', '0xb', 'eip155:137') });
    expect((await changes()).map(({ kind, hour }) => `${kind} ${hour}`).sort()).toEqual([
      'asset_network_change 2',
      'payto_change 1.5',
      'price_change 1.5',
    ]);
  });

  it('are rolled back with the whole batch when a row of it cannot be recorded', async () => {
    const { at, changes } = await endpoint('atomicaaaa');
    await at(0, { terms: makeTerms('1000', '0xa') });
    const broken = [
      makeObservation('atomicaaaa', T0 + HOUR_MS, { terms: makeTerms('2000', '0xa') }),
      makeObservation('atomicaaaa', T0 + 2 * HOUR_MS, { amountUsd: 'not a number' }),
    ];
    await expect(database.record(broken, T0 + 2 * HOUR_MS)).rejects.toThrow('record observations');
    expect(await changes()).toEqual([]);
    expect((await database.readInput('atomicaaaa', T0 + DAY_MS))?.sums).toMatchObject({ probes: 1 });
  });
});

describe('the start of continuous monitoring', () => {
  const unpayable = { compliance: 'unpayable' } as const;

  it('is reset by a gap after a payable state, and not without a gap', async () => {
    const { at, watchedSince } = await endpoint('watchedaaa');
    await at(0);
    await at(0.5);
    await at(1, unpayable);
    expect(await watchedSince()).toBeNull();
    await at(40, unpayable);
    expect(await watchedSince()).toBe(40);
    await at(40.5, unpayable);
    expect(await watchedSince()).toBe(40);
  });

  it('is not reset by a gap after a day without a payable challenge', async () => {
    const { at, watchedSince } = await endpoint('watchedbbb');
    await at(0);
    for (let hours = 0.5; hours <= 26; hours += 1) await at(hours, unpayable);
    await at(60, unpayable);
    expect(await watchedSince()).toBeNull();
  });

  it('ignores self-inflicted failures', async () => {
    const { at, watchedSince } = await endpoint('watchedccc');
    await at(0);
    await at(30, { excluded: true });
    expect(await watchedSince()).toBeNull();
    await at(30.5, blocked);
    expect(await watchedSince()).toBe(30.5);
  });
});

/**
 * The database and the scoring formula detect changes by the same rule, so both are tested with the table TERMS_CASES.
 */
describe('recording detects the changes between two sets of payment terms:', () => {
  it.each(TERMS_CASES.map((each, index) => ({ ...each, id: `termscase${String.fromCharCode(97 + index)}` })))(
    '$name',
    async ({ id, before, after, kinds }) => {
      await database.discover(`terms ${id}`, T0, [makeEndpoint(id)]);
      for (const [hour, compared] of [before, after].entries()) {
        const at = T0 + hour * HOUR_MS;
        await database.record(
          [makeObservation(id, at, { terms: { ...makeTerms('1', '0x'), ...compared } })],
          at + MINUTE_MS,
        );
      }
      expect((await database.readChangeKinds(id)).toSorted()).toEqual(['listed', ...kinds].toSorted());
    },
  );
});
