import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimDueEndpoints, countDueSlots, type ClaimedEndpoint } from '../index.ts';
import { formatTimestamp } from '../client/timestamps.ts';
import { makeEndpoint, MINUTE, openTestDatabase, T0, type TestDatabase } from '../testing/fixtures.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** When none of these endpoints is due by its schedule. */
const NOW = T0 + 20 * MINUTE;
const SECOND = 1000;

let ids = 0;
const nextId = (): string =>
  String((ids += 1))
    .padStart(10, '0')
    .replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));

/** Endpoints of a world of its own, so many of each host, whose leases ran out a minute ago. */
async function expired(name: string, hosts: Readonly<Record<string, number>>, isRecheck: boolean) {
  const endpoints = Object.entries(hosts).flatMap(([host, count]) =>
    Array.from({ length: count }, () => {
      const id = nextId();
      return makeEndpoint(id, { host: `${host}.${name}.test`, resource: `https://${id}.test/` });
    }),
  );
  await database.discover(name, T0, endpoints);
  const { db } = database;
  const later = formatTimestamp(NOW + 60 * MINUTE);
  await db.from('schedules').update({ next_probe_at: later }).like('host', `%.${name}.test`);
  await db.from('host_queues').update({ next_due_at: later }).like('host', `%.${name}.test`);
  // Those that were listed first have waited longest.
  const rows = endpoints.map(({ id }, index) => ({
    endpoint_id: id,
    slot_at: formatTimestamp(NOW - MINUTE + index),
    owner: isRecheck ? '' : 'dead',
    expires_at: formatTimestamp(NOW - MINUTE + index),
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

const hostsOf = (slots: readonly ClaimedEndpoint[]) => slots.map(({ host }) => host.split('.')[0]);

describe('second looks', () => {
  it('are taken by a look and by nobody else, and no sweep counts them', async () => {
    const before = await countDueSlots(database.db, { now: NOW, hostLimit: 60 });
    const claim = await expired('own', { a: 3 }, true);
    expect(await claim(NOW, { rechecksOnly: false })).toEqual([]);
    expect(await countDueSlots(database.db, { now: NOW, hostLimit: 60 })).toBe(before);
    expect(await claim(NOW)).toHaveLength(3);
  });

  it('are not taken with the slots of the schedule, nor these with them', async () => {
    const claim = await expired('mix', { a: 2 }, false);
    expect(await claim(NOW, { rechecksOnly: true })).toEqual([]);
    expect(await claim(NOW)).toHaveLength(2);
  });
});

describe.each([
  ['second looks', true, 'c'],
  ['slots of a dead worker', false, 'd'],
])('%s', (_, isRecheck, tag) => {
  it('of one host do not hide those of others', async () => {
    const claim = await expired(`hide${tag}`, { big: 40, one: 1, two: 1 }, isRecheck);
    const first = await claim(NOW);
    expect(hostsOf(first)).toEqual(['big', 'big', 'big', 'big', 'big']);
    const rest: ClaimedEndpoint[] = [];
    for (let look = 1; look <= 4; look += 1) rest.push(...(await claim(NOW + look * 10 * SECOND)));
    expect(hostsOf(rest)).toContain('one');
    expect(hostsOf(rest)).toContain('two');
    // Nothing of the big one is lost, and nothing of it comes twice.
    for (let look = 5; look <= 20; look += 1) rest.push(...(await claim(NOW + look * 10 * SECOND)));
    const all = [...first, ...rest].map(({ endpointId }) => endpointId);
    expect(all).toHaveLength(42);
    expect(new Set(all).size).toBe(42);
  });

  it('keep the pace of their host over all workers, and count towards it', async () => {
    const claim = await expired(`pace${tag}`, { host: 12 }, isRecheck);
    expect(await claim(NOW)).toHaveLength(5);
    for (const seconds of [0, 2, 4])
      expect(await claim(NOW + seconds * SECOND, { owner: 'other' })).toEqual([]);
    const name = `host.pace${tag}.test`;
    const queue = await database.db.from('host_queues').select('not_before').eq('host', name).single();
    expect(Date.parse(queue.data?.not_before ?? '')).toBe(NOW + 5 * SECOND);
    let freeAt = 5;
    let taken = 0;
    for (let seconds = 5; seconds <= 30; seconds += 1) {
      const slots = await claim(NOW + seconds * SECOND, { owner: `w${seconds}` });
      // What was taken takes a second each, whoever took it.
      if (slots.length > 0) expect(seconds).toBeGreaterThanOrEqual(freeAt);
      if (slots.length > 0) freeAt = seconds + slots.length;
      taken += slots.length;
    }
    expect(taken).toBe(7);
    expect(freeAt).toBeLessThan(20);
  });

  it('wait for the claims of the schedule, and these for them', async () => {
    const claim = await expired(`both${tag}`, { host: 4 }, isRecheck);
    const name = `host.both${tag}.test`;
    const paused = formatTimestamp(NOW + 30 * SECOND);
    await database.db.from('host_queues').update({ not_before: paused }).eq('host', name);
    expect(await claim(NOW)).toEqual([]);
    expect(await claim(NOW + 29 * SECOND)).toEqual([]);
    const due = formatTimestamp(NOW);
    await database.db.from('schedules').update({ next_probe_at: due }).eq('host', name);
    const woken = { next_due_at: formatTimestamp(NOW + 30 * SECOND) };
    await database.db.from('host_queues').update(woken).eq('host', name);
    const taken = await claim(NOW + 34 * SECOND);
    expect(taken).toHaveLength(4);
    // Their time is the host's: a sweep finds it free when it is over.
    const sweep = { rechecksOnly: false, owner: 'sweep' };
    expect(await claim(NOW + 37 * SECOND, sweep)).toEqual([]);
    if (isRecheck) expect(await claim(NOW + 38 * SECOND, sweep)).toHaveLength(4);
  });
});
