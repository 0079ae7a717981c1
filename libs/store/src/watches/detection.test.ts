import { HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { WATCH_EVENT_TYPES } from '@touchstone/contract';
import { describe, expect, it } from 'vitest';
import { claimDeliveries, pruneRows, type Observation } from '../index.ts';
import { makeEndpoint, makeObservation, makeTerms, useTestDatabase, T0 } from '../testing/fixtures.ts';
import { makeDestination, openWatches } from '../testing/watches.ts';

const database = useTestDatabase();
const watches = openWatches(database);

const observe = (id: string, hour: number, extra: Partial<Observation>) =>
  database.record([makeObservation(id, T0 + hour * HOUR_MS, extra)], T0 + hour * HOUR_MS + MINUTE_MS);
const readData = async (id: string) =>
  (await watches.readLog(id))
    .filter(({ kind }) => kind === 'alert')
    .map(({ type, at, data }) => ({ type, at, data }));

const isVarying = (data: unknown): boolean => JSON.stringify(data).includes('"varies":true');

describe('a change of payment terms', () => {
  it('gives each active watch one alert for each kind of change, with the terms before and after', async () => {
    const id = await watches.addEndpoint();
    const [one, two] = [await watches.buy(id), await watches.buy(id, { events: ['payto_change'] })];
    const { id: pending } = await watches.prepare(id);
    const before = makeTerms('1', '0xa');
    const after = makeTerms('2', '0xb');
    await observe(id, 1, { terms: before });
    await observe(id, 2, { terms: after });
    await observe(id, 3, { terms: after });
    const at = T0 + 2 * HOUR_MS;
    const payTo = { type: 'payto_change', at, data: { before, after } };
    expect(await readData(one)).toEqual([payTo, { ...payTo, type: 'price_change' }]);
    expect(await readData(two)).toEqual([payTo]);
    expect(await watches.readLog(pending)).toEqual([]);

    await observe(id, 4, { terms: makeTerms('2', '0xb', 'eip155:1') });
    expect((await watches.readAlerts(one)).slice(2)).toEqual(['asset_network_change']);
  });

  it('of a template gives an alert only for another network or asset', async () => {
    const id = await watches.addEndpoint({ templated: true });
    const watch = await watches.buy(id);
    await observe(id, 1, { terms: makeTerms('1', '0xa') });
    await observe(id, 2, { terms: makeTerms('2', '0xb') });
    expect(await watches.readAlerts(watch)).toEqual([]);
    await observe(id, 3, { terms: makeTerms('2', '0xb', 'eip155:1') });
    expect(await watches.readAlerts(watch)).toEqual(['asset_network_change']);
  });

  it('gives one alert if the observation is recorded twice or late', async () => {
    const id = await watches.addEndpoint();
    const watch = await watches.buy(id);
    await observe(id, 1, { terms: makeTerms('1', '0xa') });
    await observe(id, 3, { terms: makeTerms('2', '0xa') });
    await observe(id, 3, { terms: makeTerms('2', '0xa') });
    await observe(id, 2, { terms: makeTerms('5', '0xa') });
    expect(await watches.readAlerts(watch)).toEqual(['price_change']);
  });

  it('several times in one batch gives an alert for each time, in order', async () => {
    const id = await watches.addEndpoint();
    const watch = await watches.buy(id);
    const rows = [1, 2, 3, 4].map((minute) =>
      makeObservation(id, T0 + minute * MINUTE_MS, { terms: makeTerms(`${minute}`, '0xa') }),
    );
    await database.record(rows, T0 + 10 * MINUTE_MS);
    const log = await watches.readLog(watch);
    expect(log.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(log.slice(1).map(({ at }) => (at - T0) / MINUTE_MS)).toEqual([2, 3, 4]);
  });

  it('gives a second alert when the payTo begins to vary, and no other until it stays the same for a day', async () => {
    const id = await watches.addEndpoint();
    const watch = await watches.buy(id);
    let minute = 0;
    /** Records observations with these wallets, one every half hour. */
    const pay = async (wallets: readonly string[]): Promise<void> => {
      const rows = wallets.map((wallet) =>
        makeObservation(id, T0 + (minute += 30) * MINUTE_MS, {
          terms: { ...makeTerms('1', wallet), description: wallet },
        }),
      );
      await database.record(rows, T0 + (minute + 1) * MINUTE_MS);
    };
    const readAlerts = async () =>
      (await readData(watch)).map(({ at, data }) => [(at - T0) / MINUTE_MS, isVarying(data)]);
    await pay(Array.from({ length: 48 }, (_, i) => `0x${String(i)}`));
    const atBegin = [
      [60, false],
      [90, true],
    ];
    expect(await readAlerts()).toEqual(atBegin);
    const readScored = async () => {
      const input = await database.readInput(id, T0 + minute * MINUTE_MS);
      const { changes, before, after, hasMoved } = input?.payToVariation ?? {};
      return [
        input?.changes.map(({ kind }) => kind),
        changes,
        before?.description,
        after?.description,
        hasMoved,
      ];
    };
    expect(await readScored()).toEqual([[], 47, '0x0', '0x47', true]);

    // The same wallet for less than a day, and a gap of two days without observations, end nothing.
    await pay(Array.from({ length: 46 }, () => '0xa'));
    minute += 2 * 24 * 60;
    await pay(['0xb']);
    expect(await readAlerts()).toEqual(atBegin);

    await pay([...Array.from({ length: 48 }, () => '0xb'), '0xc']);
    expect(await readAlerts()).toEqual([...atBegin, [minute, false]]);
    expect(await readScored()).toEqual([['payto_change'], 49, '0x0', '0xb', true]);
  });

  it.each([
    ['a return to the former wallet', [{ a: '1' }, { a: '2' }, { a: '1' }], [false, false], 2, undefined],
    [
      'a third change between two wallets',
      [{ a: '1' }, { a: '2' }, { a: '1' }, { a: '2' }],
      [false, false, true],
      0,
      true,
    ],
    ['a third wallet', [{ a: '1' }, { a: '2' }, { a: '3' }, { a: '1' }], [false, true], 0, false],
    [
      'changes of three tokens, one after the other',
      [
        { a: '1', b: '1', c: '1' },
        { a: '2', b: '1', c: '1' },
        { a: '2', b: '2', c: '1' },
        { a: '2', b: '2', c: '2' },
      ],
      [false, false, false],
      3,
      undefined,
    ],
    [
      'a change of one token while another varies',
      [
        { a: '1', b: '1' },
        { a: '2', b: '1' },
        { a: '3', b: '1' },
        { a: '4', b: '2' },
        { a: '5', b: '2' },
      ],
      [false, true, false],
      1,
      true,
    ],
    [
      'a change of one token before another varies',
      [
        { a: '1', b: '1' },
        { a: '1', b: '2' },
        { a: '2', b: '2' },
        { a: '3', b: '2' },
      ],
      [false, false, true],
      1,
      true,
    ],
    [
      'a change of two tokens before one of them varies',
      [
        { a: '1', b: '1' },
        { a: '2', b: '2' },
        { a: '3', b: '2' },
      ],
      [false, true],
      1,
      true,
    ],
    [
      'a change to another token, which then varies',
      [{ a: '1' }, { b: '2' }, { b: '3' }, { b: '4' }],
      [false, false, true],
      1,
      true,
    ],
  ] as const)('of the payTo, varies by token: %s', async (...[, wallets, varies, scored, moved]) => {
    const id = await watches.addEndpoint();
    const watch = await watches.buy(id);
    const rows = wallets.map((each, hour) => {
      const payTo = Object.fromEntries(Object.entries(each).map(([token, wallet]) => [token, [wallet]]));
      return makeObservation(id, T0 + hour * HOUR_MS, { terms: { ...makeTerms('1', '0xa'), payTo } });
    });
    await database.record(rows, T0 + 10 * HOUR_MS);
    expect((await readData(watch)).map(({ data }) => isVarying(data))).toEqual(varies);
    const input = await database.readInput(id, T0 + 10 * HOUR_MS);
    expect(input?.changes).toHaveLength(scored);
    expect(input?.payToVariation?.hasMoved).toBe(moved);
  });

  it('after the end of the watch gives no alert, even before the watch is marked as expired', async () => {
    const id = await watches.addEndpoint();
    const watch = await watches.buy(id, { expiresAt: T0 + 2 * HOUR_MS });
    await observe(id, 1, { terms: makeTerms('1', '0xa') });
    await observe(id, 2, { terms: makeTerms('2', '0xa'), vitality: 'down' });
    expect(await watches.readAlerts(watch)).toEqual([]);
  });
});

describe('a change of the compliance result', () => {
  it('gives an alert only if the verdict is worse', async () => {
    const id = await watches.addEndpoint();
    const watch = await watches.buy(id);
    const verdicts = [
      'pass',
      'errors',
      'warnings',
      'unpayable',
      'warnings',
      'pass',
      'pass',
      'warnings',
    ] as const;
    for (const [hour, compliance] of verdicts.entries()) await observe(id, hour + 1, { compliance });
    const regression = (before: string, after: string) => ({
      type: 'spec_regression',
      data: { before: { compliance: before }, after: { compliance: after } },
    });
    expect(await readData(watch)).toMatchObject([
      regression('pass', 'errors'),
      regression('warnings', 'unpayable'),
      regression('pass', 'warnings'),
    ]);
  });
});

describe('a delisting', () => {
  it('gives one alert, not dated before the watch, and none for listings', async () => {
    const id = await watches.addEndpoint();
    const watch = await watches.buy(id);
    const others = ['delistaaaa', 'delistbbbb', 'delistcccc'].map((other) => makeEndpoint(other));
    const read = (hour: number, listed: boolean) =>
      database.discover('delist', T0 + hour * HOUR_MS, listed ? [makeEndpoint(id), ...others] : others);
    // The listing of the endpoint in its first directory is deleted, so the second directory decides.
    await database.db.from('listings').delete().eq('endpoint_id', id);
    await read(1, true);
    await read(2, false);
    const bought = T0 + 2.5 * HOUR_MS;
    const later = await watches.buy(id, { now: bought });
    for (const [index, listed] of [false, false, true].entries()) await read(index + 3, listed);
    const alert = { type: 'delisting', at: T0 + 2 * HOUR_MS, data: { before: null, after: null } };
    expect(await readData(watch)).toEqual([alert]);
    expect(await readData(later)).toEqual([{ ...alert, at: bought }]);
  });
});

describe('the outbox', () => {
  it('gets a delivery for each destination with the alert, but none for created and edited', async () => {
    const id = await watches.addEndpoint();
    const destinations = [makeDestination('one'), makeDestination('two', 'discord')];
    const watch = await watches.buy(id, { destinations });
    const pending = async () => (await watches.find(watch)).destinations.map((row) => row.pending);
    expect(await pending()).toEqual([0, 0]);
    await observe(id, 1, { terms: makeTerms('1', '0xa') });
    await observe(id, 2, { terms: makeTerms('2', '0xa') });
    expect(await pending()).toEqual([1, 1]);
    const claim = { owner: 'w', now: T0 + 2 * HOUR_MS, leaseSeconds: 60, limit: 100, slowLimit: 100 };
    expect(await claimDeliveries(database.db, { ...claim, now: claim.now - 1 })).toEqual([]);
    const claimed = await claimDeliveries(database.db, claim);
    expect(claimed).toMatchObject(
      destinations.map(({ channel, url }) => ({
        channel,
        url,
        watchId: watch,
        signingKey: `key of ${watch}`,
        resource: `https://${id}.example.com/`,
        slug: `${id}-example-com-${id}`,
        attempt: 1,
        entries: [{ sequence: 2, kind: 'alert', type: 'price_change', at: T0 + 2 * HOUR_MS }],
      })),
    );
  });
});

it('keeps the alerts when the changes are deleted after their retention, and loses them with the endpoint', async () => {
  const id = await watches.addEndpoint();
  const watch = await watches.buy(id, { events: WATCH_EVENT_TYPES });
  await observe(id, 1, { terms: makeTerms('1', '0xa') });
  await observe(id, 2, { terms: makeTerms('2', '0xa') });
  await pruneRows(database.db, { changes: T0 + 100 * 24 * HOUR_MS }, 1_000);
  expect(await database.readChangeKinds(id)).toEqual([]);
  expect(await watches.readAlerts(watch)).toEqual(['price_change']);
  await database.db.from('endpoints').delete().eq('id', id);
  await expect(watches.find(watch)).rejects.toThrow('no watch');
});
