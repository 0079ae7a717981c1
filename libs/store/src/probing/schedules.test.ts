import { HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { describe, expect, it } from 'vitest';
import { claimDueEndpoints, releaseSlots, releaseLeases } from '../index.ts';
import { useTestDatabase, makeEndpoint, makeObservation, T0, DOWN, makeId } from '../testing/fixtures.ts';
import { openHosts as openHostsOf } from '../testing/hosts.ts';

const database = useTestDatabase();

const openHosts = (name: string, claimEveryMs?: number) => openHostsOf(database, name, claimEveryMs);
const hours = (times: readonly number[]): number[] => times.map((time) => (time - T0) / HOUR_MS);
const ids = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}${makeId(i).slice(-2)}`);

describe('hosts', () => {
  it('limits the share of a host in a claim, and selects hosts round robin', async () => {
    const { addAll, claim } = openHosts('turns');
    await addAll(ids('crowdaaa', 20), () => 'big');
    await addAll(ids('aloneaaa', 5), (id) => id);
    const slots = await claim(T0 + 10 * MINUTE_MS, { limit: 10, hostLimit: 8 });
    // Five hosts have one due slot each. The host with 20 endpoints gets the other slots of the claim.
    expect(slots.filter((slot) => slot.endpointId.startsWith('alone'))).toHaveLength(5);
    expect(slots.filter((slot) => slot.endpointId.startsWith('crowd'))).toHaveLength(5);
  });

  it('claims as many slots of a large host as its limit allows, however many small hosts are due', async () => {
    const listEndpoints = (prefix: string, count: number, toHost: (index: number) => string) =>
      Array.from({ length: count }, (_, index) =>
        makeEndpoint(`${prefix}${makeId(index).slice(-4)}`, {
          host: `${toHost(index)}.share.test`,
          resource: `https://${toHost(index)}.share.test/${index}`,
        }),
      );
    await database.discover('share', T0, [
      ...listEndpoints('smallx', 150, (index) => `small-${index}`),
      ...listEndpoints('largex', 400, () => 'large'),
    ]);
    const slots = await claimDueEndpoints(database.db, {
      owner: 'w',
      now: T0 + 30 * MINUTE_MS,
      limit: 500,
      leaseSeconds: 600,
      hostSuffix: '.share.test',
      hostLimit: 60,
      hostPerSecond: 2,
    });
    expect(slots.filter(({ host }) => host === 'large.share.test')).toHaveLength(60);
    expect(slots).toHaveLength(210);
  });

  it('keeps the rate limit of a host over all claims and workers', async () => {
    const { addAll, claim } = openHosts('pace');
    await addAll(ids('steadyaa', 12), () => 'one');
    const at = (seconds: number, owner: string) =>
      claim(T0 + 10 * MINUTE_MS + seconds * 1000, {
        owner,
        hostLimit: 4,
        hostPerSecond: 2,
        leaseSeconds: 600,
      });
    expect(await at(0, 'one')).toHaveLength(4);
    expect(await at(1, 'two')).toHaveLength(0);
    expect(await at(2, 'two')).toHaveLength(4);
    expect(await at(3, 'one')).toHaveLength(0);
    expect(await at(4, 'one')).toHaveLength(4);
    expect(await at(6, 'one')).toHaveLength(0);
  });
});

describe('a miss', () => {
  const miss = T0 + 10 * MINUTE_MS + 1000;

  it('is rechecked within a minute, and both probes are stored', async () => {
    const { add, claim } = openHosts('confirm');
    const id = 'confirmaaa';
    await add(id);
    const [slot] = await claim(T0 + 10 * MINUTE_MS);
    expect(slot?.isRecheck).toBe(false);
    await database.record(
      [makeObservation(id, miss, { ...DOWN, slotAt: slot?.slotAt ?? null })],
      miss + 5000,
    );
    expect(await claim(miss + 15_000, { rechecksOnly: true })).toEqual([]);
    const [second] = await claim(miss + 50_000, { rechecksOnly: true });
    expect(second).toMatchObject({ endpointId: id, isRecheck: true });
    const confirmedAt = miss + 51_000;
    await database.observe(id, confirmedAt, { ...DOWN, slotAt: second?.slotAt ?? null });
    expect(await database.readChangeKinds(id)).toEqual(['listed']);

    const { data } = await database.db
      .from('observations')
      .select('is_recheck')
      .eq('endpoint_id', id)
      .order('at');
    expect(data).toEqual([{ is_recheck: false }, { is_recheck: true }]);
    // The recheck does not count as a scheduled probe. Another failed probe in the same outage is not rechecked.
    expect((await database.readInput(id, T0 + HOUR_MS))?.sums).toMatchObject({
      probes: { total: 1, scored: 1, up: 0 },
    });
    const [next] = await claim(T0 + 40 * MINUTE_MS);
    const later = T0 + 40 * MINUTE_MS + 1000;
    await database.observe(id, later, { ...DOWN, slotAt: next?.slotAt ?? null });
    expect(await claim(later + 59_000, { rechecksOnly: true })).toEqual([]);
  });

  it('is confirmed by the next slot if no recheck was made within minutes', async () => {
    const { add, claim } = openHosts('late');
    const id = 'lateaaaaaa';
    await add(id);
    const [slot] = await claim(T0 + 10 * MINUTE_MS);
    await database.observe(id, miss, { ...DOWN, slotAt: slot?.slotAt ?? null });
    const slots = await claim(T0 + 40 * MINUTE_MS);
    expect(slots).toMatchObject([{ isRecheck: false, slotAt: T0 + 40 * MINUTE_MS }]);
  });

  it('that is self-inflicted is not rechecked', async () => {
    const { add, claim } = openHosts('ours');
    const id = 'oursaaaaaa';
    await add(id);
    const [slot] = await claim(T0 + 10 * MINUTE_MS);
    const row = makeObservation(id, miss, { ...DOWN, excluded: true, slotAt: slot?.slotAt ?? null });
    await database.record([row], miss);
    expect(await claim(miss + 59_000)).toEqual([]);
  });
});

