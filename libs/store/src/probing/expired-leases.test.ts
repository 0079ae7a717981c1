import { MINUTE_MS, formatTimestamp } from '@touchstone/common';
import { describe, expect, it } from 'vitest';
import { claimDueEndpoints, countDueSlots, type ClaimedEndpoint } from '../index.ts';
import { makeEndpoint, makeId, useTestDatabase, T0 } from '../testing/fixtures.ts';

const database = useTestDatabase();

/** Test time at which no endpoint of this file has a due scheduled slot. */
const NOW = T0 + 20 * MINUTE_MS;
const SECOND = 1000;

let ids = 0;
const nextId = (): string => makeId((ids += 1));

/**
 * Creates endpoints with leases that expired a minute ago, and returns a function that claims these endpoints.
 * @param hosts number of endpoints by host label
 */
async function createExpiredLeases(
  name: string,
  hosts: Readonly<Record<string, number>>,
  isRecheck: boolean,
) {
  const endpoints = Object.entries(hosts).flatMap(([host, count]) =>
    Array.from({ length: count }, () => {
      const id = nextId();
      return makeEndpoint(id, { host: `${host}.${name}.test`, resource: `https://${id}.test/` });
    }),
  );
  await database.discover(name, T0, endpoints);
  const { db } = database;
  const later = formatTimestamp(NOW + 60 * MINUTE_MS);
  await db.from('schedules').update({ next_probe_at: later }).like('host', `%.${name}.test`);
  await db.from('host_queues').update({ next_due_at: later }).like('host', `%.${name}.test`);
  // The leases expired in the order of the endpoints, so the first endpoint has waited longest.
  const rows = endpoints.map(({ id }, index) => ({
    endpoint_id: id,
    slot_at: formatTimestamp(NOW - MINUTE_MS + index),
    owner: isRecheck ? '' : 'dead',
    expires_at: formatTimestamp(NOW - MINUTE_MS + index),
    is_recheck: isRecheck,
  }));
  const { error } = await db.from('leases').insert(rows);
  expect(error).toBeNull();
  return (
    at: number,
    options: Partial<Parameters<typeof claimDueEndpoints>[1]> = {},
  ): Promise<readonly ClaimedEndpoint[]> =>
    claimDueEndpoints(db, {
      owner: 'w',
      limit: 10,
      leaseSeconds: 600,
      hostSuffix: `.${name}.test`,
      hostLimit: 5,
      hostPerSecond: 1,
      rechecksOnly: isRecheck,
      now: at,
      ...options,
    });
}

const listHosts = (slots: readonly ClaimedEndpoint[]) => slots.map(({ host }) => host.split('.')[0]);

describe('rechecks', () => {
  it('are claimed only by recheck claims and not counted as due slots', async () => {
    const before = await countDueSlots(database.db, { now: NOW, hostLimit: 60 });
    const claim = await createExpiredLeases('own', { a: 3 }, true);
    expect(await claim(NOW, { rechecksOnly: false })).toEqual([]);
    expect(await countDueSlots(database.db, { now: NOW, hostLimit: 60 })).toBe(before);
    expect(await claim(NOW)).toHaveLength(3);
  });

  it('are not claimed together with scheduled slots', async () => {
    const claim = await createExpiredLeases('mix', { a: 2 }, false);
    expect(await claim(NOW, { rechecksOnly: true })).toEqual([]);
    expect(await claim(NOW)).toHaveLength(2);
  });
});

describe.each([
  ['rechecks', true, 'c'],
  ['slots of a stopped worker', false, 'd'],
])('%s', (_, isRecheck, tag) => {
  it('of one host do not block those of other hosts', async () => {
    const claim = await createExpiredLeases(`hide${tag}`, { big: 40, one: 1, two: 1 }, isRecheck);
    const first = await claim(NOW);
    expect(listHosts(first)).toEqual(['big', 'big', 'big', 'big', 'big']);
    const rest: ClaimedEndpoint[] = [];
    for (let round = 1; round <= 4; round += 1) rest.push(...(await claim(NOW + round * 10 * SECOND)));
    expect(listHosts(rest)).toContain('one');
    expect(listHosts(rest)).toContain('two');
    // After more claims, each of the 42 slots was claimed exactly once.
    for (let round = 5; round <= 20; round += 1) rest.push(...(await claim(NOW + round * 10 * SECOND)));
    const all = [...first, ...rest].map(({ endpointId }) => endpointId);
    expect(all).toHaveLength(42);
    expect(new Set(all).size).toBe(42);
  });

  it('respect the rate limit of their host over all workers, and count toward it', async () => {
    const claim = await createExpiredLeases(`rate${tag}`, { host: 12 }, isRecheck);
    expect(await claim(NOW)).toHaveLength(5);
    for (const seconds of [0, 2, 4])
      expect(await claim(NOW + seconds * SECOND, { owner: 'other' })).toEqual([]);
    const name = `host.rate${tag}.test`;
    const queue = await database.db.from('host_queues').select('not_before').eq('host', name).single();
    expect(Date.parse(queue.data?.not_before ?? '')).toBe(NOW + 5 * SECOND);
    let freeAt = 5;
    let claimed = 0;
    for (let seconds = 5; seconds <= 30; seconds += 1) {
      const slots = await claim(NOW + seconds * SECOND, { owner: `w${seconds}` });
      // Each claimed slot delays the next claim from its host by one second, for all workers.
      if (slots.length > 0) expect(seconds).toBeGreaterThanOrEqual(freeAt);
      if (slots.length > 0) freeAt = seconds + slots.length;
      claimed += slots.length;
    }
    expect(claimed).toBe(7);
    expect(freeAt).toBeLessThan(20);
  });

  it('share the rate limit of their host with scheduled slots', async () => {
    const claim = await createExpiredLeases(`both${tag}`, { host: 4 }, isRecheck);
    const name = `host.both${tag}.test`;
    const paused = formatTimestamp(NOW + 30 * SECOND);
    await database.db.from('host_queues').update({ not_before: paused }).eq('host', name);
    expect(await claim(NOW)).toEqual([]);
    expect(await claim(NOW + 29 * SECOND)).toEqual([]);
    const due = formatTimestamp(NOW);
    await database.db.from('schedules').update({ next_probe_at: due }).eq('host', name);
    const queued = { next_due_at: formatTimestamp(NOW + 30 * SECOND) };
    await database.db.from('host_queues').update(queued).eq('host', name);
    const claimed = await claim(NOW + 34 * SECOND);
    expect(claimed).toHaveLength(4);
    // The four claimed slots delay their host, so a claim of scheduled slots is empty until that delay has passed.
    const scheduled = { rechecksOnly: false, owner: 'scheduled' };
    expect(await claim(NOW + 37 * SECOND, scheduled)).toEqual([]);
    if (isRecheck) expect(await claim(NOW + 38 * SECOND, scheduled)).toHaveLength(4);
  });
});
