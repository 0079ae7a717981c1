import { DAY_MS, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { describe, expect, it } from 'vitest';
import { type Observation, saveSnapshots, type PayOn, type SnapshotRow } from '../index.ts';
import {
  makeObservation,
  makeTerms,
  useTestDatabase,
  T0,
  makeSnapshotRow,
  makePayOn,
  DOWN,
} from '../testing/fixtures.ts';

const database = useTestDatabase();

/** Creates an endpoint with observations at the given hours after T0, and returns its scoring input at an hour. */
async function createEndpoint(
  id: string,
  observations: readonly (readonly [number, Partial<Observation>])[],
) {
  await database.discover(`inputs ${id}`, T0, [id]);
  for (const [hour, extra] of observations) {
    const at = T0 + hour * HOUR_MS;
    await database.record([makeObservation(id, at, extra)], at + MINUTE_MS);
  }
  return (hour: number) => database.readInput(id, T0 + hour * HOUR_MS);
}

describe('the last 24 hours', () => {
  it('contain the probes after the same time of the previous day', async () => {
    const read = await createEndpoint('lastdayaaa', [
      [0, {}],
      [1, DOWN],
      [2, { compliance: 'warnings' }],
      [3, { compliance: 'errors' }],
      [4, { compliance: 'unpayable' }],
      [5, { outcome: 'free', compliance: null }],
      [6, { vitality: 'neither', outcome: 'blocked', compliance: null }],
      [7, { ...DOWN, excluded: true }],
    ]);
    const none = { pass: 0, warnings: 0, errors: 0, unpayable: 0 };
    expect((await read(8))?.last24h).toEqual({
      ...{ scored: 6, up: 5, free: 1 },
      envelopes: { pass: 1, warnings: 1, errors: 1, unpayable: 1 },
    });
    expect((await read(26))?.last24h).toEqual({
      ...{ scored: 3, up: 3, free: 1 },
      envelopes: { ...none, errors: 1, unpayable: 1 },
    });
    expect((await read(60))?.last24h).toEqual({ scored: 0, up: 0, free: 0, envelopes: none });
  });

  it('contain no recheck', async () => {
    const id = 'lastdaybbb';
    const read = await createEndpoint(id, [[1, DOWN]]);
    const at = T0 + 2 * HOUR_MS;
    await database.db.from('leases').insert({
      endpoint_id: id,
      slot_at: new Date(at).toISOString(),
      owner: 'w',
      expires_at: new Date(at + HOUR_MS).toISOString(),
      is_recheck: true,
    });
    await database.record([makeObservation(id, at, { ...DOWN, slotAt: at })], at + MINUTE_MS);
    expect(await read(3)).toMatchObject({ last24h: { scored: 1 }, state: { downSince: T0 + HOUR_MS } });
  });
});

describe('the last seven days', () => {
  it('include the current day in UTC and the six days before it', async () => {
    const read = await createEndpoint('lastweekaa', [
      [-24 * 6 - 1, DOWN],
      [-24 * 6, {}],
      [-1, {}],
      [1, DOWN],
    ]);
    expect((await read(2))?.sums).toMatchObject({
      probes: { scored: 4, up: 2 },
      last7d: { scored: 3, up: 2 },
    });
  });
});

describe('changes', () => {
  it('have their payment terms only if they are among the latest 20 of their kind', async () => {
    const read = await createEndpoint('changesaaa', [
      ...Array.from({ length: 22 }, (_, index): [number, Partial<Observation>] => [
        index,
        { terms: makeTerms(String(index + 1), '0xa') },
      ]),
      [22, { terms: makeTerms('22', '0xb') }],
    ]);
    const changes = (await read(23))?.changes ?? [];
    expect(changes.map(({ kind, at }) => [kind, (at - T0) / HOUR_MS])).toEqual([
      ...Array.from({ length: 21 }, (_, index) => ['price_change', index + 1]),
      ['payto_change', 22],
    ]);
    const terms = { version: 2, description: null, options: [] };
    expect(changes.map(({ before, after }) => [before, after])).toEqual([
      [null, null],
      ...Array.from({ length: 21 }, () => [terms, terms]),
    ]);
  });
});

it('contain the time of the last successful probe, or null if no probe ever succeeded', async () => {
  const ours = { ...DOWN, excluded: true };
  const never = await createEndpoint('lastupaaaa', [[1, DOWN]]);
  const once = await createEndpoint('lastupbbbb', [
    [1, { outcome: 'free', compliance: null }],
    [2, DOWN],
    [3, ours],
  ]);
  const states = await Promise.all([never(4), once(4)]);
  expect(states.map((input) => input?.state.lastUpAt)).toEqual([null, T0 + HOUR_MS]);
});

describe('the distinct payTo addresses', () => {
  const BASE = 'eip155:8453|0xusdc';
  const POLYGON = 'eip155:137|0xusdc';
  const WINDOW_HOURS = 30 * 24;
  const pay = (hour: number, payTo: string, network?: string): [number, Partial<Observation>] => [
    hour,
    { terms: makeTerms('1', payTo, network) },
  ];

  it.each<[string, string, [number, Partial<Observation>][], Record<string, number> | null]>([
    ['none without payment terms', 'paytoaaaaa', [[1, DOWN]], null],
    ['one address without a change', 'paytobbbbb', [pay(1, '0xa'), pay(2, '0xa')], { [BASE]: 1 }],
    [
      'each address once, also while the payTo varies',
      'paytoccccc',
      ['0xa', '0xb', '0xc', '0xd', '0xa', '0xc', '0xb'].map((wallet, hour) => pay(hour, wallet)),
      { [BASE]: 4 },
    ],
    [
      'those of each network and token',
      'paytoddddd',
      [pay(1, '0xa'), pay(2, '0xb'), pay(3, '0xb', 'eip155:137')],
      { [BASE]: 2, [POLYGON]: 1 },
    ],
    [
      'those of 30 days, with the address at their start',
      'paytoeeeee',
      [pay(0, '0xa'), pay(1, '0xb'), pay(2, '0xc'), pay(WINDOW_HOURS, '0xc')],
      { [BASE]: 2 },
    ],
    [
      'unknown if the latest payment terms are older',
      'paytofffff',
      [pay(0, '0xa'), pay(1, '0xb'), [WINDOW_HOURS + 2, DOWN]],
      null,
    ],
  ])('are %s', async (...[, id, observations, counts]) => {
    await database.discover(`payto ${id}`, T0, [id]);
    const rows = observations.map(([hour, extra]) => makeObservation(id, T0 + hour * HOUR_MS, extra));
    const now = (rows.at(-1)?.at ?? T0) + HOUR_MS + MINUTE_MS;
    await database.record(rows, now);
    expect((await database.readInput(id, now))?.sums?.payToCounts).toEqual(counts);
  });
});

describe('an endpoint', () => {
  it('has the time of its latest compliance result', async () => {
    const read = await createEndpoint('verdictaaa', [
      [1, {}],
      [2, DOWN],
    ]);
    expect((await read(3))?.state.complianceAt).toBe(T0 + HOUR_MS);
  });
});

describe('the score of a day', () => {
  const id = 'dddddddddd';
  const readDailyScores = async () => {
    const { data } = await database.db.from('daily_scores').select('*').eq('endpoint_id', id).order('day');
    return (data ?? []).map(({ day, score, grade }) => [day, score, grade]);
  };
  const lower = { snapshot: { grade: 'C' } } as const;

  it('is the last score of that day', async () => {
    await database.discover('days', T0, [id]);
    await saveSnapshots(database.db, T0 + HOUR_MS, [makeSnapshotRow(id, 88.8)]);
    await saveSnapshots(database.db, T0 + 23 * HOUR_MS, [makeSnapshotRow(id, 61.2, lower)]);
    await saveSnapshots(database.db, T0 + DAY_MS, [makeSnapshotRow(id, 90.1)]);
    expect(await readDailyScores()).toEqual([
      ['2026-11-01', 61.2, 'C'],
      ['2026-11-02', 90.1, 'A'],
    ]);
  });

  it('is not written again while it is unchanged', async () => {
    const readRowVersion = async () => {
      const { data } = await database.db.from('daily_scores').select('xmin').eq('endpoint_id', id);
      return data;
    };
    const before = await readRowVersion();
    await saveSnapshots(database.db, T0 + DAY_MS + HOUR_MS, [makeSnapshotRow(id, 90.1)]);
    expect(await readRowVersion()).toEqual(before);
    await saveSnapshots(database.db, T0 + DAY_MS + HOUR_MS, [makeSnapshotRow(id, 90.2)]);
    expect(await readRowVersion()).not.toEqual(before);
  });
});

describe('a wallet', () => {
  const WALLET = '0xAbCd000000000000000000000000000000000001';
  const paidAt = (payTo: string, network = 'eip155:8453') => makePayOn({ network, payTo });
  const advertise = async (id: string, payOn: PayOn[], extra: Partial<SnapshotRow['snapshot']> = {}) => {
    await database.publish(id, T0 + HOUR_MS, { snapshot: { payOn, ...extra } });
  };
  const readState = async (id: string) => (await database.readInput(id, T0 + 3 * HOUR_MS))?.state;
  const countSharers = async (id: string) => (await readState(id))?.payToSharedWith;
  const countSiblings = async (id: string) => (await readState(id))?.payToSharedOnHost;
  const [one, other, sibling, third] = ['aaaaaaaaaa', 'bbbbbbbbbb', 'cccccccccc', 'eeeeeeeeee'] as const;

  it('is shared with endpoints of other hosts that advertise it, in upper or lower case', async () => {
    await database.discover('wallets', T0, [one, other, sibling, third]);
    await advertise(one, [paidAt(WALLET)]);
    await advertise(sibling, [paidAt(WALLET)], { host: `${one}.example.com` });
    expect(await countSharers(one)).toBe(0);
    await advertise(other, [paidAt('0xelse'), paidAt(WALLET.toLowerCase())]);
    await advertise(third, [paidAt(WALLET, 'eip155:137')]);
    expect(await countSharers(one)).toBe(1);
    expect(await countSharers(other)).toBe(2);
    expect(await countSharers(third)).toBe(0);
    expect([await countSiblings(one), await countSiblings(sibling), await countSiblings(other)]).toEqual([
      1, 1, 0,
    ]);
  });

  it('counts an endpoint once that shares several wallets', async () => {
    const [left, right] = ['ffffffffff', 'gggggggggg'];
    await database.discover('several wallets', T0, [left, right]);
    const both = [paidAt('0xfirst'), paidAt('0xsecond')];
    await advertise(left, both);
    await advertise(right, both);
    expect(await countSharers(left)).toBe(1);
    expect(await countSiblings(left)).toBe(0);
  });

  it('is not shared because of directory data alone', async () => {
    const detail = { scoringVersion: '1.0.0', inputs: { everChallenged: false }, facts: {} };
    await database.publish(other, T0 + HOUR_MS, { snapshot: { payOn: [paidAt(WALLET)] }, detail });
    expect(await countSharers(one)).toBe(0);
    await advertise(other, [paidAt(WALLET)]);
    expect(await countSharers(one)).toBe(1);
  });

  it('is not shared after the endpoint changes it or is delisted, nor with an adopted endpoint', async () => {
    await advertise(other, [paidAt('0xelse')]);
    expect(await countSharers(one)).toBe(0);
    await advertise(other, [paidAt(WALLET)]);
    expect(await countSharers(one)).toBe(1);
    await advertise(other, [paidAt(WALLET)], { listingStatus: 'delisted' });
    expect(await countSharers(one)).toBe(0);
    await advertise(other, [paidAt(WALLET)], { listingSource: 'adopted' });
    expect(await countSharers(one)).toBe(0);
  });

  it('is read after the endpoint is delisted, and not while the payTo varies', async () => {
    const readWallets = async () => {
      const { data } = await database.db.from('endpoint_wallets').select('*').eq('endpoint_id', other);
      return data?.map(({ pay_to }) => pay_to);
    };
    await advertise(other, [paidAt(WALLET)], { listingStatus: 'delisted' });
    expect(await readWallets()).toEqual([WALLET.toLowerCase()]);
    const publishVariation = (lastChangedAt: number) => {
      const inputs = { payToVariation: { lastChangedAt } };
      const detail = { scoringVersion: '1.0.0', inputs, facts: { termsAt: T0 + DAY_MS } };
      return database.publish(other, T0 + HOUR_MS, { snapshot: { payOn: [paidAt(WALLET)] }, detail });
    };
    await publishVariation(T0 + 1);
    expect(await readWallets()).toEqual([]);
    await publishVariation(T0);
    expect(await readWallets()).toEqual([WALLET.toLowerCase()]);
  });

  it('is case-sensitive on other networks, and ignored if it is not a wallet', async () => {
    const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
    await advertise(one, [paidAt('So11', solana), paidAt('x'.repeat(5000)), paidAt('')]);
    await advertise(other, [paidAt('so11', solana), paidAt('x'.repeat(5000)), paidAt('')]);
    expect(await countSharers(one)).toBe(0);
    await advertise(other, [paidAt('So11', solana)]);
    expect(await countSharers(one)).toBe(1);
  });
});
