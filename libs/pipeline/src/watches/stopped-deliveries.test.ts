import { formatEventId } from '@touchstone/contract';
import { expect, it } from 'vitest';
import { createStop } from '../testing/stop.ts';
import { storeProbedEndpoint } from '../testing/store-endpoint.ts';
import { createActiveWatch, storeChanges, useWatchWorld } from '../testing/watch-world.ts';
import { deliverEvents } from './deliver-events.ts';
import { readWatchEvents } from './read-watch.ts';

const [DESTINATIONS, EVENTS, STOPS] = [8, 9, 3];
/** Number of messages after which a process is stopped. */
const MESSAGES_PER_PROCESS = 15;
const LEASE_MS = 60_000;
const world = useWatchWorld();

/** Delivers in a process that ends in the middle of its work: no later message is sent and nothing more is recorded. */
async function deliverUntilStopped(owner: string): Promise<void> {
  const { wrap, stop, isStopped } = createStop();
  const { messages, send } = world.receivers;
  const until = messages.length + MESSAGES_PER_PROCESS;
  const watches = {
    ...world.watchContext,
    send: wrap(async (request: Parameters<typeof send>[0]) => {
      const probe = await send(request);
      if (messages.length >= until) stop();
      return probe;
    }),
  };
  void deliverEvents({ ...world.jobContext, db: world.connect(wrap(fetch)), owner, watches });
  await expect.poll(isStopped, { timeout: 30_000, interval: 5 }).toBe(true);
}

it('sends every event at least once, in order and with the same id, although processes end', async () => {
  const resource = world.toUrl('/');
  await storeProbedEndpoint(world.context.db, world.time, { resource });
  const hosts = Array.from({ length: DESTINATIONS }, (_, index) => `host${index}.example.net`);
  const watches = new Map<string, Awaited<ReturnType<typeof createActiveWatch>>>();
  for (const host of hosts) {
    const webhooks = [`https://${host}/hook`];
    watches.set(host, await createActiveWatch(world.watchContext, resource, { webhooks }));
  }
  world.receivers.messages.length = 0;
  await storeChanges(world.watchContext, resource, EVENTS);
  world.time += LEASE_MS;
  for (let count = 1; count <= STOPS; count += 1) {
    await deliverUntilStopped(`stopped-${count}`);
    // The leases of the process expire.
    world.time += LEASE_MS;
  }
  const last = await deliverEvents(world.jobContext);
  expect(last).toMatchObject({ retried: 0, exhausted: 0, disabled: 0, unreadable: 0 });

  let duplicates = 0;
  for (const [host, { watch_id: id, secret }] of watches) {
    const log = await readWatchEvents(world.watchContext, { id, secret });
    if (log.kind === 'problem') throw new Error(log.detail);
    const logged = log.body.events.map((event) => event.event_id);
    expect(logged).toEqual(Array.from({ length: EVENTS }, (_, index) => formatEventId(id, index + 2)));
    const received = world.receivers.listEvents(host).map((event) => event.id);
    // A message is repeated only directly after itself, so the order stays the same.
    const distinct = received.filter((event, index) => event !== received[index - 1]);
    expect(distinct).toEqual(logged);
    duplicates += received.length - distinct.length;
  }
  // Each stop repeats at most the messages that were in flight or not recorded: one per destination.
  expect(duplicates).toBeGreaterThan(0);
  expect(duplicates).toBeLessThanOrEqual(STOPS * DESTINATIONS);
  const { data } = await world.context.db.from('watch_deliveries').select('state').neq('state', 'delivered');
  expect(data).toEqual([]);
});