describe('the cadence', () => {
  const sums = async (id: string, now: number) => {
    const input = await database.readInput(id, now);
    const { slotsDue, slotsProbed, dueSeconds } = input?.sums ?? {};
    return { slotsDue, slotsProbed, dueSeconds };
  };

  it('counts due and probed slots, for every reason why a slot was not probed', async () => {
    const { add, claim, probeAll } = openHosts('cadence');
    const id = 'cadenceaaa';
    await add(id);
    await probeAll(T0, T0 + 2 * HOUR_MS);
    expect(await sums(id, T0 + 2 * HOUR_MS)).toEqual({ slotsDue: 4, slotsProbed: 4, dueSeconds: 7200 });
    // No slots are claimed for two hours, so five slots are due at the next claim. Only one of these slots is probed.
    await probeAll(T0 + 4 * HOUR_MS + 10 * MINUTE_MS, T0 + 4 * HOUR_MS + 15 * MINUTE_MS);
    expect(await sums(id, T0 + 5 * HOUR_MS)).toEqual({ slotsDue: 9, slotsProbed: 5, dueSeconds: 16_200 });
    // A worker stops while it holds slots. Another worker claims the endpoint after a later slot is due.
    await claim(T0 + 4 * HOUR_MS + 40 * MINUTE_MS, { owner: 'dead', leaseSeconds: 3600 });
    await claim(T0 + 5 * HOUR_MS + 10 * MINUTE_MS, { owner: 'dead', leaseSeconds: 1800 });
    await probeAll(T0 + 5 * HOUR_MS + 41 * MINUTE_MS, T0 + 5 * HOUR_MS + 50 * MINUTE_MS);
    expect(await sums(id, T0 + 6 * HOUR_MS)).toEqual({ slotsDue: 12, slotsProbed: 7, dueSeconds: 21_600 });
  });

  it('keeps requeued slots due, and counts skipped slots as not probed', async () => {
    const { add, claim, probeAll } = openHosts('back');
    const id = 'givenbacka';
    await add(id);
    const slots = await claim(T0 + 40 * MINUTE_MS, { owner: 'gone' });
    expect(await releaseSlots(database.db, { owner: 'other', slots, requeue: true })).toBe(0);
    expect(await releaseSlots(database.db, { owner: 'gone', slots, requeue: true })).toBe(1);
    expect(hours(await probeAll(T0 + 45 * MINUTE_MS, T0 + 50 * MINUTE_MS))).toEqual([2 / 3]);
    expect(await sums(id, T0 + HOUR_MS)).toEqual({ slotsDue: 2, slotsProbed: 1, dueSeconds: 3600 });

    const held = await claim(T0 + 70 * MINUTE_MS, { owner: 'gone' });
    expect(await releaseSlots(database.db, { owner: 'gone', slots: held, requeue: false })).toBe(1);
    expect(await claim(T0 + 75 * MINUTE_MS)).toEqual([]);
    expect(await sums(id, T0 + 2 * HOUR_MS)).toEqual({ slotsDue: 3, slotsProbed: 1, dueSeconds: 5400 });
    expect(await releaseLeases(database.db, 'gone')).toBe(0);
  });

  it('does not count a self-inflicted failure', async () => {
    const { add, probeAll } = openHosts('failed');
    await add('failedaaaa');
    await probeAll(T0, T0 + HOUR_MS, { ...DOWN, excluded: true });
    expect(await sums('failedaaaa', T0 + HOUR_MS)).toEqual({ slotsDue: 2, slotsProbed: 0, dueSeconds: 3600 });
  });
});
