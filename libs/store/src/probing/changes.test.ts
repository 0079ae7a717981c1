import { DAY_MS, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { describe, expect, it } from 'vitest';
import type { Observation } from '../index.ts';
import {
  useTestDatabase,
  makeId,
  makeObservation,
  T0,
  makeTerms,
  DOWN,
  BLOCKED,
} from '../testing/fixtures.ts';
import { TERMS_CASES } from '@touchstone/trust/testing/terms-changes';

const database = useTestDatabase();

const OURS = { ...DOWN, excluded: true } as const;
const PROBES = {
  up: {},
  down: DOWN,
  blocked: BLOCKED,
  ours: OURS,
  unpayable: { compliance: 'unpayable' },
} as const;

/**
 * Creates an endpoint and returns test functions for this endpoint. `at` records one observation at a number of hours
 * after T0.
 */
async function endpoint(id: string) {
  await database.discover(`changes ${id}`, T0, [id]);
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
      change: `${kind} ${(Date.parse(when) - T0) / HOUR_MS}`,
      before,
      after,
    }));
  };
  const listChanges = async () => (await changes()).map(({ change }) => change).sort();
  const readHour = async (name: 'downSince' | 'watchedSince'): Promise<number | null> => {
    const since = (await database.readInput(id, T0 + 30 * DAY_MS))?.state[name] ?? null;
    return since === null ? null : (since - T0) / HOUR_MS;
  };
  return { at, changes, listChanges, readHour };
}

let rows = 0;
/** Records probes such as `0.5 down`: the hour after T0 and a name of PROBES. */
async function recordAll(probes: string) {
  const { at, ...read } = await endpoint(`series${makeId((rows += 1)).slice(-4)}`);
  for (const [, hour, name] of probes.matchAll(/([\d.]+) (\w+)/g)) {
    // The cast is safe, because the tables below have only names of PROBES.
    await at(Number(hour), PROBES[name as keyof typeof PROBES]);
  }
  return read;
}
/** Returns hourly probes with the same result, from one hour to another, in the format of `recordAll`. */
const each = (from: number, to: number, name: keyof typeof PROBES): string =>
  Array.from({ length: to - from }, (_, i) => `${from + i} ${name}`).join();

describe('liveness', () => {
  it.each([
    [
      'is down from the second consecutive miss',
      '0 up, 0.5 down, 1 up, 1.5 down, 2 down, 2.5 down',
      1.5,
      ['liveness_down 2'],
    ],
    [
      'is up from the first success',
      '0 up, 1 down, 2 down, 3 up, 4 up',
      null,
      ['liveness_down 2', 'liveness_recovered 3'],
    ],
    [
      'is not changed by refusals and self-inflicted failures',
      '0 up, 0.5 blocked, 1 blocked, 1.5 ours, 2 ours, 2.5 down, 3 ours',
      2.5,
      [],
    ],
    [
      'counts misses around them as consecutive',
      '0 up, 2.5 down, 3 ours, 3.5 blocked, 4 down',
      2.5,
      ['liveness_down 4'],
    ],
    ['has no change to down of an endpoint that was never up', '0 down, 0.5 down', 0, []],
    ['has the first success of that endpoint', '0 down, 0.5 down, 1 up', null, ['liveness_recovered 1']],
    ['does not count a miss before a monitoring gap', '0 up, 0.5 down, 72 down', 72, []],
    [
      'begins an outage again after a monitoring gap',
      '0 up, 0.5 down, 72 down, 72.5 down',
      72,
      ['liveness_down 72.5'],
    ],
    [
      'has no outage after a gap without a miss',
      '0 up, 1 down, 2 down, 144 blocked',
      null,
      ['liveness_down 2'],
    ],
    [
      'continues an outage over missed slots and an hour of self-inflicted failures',
      '0 down, 1.5 down, 2 ours, 2.5 ours, 3 down',
      0,
      [],
    ],
    ['treats a day of self-inflicted failures as a gap', `0 down, ${each(1, 24, 'ours')}, 24 down`, 24, []],
    ['is not changed by late observations', '0 up, 1 down, 1.5 down, 0.5 up', 1, ['liveness_down 1.5']],
  ] as const)('%s', async (...[, probes, downSince, changes]) => {
    const read = await recordAll(probes);
    expect([await read.readHour('downSince'), await read.listChanges()]).toEqual([downSince, changes]);
  });
});

