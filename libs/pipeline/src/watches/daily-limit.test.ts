import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { webhookMessageSchema } from '@touchstone/contract';
import { consumeRateLimit } from '@touchstone/store';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeProbedEndpoint } from '../testing/store-endpoint.ts';
import { BASE_URL, createActiveWatch, storeChanges, useWatchWorld } from '../testing/watch-world.ts';
import { deliverEvents } from './deliver-events.ts';
import { readWatch } from './read-watch.ts';

const world = useWatchWorld();
const ENDPOINT = 'https://api.example.com/weather';

beforeEach(async () => {
  await world.clear();
  await storeProbedEndpoint(world.context.db, world.time, { resource: ENDPOINT });
});
const create = (...webhooks: string[]) => createActiveWatch(world.watchContext, ENDPOINT, { webhooks });
/** Stores changes, and delivers until nothing is due. Returns the new messages. */
const run = async (changes: number) => {
  world.receivers.messages.length = 0;
  await storeChanges(world.watchContext, ENDPOINT, changes);
  world.time += changes * 1000;
  await deliverEvents(world.jobContext);
  return world.receivers.messages.map(({ body }) => webhookMessageSchema.parse(JSON.parse(body)));
};
/** Counts messages that were sent to all receivers, which belong to one domain. */
const countSent = (cost: number) =>
  consumeRateLimit(world.context.db, {
    key: 'delivery:example.net',
    cost,
    limit: 600,
    windowSeconds: 86_400,
    now: world.time,
  });

describe('a destination', () => {
  it('receives at most 600 messages in 24 hours, whatever the number of watches and host names is', async () => {
    for (const name of ['a', 'b'])
      await create(`https://${name}.example.net/1`, `https://${name}.example.net/2`);
    // The connection tests of the four URLs were messages as well.
    await countSent(593);
    expect((await run(2)).map(({ type }) => type)).toEqual(['price_change', 'price_change', 'price_change']);
    expect(await run(1)).toEqual([]);
  });

  it('gets one digest of all events over the limit after the window, and then single events again', async () => {
    const { watch_id: id, secret } = await create('https://a.example.net/1');
    await countSent(598);
    expect(await run(3)).toHaveLength(1);
    expect(await run(2)).toEqual([]);
    const read = await readWatch(world.watchContext, { id, secret });
    expect(read).toMatchObject({
      body: {
        delivery: {
          webhooks: [{ status: 'active', pending_events: 4, last_attempt: { error: 'daily-limit' } }],
        },
      },
    });
    world.time += DAY_MS + HOUR_MS;
    const [digest, ...others] = await run(1);
    expect(others).toEqual([]);
    expect(digest).toMatchObject({
      type: 'delivery_digest',
      data: {
        watch_id: id,
        endpoint: ENDPOINT,
        poll_url: `${BASE_URL}/v1/watch/${id}/events`,
        first_sequence: 3,
        last_sequence: 7,
        summary: expect.stringContaining(
          'messages in 24 hours, and at most 100 from one watch: 5 price_change.',
        ) as string,
      },
    });
    expect(await run(1)).toMatchObject([{ type: 'price_change', data: { sequence: 8 } }]);
  });
});
