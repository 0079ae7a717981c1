import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Observation } from '../index.ts';
import {
  HOUR,
  makeEndpoint,
  MINUTE,
  openTestDatabase,
  makeObservation,
  T0,
  makeTerms,
  type TestDatabase,
} from '../testing/fixtures.ts';

const down = { vitality: 'down', outcome: 'timeout', compliance: null, bucket: null } as const;
const blocked = { vitality: 'neither', outcome: 'blocked', compliance: null, bucket: null } as const;
const DAY = 24 * HOUR;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** An endpoint whose observations are recorded one call each, half an hour apart unless an hour is given. */
async function endpoint(id: string) {
  await database.discover(`changes ${id}`, T0, [makeEndpoint(id)]);
  const at = async (hour: number, extra: Partial<Observation> = {}): Promise<void> => {
    await database.record([makeObservation(id, T0 + hour * HOUR, extra)], T0 + hour * HOUR + MINUTE);
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
      hour: (Date.parse(when) - T0) / HOUR,
      before,
      after,
    }));
  };
  const hourOf = async (name: 'downSince' | 'watchedSince'): Promise<number | null> => {
    const since = (await database.readInput(id, T0 + 30 * DAY))?.state[name] ?? null;
    return since === null ? null : (since - T0) / HOUR;
  };
  return { at, changes, downSince: () => hourOf('downSince'), watchedSince: () => hourOf('watchedSince') };
}

describe('liveness', () => {
  it('is lost at the second miss in a row and back at the first answer, each once', async () => {
    const { at, changes } = await endpoint('liveaaaaaa');
    await at(0);
    await at(0.5, down);
    await at(1);
    expect(await changes()).toEqual([]);
    await at(1.5, down);
    await at(2, down);
    await at(2.5, down);
    await at(3);
    await at(3.5);
    expect(await changes()).toMatchObject([
      { kind: 'liveness_down', hour: 2, before: { liveness: 'up' }, after: { liveness: 'down' } },
      { kind: 'liveness_recovered', hour: 3, before: { liveness: 'down' }, after: { liveness: 'up' } },
    ]);
  });

  it('says the same of one batch as of many', async () => {
    await database.discover('changes batch', T0, [makeEndpoint('batchaaaaa')]);
    const rows = [{}, down, {}, down, down, down, {}].map((extra, i) =>
      makeObservation('batchaaaaa', T0 + i * 30 * MINUTE, extra),
    );
    await database.record(rows, T0 + 4 * HOUR);
    expect(await database.readChangeKinds('batchaaaaa')).toEqual([
      'listed',
      'liveness_down',
      'liveness_recovered',
    ]);
  });

  it('is not told by what is neither up nor down, nor by our own failures', async () => {
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

  it('is not lost by an endpoint that was never seen up', async () => {
    const { at, changes } = await endpoint('neveraaaaa');
    await at(0, down);
    await at(0.5, down);
    expect(await changes()).toEqual([]);
    await at(1);
    expect(await changes()).toMatchObject([{ kind: 'liveness_recovered', hour: 1 }]);
  });
});

describe('an outage', () => {
  it('begins anew after a time without watching, and one miss after it is not confirmed by one before', async () => {
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

  it('goes on over slots that were missed by chance, and over our own failures of an hour', async () => {
    const { at, downSince } = await endpoint('shortaaaaa');
    await at(0, down);
    await at(1.5, down);
    await at(2, { ...down, excluded: true });
    await at(2.5, { ...down, excluded: true });
    await at(3, down);
    expect(await downSince()).toBe(0);
  });

  it('does not go on over a day of our own failures: that is a time without watching', async () => {
    const { at, downSince } = await endpoint('failuresaa');
    await at(0, down);
    for (let hour = 1; hour < 24; hour += 1) await at(hour, { ...down, excluded: true });
    await at(24, down);
    expect(await downSince()).toBe(24);
  });

  it('is not changed by what arrives late', async () => {
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
  it('is a change when the verdict on the challenge differs, with both verdicts', async () => {
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

describe('terms', () => {
  it('change with price, wallet and network, but not through our own failures', async () => {
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

  it('are forgotten with the whole batch when a part of it cannot be recorded', async () => {
    const { at, changes } = await endpoint('atomicaaaa');
    await at(0, { terms: makeTerms('1000', '0xa') });
    const broken = [
      makeObservation('atomicaaaa', T0 + HOUR, { terms: makeTerms('2000', '0xa') }),
      makeObservation('atomicaaaa', T0 + 2 * HOUR, { amountUsd: 'not a number' }),
    ];
    await expect(database.record(broken, T0 + 2 * HOUR)).rejects.toThrow('record observations');
    expect(await changes()).toEqual([]);
    expect((await database.readInput('atomicaaaa', T0 + DAY))?.sums).toMatchObject({ probes: 1 });
  });
});

describe('the time since when an endpoint was watched', () => {
  const unpayable = { compliance: 'unpayable' } as const;

  it('begins anew after a gap before which it could be paid, and not where we looked all along', async () => {
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

  it('goes on over a gap before which it could not be paid for a day', async () => {
    const { at, watchedSince } = await endpoint('watchedbbb');
    await at(0);
    for (let hours = 0.5; hours <= 26; hours += 1) await at(hours, unpayable);
    await at(60, unpayable);
    expect(await watchedSince()).toBeNull();
  });

  it('is of what was observed, not of our own failures', async () => {
    const { at, watchedSince } = await endpoint('watchedccc');
    await at(0);
    await at(30, { excluded: true });
    expect(await watchedSince()).toBeNull();
    await at(30.5, blocked);
    expect(await watchedSince()).toBe(30.5);
  });
});
