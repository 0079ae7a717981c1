import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, saveSnapshots, type PayOn, type SnapshotRow } from '../index.ts';
import {
  makeEndpoint,
  openTestDatabase,
  makeSnapshotRow,
  T0,
  type TestDatabase,
} from '../testing/fixtures.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

describe('the score of a day', () => {
  const id = 'dddddddddd';
  const readDailyScores = async () => {
    const { data } = await database.db.from('daily_scores').select('*').eq('endpoint_id', id).order('day');
    return (data ?? []).map(({ day, score, grade }) => [day, score, grade]);
  };
  const lower = (score: number): SnapshotRow => {
    const row = makeSnapshotRow(id, score);
    return { ...row, snapshot: { ...row.snapshot, grade: 'C' } };
  };

  it('is the last score of that day, and not public', async () => {
    await database.discover('days', T0, [makeEndpoint(id)]);
    await saveSnapshots(database.db, T0 + HOUR_MS, [makeSnapshotRow(id, 88.8)]);
    await saveSnapshots(database.db, T0 + 23 * HOUR_MS, [lower(61.2)]);
    await saveSnapshots(database.db, T0 + DAY_MS, [makeSnapshotRow(id, 90.1)]);
    expect(await readDailyScores()).toEqual([
      ['2026-11-01', 61.2, 'C'],
      ['2026-11-02', 90.1, 'A'],
    ]);
    const publicDb = connect({ url: database.url, key: database.keys.publishable });
    expect((await publicDb.from('daily_scores').select('*')).data ?? []).toEqual([]);
    expect((await publicDb.from('endpoint_wallets').select('*')).data ?? []).toEqual([]);
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
  const paidAt = (payTo: string, network = 'eip155:8453'): PayOn => ({
    scheme: 'exact',
    network,
    asset: '0xusdc',
    assetSymbol: 'USDC',
    decimals: 6,
    amount: '1000',
    amountUsd: '0.001000',
    payTo,
  });
  const advertise = async (id: string, payOn: PayOn[], extra: Partial<SnapshotRow['snapshot']> = {}) => {
    const row = makeSnapshotRow(id, 50);
    const snapshot = { ...row.snapshot, payOn, ...extra };
    await saveSnapshots(database.db, T0 + HOUR_MS, [{ ...row, snapshot }]);
  };
  const countSharers = async (id: string) =>
    (await database.readInput(id, T0 + 3 * HOUR_MS))?.state.payToSharedWith;
  const [one, other, sibling, third] = ['aaaaaaaaaa', 'bbbbbbbbbb', 'cccccccccc', 'eeeeeeeeee'] as const;

  it('is shared with endpoints of other hosts that advertise it, in upper or lower case', async () => {
    await database.discover(
      'wallets',
      T0,
      [one, other, sibling, third].map((id) => makeEndpoint(id)),
    );
    await advertise(one, [paidAt(WALLET)]);
    await advertise(sibling, [paidAt(WALLET)], { host: `${one}.example.com` });
    expect(await countSharers(one)).toBe(0);
    await advertise(other, [paidAt('0xelse'), paidAt(WALLET.toLowerCase())]);
    await advertise(third, [paidAt(WALLET, 'eip155:137')]);
    expect(await countSharers(one)).toBe(1);
    expect(await countSharers(other)).toBe(2);
    expect(await countSharers(third)).toBe(0);
  });

  it('counts an endpoint once that shares several wallets', async () => {
    const [left, right] = ['ffffffffff', 'gggggggggg'];
    await database.discover(
      'several wallets',
      T0,
      [left, right].map((id) => makeEndpoint(id)),
    );
    const both = [paidAt('0xfirst'), paidAt('0xsecond')];
    await advertise(left, both);
    await advertise(right, both);
    expect(await countSharers(left)).toBe(1);
  });

  it('is not shared because of directory data alone', async () => {
    const row = makeSnapshotRow(other, 50);
    const listedSnapshot = { ...row.snapshot, payOn: [paidAt(WALLET)] };
    const listedOnly = { ...row.detail, inputs: { everChallenged: false } };
    await saveSnapshots(database.db, T0 + HOUR_MS, [
      { ...row, snapshot: listedSnapshot, detail: listedOnly },
    ]);
    expect(await countSharers(one)).toBe(0);
    await advertise(other, [paidAt(WALLET)]);
    expect(await countSharers(one)).toBe(1);
  });

  it('is no longer shared when the endpoint changes it, or is delisted or removed', async () => {
    await advertise(other, [paidAt('0xelse')]);
    expect(await countSharers(one)).toBe(0);
    await advertise(other, [paidAt(WALLET)]);
    expect(await countSharers(one)).toBe(1);
    await advertise(other, [paidAt(WALLET)], { listingStatus: 'delisted' });
    expect(await countSharers(one)).toBe(0);
  });

  it('of a delisted endpoint is still read, so the activity stays in its score', async () => {
    const readWallets = async () => {
      const { data } = await database.db.from('endpoint_wallets').select('*').eq('endpoint_id', other);
      return data?.map(({ pay_to }) => pay_to);
    };
    await advertise(other, [paidAt(WALLET)], { listingStatus: 'delisted' });
    expect(await readWallets()).toEqual([WALLET.toLowerCase()]);
    await advertise(other, [], { listingStatus: 'delisted' });
    expect(await readWallets()).toEqual([]);
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