describe('the start of continuous monitoring', () => {
  it.each([
    ['is not set without a gap', '0 up, 0.5 up, 1 unpayable', null],
    ['is the end of a gap after a payable state', '0 up, 1 unpayable, 40 unpayable, 40.5 unpayable', 40],
    [
      'is not set by a gap after a day without a payable challenge',
      `0 up, ${each(1, 27, 'unpayable')}, 60 unpayable`,
      null,
    ],
    ['is not set by a self-inflicted failure', '0 up, 30 ours', null],
    ['is set by a refusal after it', '0 up, 30 ours, 30.5 blocked', 30.5],
  ])('%s', async (_, probes, watchedSince) => {
    expect(await (await recordAll(probes)).readHour('watchedSince')).toBe(watchedSince);
  });
});

describe('compliance', () => {
  it('records a change with both compliance results when they differ', async () => {
    const { at, changes } = await endpoint('complyaaaa');
    await at(0);
    await at(0.5, DOWN);
    await at(1);
    await at(2, { compliance: 'errors' });
    await at(3, { compliance: 'errors' });
    await at(3.5, { compliance: 'unpayable', excluded: true });
    await at(4);
    const [pass, errors] = [{ compliance: 'pass' }, { compliance: 'errors' }];
    expect(await changes()).toEqual([
      { change: 'compliance_change 2', before: pass, after: errors },
      { change: 'compliance_change 4', before: errors, after: pass },
    ]);
  });
});

describe('payment terms', () => {
  it('change with price, wallet and network, but not by self-inflicted failures', async () => {
    const { at, changes, listChanges } = await endpoint('termsaaaaa');
    await at(0, { terms: makeTerms('1000', '0xa') });
    await at(0.5, { terms: makeTerms('9000', '0xb'), excluded: true });
    await at(1, { terms: makeTerms('1000', '0xa') });
    expect(await changes()).toEqual([]);
    await at(1.5, { terms: makeTerms('2000', '0xb') });
    await at(2, { terms: makeTerms('2000', '0xb', 'eip155:137') });
    expect(await listChanges()).toEqual(['asset_network_change 2', 'payto_change 1.5', 'price_change 1.5']);
  });

  it('are rolled back with the whole batch when a row of it cannot be recorded', async () => {
    const { at, changes } = await endpoint('atomicaaaa');
    await at(0, { terms: makeTerms('1000', '0xa') });
    const broken = [
      makeObservation('atomicaaaa', T0 + HOUR_MS, { terms: makeTerms('2000', '0xa') }),
      makeObservation('atomicaaaa', T0 + 2 * HOUR_MS, { amountUsd: 'not a number' }),
    ];
    await expect(database.record(broken, T0 + 2 * HOUR_MS)).rejects.toThrow('record_observations');
    expect(await changes()).toEqual([]);
    expect((await database.readInput('atomicaaaa', T0 + DAY_MS))?.sums).toMatchObject({
      probes: { total: 1 },
    });
  });
});

/** The database and the scoring formula must detect the same changes, so both are tested with the table TERMS_CASES. */
describe('recording detects the changes between two sets of payment terms:', () => {
  it.each(TERMS_CASES.map((each, index) => ({ ...each, id: `termscase${String.fromCharCode(97 + index)}` })))(
    '$name',
    async ({ id, before, after, kinds }) => {
      await database.discover(`terms ${id}`, T0, [id]);
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
