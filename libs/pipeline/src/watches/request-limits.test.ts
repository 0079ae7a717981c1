import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { watchEditSchema, type WatchCreated } from '@touchstone/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { storeProbedEndpoint } from '../testing/store-endpoint.ts';
import {
  createActiveWatch,
  createBuyer,
  createWatchWorld,
  toCreateRequest,
  type WatchWorld,
} from '../testing/watch-world.ts';
import { createWatch } from './create-watch.ts';
import { editWatch } from './edit-watch.ts';

const ENDPOINT = 'https://api.example.com/weather';
const MINUTE_MS = 60_000;
const keys = createKeys();
let database: EmbeddedDatabase;
let world: WatchWorld;
let tests = 0;

beforeAll(async () => {
  database = await startMigrated({ keys });
});
afterAll(() => database.close());
beforeEach(async () => {
  tests += 1;
  world = await createWatchWorld({ url: database.url, secret: keys.secret }, Date.UTC(2027, tests, 1));
  await storeProbedEndpoint(world.context.db, world.time, { resource: ENDPOINT });
});
afterEach(() => world.close());

const listUrls = (base: string) => Array.from({ length: 5 }, (_, index) => `${base}${index}`);
const edit = ({ watch_id: id, secret }: WatchCreated, body: object) =>
  editWatch(world.watchContext, { id, secret, edit: watchEditSchema.parse(body) });
const create = (options: Parameters<typeof toCreateRequest>[1], buyer = createBuyer()) =>
  createWatch(world.watchContext, toCreateRequest(ENDPOINT, options), buyer);

/** Expects that a request is refused for 40 seconds, and that no test message was sent for it. */
async function expectLimited(
  running: ReturnType<typeof create | typeof edit>,
  reason: string,
): Promise<void> {
  const sent = world.receivers.messages.length;
  expect(await running).toEqual({
    kind: 'problem',
    code: 'rate-limited',
    detail: `${reason} Send the request again in 40 seconds.`,
    retryAfterSeconds: 40,
  });
  expect(world.receivers.messages.length).toBe(sent);
}

describe('connection tests', () => {
  it('of one watch are limited to 30 URLs per minute, and other buyers can test the same chat hosts', async () => {
    const watch = await createActiveWatch(world.watchContext, ENDPOINT);
    const hosts = ['hooks.slack.com', 'discord.com'];
    for (const host of hosts) world.receivers.handlers.set(host, (response) => response.writeHead(404).end());
    for (let round = 0; round < 6; round += 1) {
      const base = `https://${hosts[round % 2]}/services/${round}/`;
      const delivery = { slack_urls: listUrls(base) };
      expect(await edit(watch, { delivery })).toMatchObject({ code: 'delivery-unreachable' });
    }
    world.time += 20_000;
    await expectLimited(
      edit(watch, { delivery: { slack_urls: ['https://hooks.slack.com/services/more'] } }),
      'At most 30 delivery URLs per minute are tested for one watch.',
    );
    world.receivers.handlers.clear();
    for (const host of hosts) {
      for (let buyer = 0; buyer < 13; buyer += 1)
        expect(await create({ chats: listUrls(`https://${host}/hook`) })).toMatchObject({ kind: 'result' });
    }
    world.time += 40_000;
    const delivery = { slack_urls: ['https://hooks.slack.com/services/more'] };
    expect(await edit(watch, { delivery })).toMatchObject({ kind: 'result' });
  });

  it('of one payer are limited to 30 URLs per minute, and use up nothing of the limit of a host', async () => {
    const buyer = createBuyer();
    const webhooks = listUrls('https://payer.example.net/');
    for (let watch = 0; watch < 6; watch += 1)
      expect(await create({ webhooks }, buyer)).toMatchObject({ kind: 'result' });
    world.time += 20_000;
    for (let attempt = 0; attempt < 7; attempt += 1)
      await expectLimited(
        create({ webhooks }, buyer),
        'At most 30 delivery URLs per minute are tested for one payer.',
      );
    for (let other = 0; other < 6; other += 1)
      expect(await create({ webhooks })).toMatchObject({ kind: 'result' });
    world.time += 40_000;
    expect(await create({ webhooks }, buyer)).toMatchObject({ kind: 'result' });
  });

  it('of one host are limited to 60 URLs per minute, also with a dot at the end of its name', async () => {
    const urls = listUrls('https://busy.example.net/');
    for (let watch = 0; watch < 12; watch += 1)
      expect(await create({ webhooks: urls })).toMatchObject({ kind: 'result' });
    world.time += 20_000;
    const reason =
      'At most 60 delivery URLs per minute are tested on one host, for all watches together. busy.example.net reached this limit.';
    await expectLimited(create({ webhooks: ['https://busy.example.net/more'] }), reason);
    await expectLimited(create({ chats: ['https://busy.example.net./more'] }), reason);
    expect(await create({ webhooks: ['https://other.example.net/'] })).toMatchObject({ kind: 'result' });
    world.time += 40_000;
    expect(await create({ webhooks: urls })).toMatchObject({ kind: 'result' });
  });
});

describe('edits', () => {
  it('are limited to 60 per hour of one watch, and a wrong secret does not count', async () => {
    const watch = await createActiveWatch(world.watchContext, ENDPOINT);
    const other = await createActiveWatch(world.watchContext, ENDPOINT);
    const change = (number: number) => ({ liveness_sensitivity_n: 2 + (number % 2) });
    const wrong = { ...watch, secret: other.secret };
    expect(await edit(wrong, change(1))).toMatchObject({ code: 'unauthorized' });
    for (let number = 1; number <= 60; number += 1)
      expect(await edit(watch, change(number))).toMatchObject({ kind: 'result' });
    world.time += 60 * MINUTE_MS - 40_000;
    await expectLimited(edit(watch, change(1)), 'A watch can be edited at most 60 times per hour.');
    expect(await edit(other, change(1))).toMatchObject({ kind: 'result' });
    world.time += 40_000;
    expect(await edit(watch, change(1))).toMatchObject({ kind: 'result' });
  });
});
