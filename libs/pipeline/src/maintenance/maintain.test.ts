import { expect, it } from 'vitest';
import { DAY_MS } from '@touchstone/common';
import { consumeRateLimit } from '@touchstone/store';
import { discover } from '../discovery/discover.ts';
import { maintain, type MaintainSummary } from './maintain.ts';
import { claimAndProbe } from '../probing/probe-due.ts';
import { readHistory } from '../reports/history.ts';
import { createCountingFetch } from '../testing/counting-fetch.ts';
import { storeProbedEndpoint } from '../testing/store-endpoint.ts';
import { createActiveWatch, storeChanges, useWatchWorld } from '../testing/watch-world.ts';
import { challenge, item } from '../testing/world.ts';
import { deliverEvents } from '../watches/deliver-events.ts';
import { readAttempts } from '../watches/read-watch.ts';

const world = useWatchWorld();

it('deletes the queue of a host whose last endpoint was deleted', async () => {
  const { db } = world.context;
  const readHosts = async () =>
    (await db.from('host_queues').select('host').order('host')).data?.map(({ host }) => host.split('.')[0]);
  world.handlers.set('/paid', challenge);
  const gone = [world.toUrl('/paid', 'gone'), world.toUrl('/paid?1', 'half')];
  world.items = [...gone, world.toUrl('/paid?2', 'half')].map((resource) => item(resource));
  await discover(world.context);
  await db.from('endpoints').delete().in('resource', gone);
  world.time += 30 * 60_000;
  // The only endpoint of the first host was deleted. A claim of due slots does not delete the queue of this host; only
  // maintenance does.
  await claimAndProbe(world.context);
  expect(await readHosts()).toEqual(['gone', 'half']);
  expect(await maintain(world.context)).toMatchObject({ hostQueues: 1 });
  expect(await readHosts()).toEqual(['half']);
  expect(await maintain(world.context)).toMatchObject({ hostQueues: 0 });
  await discover(world.context);
  expect(await readHosts()).toEqual(['gone', 'half']);
});

it('deletes expired rate-limit windows and keeps current ones', async () => {
  const { db } = world.context;
  const window = { limit: 3, windowSeconds: 60 };
  await consumeRateLimit(db, { ...window, key: 'free 203.0.113.7', now: world.time - 61_000 });
  await consumeRateLimit(db, { ...window, key: 'free 203.0.113.8', now: world.time });
  expect(await maintain(world.context)).toMatchObject({ rate_limits: 1, results: 0, payments: 0 });
  const again = { ...window, key: 'free 203.0.113.8', now: world.time };
  expect(await consumeRateLimit(db, again)).toMatchObject({ remaining: 1 });
});

it('deletes delivery attempts after 30 days', async () => {
  const resource = world.toUrl('/');
  await storeProbedEndpoint(world.context.db, world.time, { resource });
  const webhooks = ['https://hooks.example.net/hook'];
  const { watch_id: id, secret } = await createActiveWatch(world.watchContext, resource, { webhooks });
  const countAttempts = async () => {
    const result = await readAttempts(world.watchContext, { id, secret });
    return result.kind === 'result' ? result.body.attempts.length : null;
  };
  await storeChanges(world.watchContext, resource, 1);
  await deliverEvents(world.jobContext);
  world.time += 29 * DAY_MS;
  expect(await maintain(world.context)).toMatchObject({ watch_attempts: 0 });
  expect(await countAttempts()).toBe(1);
  world.time += DAY_MS + 1000;
  expect(await maintain(world.context)).toMatchObject({ watch_attempts: 1 });
  expect(await countAttempts()).toBe(0);
});

