import { DAY_MS, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { expect, it } from 'vitest';
import { packObservations, readEndpointHistory, recordLiveProbe, type Observation } from '../index.ts';
import { DOWN, makeObservation, T0, useTestDatabase } from '../testing/fixtures.ts';
import { openWatches } from '../testing/watches.ts';

const database = useTestDatabase();
const watches = openWatches(database);

const FAILED = { ...DOWN, failure: 'http-500', failurePhase: 'response', responseMs: 90.4 } as const;
/** Kinds of endpoints by id, and the result of their probe with a number. */
const KINDS: Readonly<Record<string, (number: number) => Partial<Observation>>> = {
  packhealth: (number) => ({ responseMs: 100.25 + number / 7, amountUsd: '0.010000' }),
  packfailed: (number) => (number % 3 === 0 ? { ...FAILED, excluded: number % 6 === 0 } : {}),
  packprices: (number) => ({
    amountUsd: `${number}.5`,
    compliance: number % 5 === 0 ? 'errors' : 'warnings',
  }),
};
const IDS = Object.keys(KINDS);
const NOW = T0 + 3 * DAY_MS;

/** Records 49 observations a day from T0 to NOW. One of them is a live probe in the middle of the day. */
async function recordDays(): Promise<void> {
  await database.discover('pack', T0, IDS);
  for (let slot = 0; slot < 3 * 48; slot += 1) {
    const at = T0 + slot * 30 * MINUTE_MS + 123;
    const rows = IDS.map((id) => makeObservation(id, at, KINDS[id]?.(slot)));
    await database.record(rows, at);
    if (slot % 48 !== 24) continue;
    for (const id of IDS) {
      const observation = makeObservation(id, at + MINUTE_MS, { challengeHash: `live ${slot}` });
      expect(await recordLiveProbe(database.db, at + MINUTE_MS, { observation, challenge: null })).toBe(true);
    }
  }
}

/** Reads complete, hourly and daily histories that begin in the middle of the first, packed day. */
function readHistories() {
  const query = { from: T0 + 5.7 * HOUR_MS, to: NOW, eventLimit: 100, eventBytes: 100_000 };
  const forms = [
    { rawLimit: 1_000, dailyOnly: false },
    { rawLimit: 20, dailyOnly: false },
    { rawLimit: 1_000, dailyOnly: true },
  ];
  return Promise.all(
    IDS.flatMap((endpointId) =>
      forms.map((form) => readEndpointHistory(database.db, { ...query, ...form, endpointId })),
    ),
  );
}

/** Counts the stored observations from before a time. */
async function countUnpacked(before: number): Promise<number | null> {
  const rows = database.db.from('observations').select('*', { count: 'exact', head: true });
  return (await rows.lt('at', new Date(before).toISOString())).count;
}

it('packs days in slices, and each history remains the same', async () => {
  await recordDays();
  const before = await readHistories();
  expect(before[0]?.raw).toHaveLength(2 * 49 + 37);
  expect(before[1]?.hourly.length).toBeGreaterThan(40);
  const pack = () => packObservations(database.db, { before: NOW - DAY_MS, limit: 2 });

  // The third endpoint of the day is not packed yet, and the partition still has the observations of all three.
  expect(await pack()).toBe(2);
  expect(await countUnpacked(T0 + DAY_MS)).toBe(3 * 49);
  expect(await readHistories()).toEqual(before);

  expect([await pack(), await pack()]).toEqual([1, 0]);
  expect(await countUnpacked(T0 + DAY_MS)).toBe(0);
  expect([await pack(), await pack(), await pack(), await pack()]).toEqual([2, 1, 0, null]);
  expect(await countUnpacked(NOW - DAY_MS)).toBe(0);
  expect(await countUnpacked(NOW)).toBe(3 * 49);
  expect(await readHistories()).toEqual(before);
});

it('stores one row for the equal results of an endpoint and day', async () => {
  const { data } = await database.db
    .from('packed_observations')
    .select('day, is_recheck, times_ms')
    .eq('endpoint_id', 'packhealth')
    .order('day')
    .order('is_recheck');
  const rows = ['2026-11-01', '2026-11-02'].flatMap((day) => [
    [day, false, 48],
    [day, true, 1],
  ]);
  expect(data?.map((row) => [row.day, row.is_recheck, row.times_ms.length])).toEqual(rows);
});

it('refuses an observation of a packed day', async () => {
  const rows = [NOW - DAY_MS, NOW - DAY_MS - 1].map((at) => makeObservation('packhealth', at));
  expect(await database.record(rows, NOW)).toMatchObject({ recorded: 1, dropped: 1 });
});

it('counts the missed probes of packed days in the alert of a watch', async () => {
  const id = await watches.addEndpoint();
  const misses = Array.from({ length: 145 }, (_, slot) =>
    makeObservation(id, NOW + slot * 30 * MINUTE_MS, DOWN),
  );
  await database.record(misses, NOW + 3 * DAY_MS);
  while ((await packObservations(database.db, { before: NOW + 2 * DAY_MS, limit: 10 })) !== null);
  expect(await countUnpacked(NOW + 2 * DAY_MS)).toBe(0);
  const watch = await watches.buy(id, { now: NOW + 3 * DAY_MS + MINUTE_MS, livenessSensitivityN: 10 });
  await database.observe(id, NOW + 3 * DAY_MS + 5 * MINUTE_MS, DOWN);
  expect((await watches.readLog(watch)).at(-1)).toMatchObject({
    type: 'liveness_down',
    data: { after: { missedProbes: 146 } },
  });
});
