import { expect, it } from 'vitest';
import { DAY_MS } from '@touchstone/common';
import { createKeys } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { connect, consumeRateLimit } from '@touchstone/store';
import { discover } from '../discovery/discover.ts';
import { addMaintainSummaries, maintain } from './maintain.ts';
import { claimAndProbe } from '../probing/probe-due.ts';
import { createCountingFetch } from '../testing/counting-fetch.ts';
import { storeProbedEndpoint } from '../testing/store-endpoint.ts';
import { createActiveWatch, createWatchWorld, storeChanges } from '../testing/watch-world.ts';
import { challenge, createWorld, item } from '../testing/world.ts';
import { deliverEvents } from '../watches/deliver-events.ts';
import { readAttempts } from '../watches/read-attempts.ts';

it('deletes the queue of a host whose last endpoint was deleted', async () => {
  const keys = createKeys();
  const database = await startMigrated({ keys });
  const world = await createWorld({ url: database.url, secret: keys.secret }, Date.UTC(2026, 10, 1));
  const { db } = world.context;
  const readHosts = async () => (await db.from('host_queues').select('host').order('host')).data;
  world.handlers.set('/paid', challenge);
  world.items = [
    item('http://gone.example.com/paid'),
    item('http://half.example.com/paid?1'),
    item('http://half.example.com/paid?2'),
  ];
  await discover(world.context);
  const gone = ['http://gone.example.com/paid', 'http://half.example.com/paid?1'];
  await db.from('endpoints').delete().in('resource', gone);
  world.time += 30 * 60_000;
  // The only endpoint of gone.example.com was deleted. A claim of due slots does not delete the queue of this host;
  // only maintenance does.
  await claimAndProbe(world.context);
  expect(await readHosts()).toEqual([{ host: 'gone.example.com' }, { host: 'half.example.com' }]);
  expect(await maintain(world.context)).toMatchObject({ hostQueues: 1 });
  expect(await readHosts()).toEqual([{ host: 'half.example.com' }]);
  expect(await maintain(world.context)).toMatchObject({ hostQueues: 0 });

  await discover(world.context);
  expect(await readHosts()).toEqual([{ host: 'gone.example.com' }, { host: 'half.example.com' }]);
  await world.close();
  await database.close();
}, 60_000);

it('deletes expired rate-limit windows and keeps current ones', async () => {
  const keys = createKeys();
  const database = await startMigrated({ keys });
  const world = await createWorld({ url: database.url, secret: keys.secret }, Date.UTC(2026, 10, 1));
  const { db } = world.context;
  const window = { limit: 3, windowSeconds: 60 };
  await consumeRateLimit(db, { ...window, key: 'free 203.0.113.7', now: world.time - 61_000 });
  await consumeRateLimit(db, { ...window, key: 'free 203.0.113.8', now: world.time });
  expect(await maintain(world.context)).toMatchObject({ windows: 1, results: 0, payments: 0 });
  const again = { ...window, key: 'free 203.0.113.8', now: world.time };
  expect(await consumeRateLimit(db, again)).toMatchObject({ remaining: 1 });
  await world.close();
  await database.close();
}, 60_000);

it('deletes delivery attempts after 30 days', async () => {
  const keys = createKeys();
  const database = await startMigrated({ keys });
  const world = await createWatchWorld({ url: database.url, secret: keys.secret }, Date.UTC(2026, 10, 1));
  const resource = 'https://one.example.com/';
  await storeProbedEndpoint(world.context.db, world.time, { resource });
  const webhooks = ['https://hooks.example.net/hook'];
  const { watch_id: id, secret } = await createActiveWatch(world.watchContext, resource, { webhooks });
  await storeChanges(world.watchContext, resource, 1);
  await deliverEvents(world.jobContext);
  world.time += 29 * DAY_MS;
  expect(await maintain(world.context)).toMatchObject({ attempts: 0 });
  expect(await readAttempts(world.watchContext, { id, secret })).toMatchObject({
    body: { attempts: [{ ok: true }] },
  });
  world.time += DAY_MS + 1000;
  expect(await maintain(world.context)).toMatchObject({ attempts: 1 });
  expect(await readAttempts(world.watchContext, { id, secret })).toMatchObject({ body: { attempts: [] } });
  await world.close();
  await database.close();
}, 60_000);