it('packs the probes of days before yesterday, and deletes them after 90 days', async () => {
  world.handlers.set('/packed', challenge);
  const resource = world.toUrl('/packed');
  world.items = [item(resource)];
  await discover(world.context);
  world.time += 30 * 60_000;
  await claimAndProbe(world.context);
  const countPoints = async () =>
    (await readHistory(world.context.db, { resource, days: 90, now: world.time }))?.probes.length;
  world.time = Math.ceil(world.time / DAY_MS) * DAY_MS;
  expect(await maintain(world.context)).toMatchObject({ packed: 0 });
  world.time += DAY_MS;
  expect(await maintain(world.context)).toMatchObject({ packed: 1 });
  expect(await countPoints()).toBe(1);
  world.time += 88 * DAY_MS;
  expect(await maintain(world.context)).toMatchObject({ packed: 0, packed_observations: 0 });
  world.time += 2 * DAY_MS;
  expect(await maintain(world.context)).toMatchObject({ packed_observations: 1 });
});

it('deletes ecosystem events after 90 days', async () => {
  const at = new Date(world.time).toISOString();
  const event = { kind: 'outage', host: 'one.example.com', day: at.slice(0, 10), at, updated_at: at };
  const row = { ...event, endpoint_id: 'one', endpoints: 1 };
  await world.context.db.from('ecosystem_events').insert(row).throwOnError();
  world.time += 90 * DAY_MS;
  expect(await maintain(world.context)).toMatchObject({ ecosystem_events: 0 });
  world.time += DAY_MS;
  expect(await maintain(world.context)).toMatchObject({ ecosystem_events: 1 });
});

it('deletes texts that no endpoint uses, and keeps the others', async () => {
  await world.clear();
  const { db } = world.context;
  const store = (name: string, description: string) =>
    storeProbedEndpoint(db, world.time, { resource: world.toUrl('/', name), description });
  await maintain(world.context);
  await store('one', 'old text');
  await store('two', 'shared text');
  world.time += 1000;
  await store('one', 'shared text');
  expect(await maintain(world.context)).toMatchObject({ texts: 1 });
  expect((await db.from('search_texts').select('text')).data).toEqual([{ text: 'shared text' }]);
  expect(await maintain(world.context)).toMatchObject({ texts: 0 });
});

it('ends at its deadline, and the next call deletes the remaining rows', async () => {
  await world.database.connection.driver.exec(`
    insert into public.ecosystem_events (kind, host, day, at, updated_at, endpoint_id, endpoints)
    select 'outage', n || '.example.com', '2026-01-01', '2026-01-01', '2026-01-01', n::text, 1
    from generate_series(1, 10100) n;`);
  const deadline = new AbortController();
  const calls: string[] = [];
  // The deadline is reached while the first batch of events is deleted.
  const fetch = createCountingFetch(calls);
  const db = world.connect(async (input, init) => {
    const response = await fetch(input, init);
    if (calls.at(-1) === 'prune_rows') deadline.abort();
    return response;
  });
  const context = { db, now: () => world.time };
  const parts: MaintainSummary[] = [];
  // Inngest starts the job again for each part, with a new deadline.
  const total = await maintain({
    ...context,
    get signal() {
      return parts.length === 0 ? deadline.signal : new AbortController().signal;
    },
    runStep: async (_, work) => {
      const part = await work();
      parts.push(part as MaintainSummary);
      return part;
    },
  });
  const [first, second] = parts;
  expect(first).toMatchObject({ ecosystem_events: 5_000, more: true });
  expect(second).toMatchObject({ ecosystem_events: 5_100, created: 0 });
  expect(second).not.toHaveProperty('more');
  expect(total).toMatchObject({ ecosystem_events: 10_100, created: first?.created });
  expect(total).not.toHaveProperty('more');
});

// This test must be last, because it removes a function of the database.
it('deletes everything else and names the error when the texts cannot be deleted', async () => {
  const window = { key: 'free 203.0.113.9', limit: 3, windowSeconds: 60, now: world.time - 61_000 };
  await consumeRateLimit(world.context.db, window);
  await world.database.connection.driver.exec('drop function public.delete_unused_texts');
  const summary = await maintain(world.context);
  expect(summary.rate_limits).toBeGreaterThan(0);
  expect(summary).toMatchObject({ texts: 0 });
  expect(summary.failure).toContain('delete_unused_texts');
});