it('deletes ecosystem events after 90 days', async () => {
  const keys = createKeys();
  const database = await startMigrated({ keys });
  const world = await createWorld({ url: database.url, secret: keys.secret }, Date.UTC(2026, 10, 1));
  const at = new Date(world.time).toISOString();
  const event = { kind: 'outage', host: 'one.example.com', day: at.slice(0, 10), at, updated_at: at };
  await world.context.db
    .from('ecosystem_events')
    .insert({ ...event, endpoint_id: 'one', endpoints: 1 })
    .throwOnError();
  world.time += 90 * DAY_MS;
  expect(await maintain(world.context)).toMatchObject({ events: 0 });
  world.time += DAY_MS;
  expect(await maintain(world.context)).toMatchObject({ events: 1 });
  await world.close();
  await database.close();
}, 60_000);

it('deletes texts that no endpoint uses, and keeps the others', async () => {
  const keys = createKeys();
  const database = await startMigrated({ keys });
  const world = await createWorld({ url: database.url, secret: keys.secret }, Date.UTC(2026, 10, 1));
  const { db } = world.context;
  const store = (resource: string, description: string) =>
    storeProbedEndpoint(db, world.time, { resource, description });
  await store('https://one.example.com/', 'old text');
  await store('https://two.example.com/', 'shared text');
  world.time += 1000;
  await store('https://one.example.com/', 'shared text');
  expect(await maintain(world.context)).toMatchObject({ texts: 1 });
  expect((await db.from('search_texts').select('text')).data).toEqual([{ text: 'shared text' }]);
  expect(await maintain(world.context)).toMatchObject({ texts: 0 });
  await world.close();
  await database.close();
}, 60_000);

it('deletes everything else and names the error when the texts cannot be deleted', async () => {
  const keys = createKeys();
  const database = await startMigrated({ keys });
  const world = await createWorld({ url: database.url, secret: keys.secret }, Date.UTC(2026, 10, 1));
  const window = { key: 'free 203.0.113.7', limit: 3, windowSeconds: 60, now: world.time - 61_000 };
  await consumeRateLimit(world.context.db, window);
  await database.connection.driver.exec('drop function public.delete_unused_texts');
  const summary = await maintain(world.context);
  expect(summary).toMatchObject({ windows: 1, texts: 0 });
  expect(summary.failure).toContain('delete unused texts');
  await world.close();
  await database.close();
}, 60_000);

it('ends at its deadline, and the next call deletes the remaining rows', async () => {
  const keys = createKeys();
  const database = await startMigrated({ keys });
  await database.connection.driver.exec(`
    insert into public.ecosystem_events (kind, host, day, at, updated_at, endpoint_id, endpoints)
    select 'outage', n || '.example.com', '2026-01-01', '2026-01-01', '2026-01-01', n::text, 1
    from generate_series(1, 10100) n;`);
  const deadline = new AbortController();
  const calls: string[] = [];
  // The deadline is reached while the first batch of events is deleted.
  const fetch = createCountingFetch(calls);
  const abortingFetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (calls.at(-1) === 'prune_ecosystem_events') deadline.abort();
    return response;
  };
  const db = connect({ url: database.url, key: keys.secret, fetch: abortingFetch });
  const context = { db, now: () => Date.UTC(2026, 10, 1) };
  const { signal } = deadline;
  const first = await maintain(context, { signal });
  expect(first).toMatchObject({ events: 5_000, more: true });
  expect(calls.filter((name) => name === 'prune_ecosystem_events')).toHaveLength(1);
  const second = await maintain(context);
  expect(second).toMatchObject({ events: 5_100, created: 0 });
  expect(second).not.toHaveProperty('more');
  const total = addMaintainSummaries(first, second);
  expect(total).toMatchObject({ events: 10_100, created: first.created });
  expect(total).not.toHaveProperty('more');
  await database.close();
}, 60_000);
