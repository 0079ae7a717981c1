import { UNKNOWN_CLIENT } from '@touchstone/common';
import { DAY_MS } from '@touchstone/common';
import { watchEditSchema, type WatchCreated } from '@touchstone/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeProbedEndpoint } from '../testing/store-endpoint.ts';
import {
  createActiveWatch,
  createBuyer,
  createPurchase,
  useWatchWorld,
  toCreateRequest,
} from '../testing/watch-world.ts';
import { createSender } from '@touchstone/probe';
import { consumeRateLimit } from '@touchstone/store';
import { toReceiver } from '@touchstone/watch';
import { createWatch } from './buy-watch.ts';
import { editWatch } from './edit-watch.ts';

const world = useWatchWorld();
const ENDPOINT = 'https://api.example.com/weather';

beforeEach(async () => {
  await storeProbedEndpoint(world.context.db, world.time, { resource: ENDPOINT });
});

const listUrls = (base: string) => Array.from({ length: 5 }, (_, index) => `${base}${index}`);
const edit = ({ watch_id: id, secret }: WatchCreated, body: object) =>
  editWatch(world.watchContext, { id, secret, client: 'client', edit: watchEditSchema.parse(body) });
const create = (options: Parameters<typeof toCreateRequest>[1], buyer = createBuyer()) =>
  createWatch(world.watchContext, toCreateRequest(ENDPOINT, options), createPurchase(buyer));

/** Counts messages to a receiver. */
const countMessages = (cost: number, receiver = 'example.net') =>
  consumeRateLimit(world.context.db, {
    ...{ key: `delivery:${receiver}`, cost, limit: 600, windowSeconds: 86_400, now: world.time },
  });

/** Counts connection tests or edits that were made 20 seconds ago. */
async function useUp(key: string, cost: number, windowSeconds = 60): Promise<void> {
  const limit = { key, cost, limit: cost, windowSeconds, now: world.time };
  expect(await consumeRateLimit(world.context.db, limit)).toMatchObject({ allowed: true });
  world.time += (windowSeconds - 40) * 1000;
}

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
  it('of one watch are limited to 30 URLs per minute', async () => {
    const watch = await createActiveWatch(world.watchContext, ENDPOINT);
    await useUp(`connection-test:watch:${watch.watch_id}`, 26);
    const delivery = { slack_urls: listUrls('https://hooks.slack.com/services/') };
    const reason = 'At most 30 delivery URLs per minute are tested for one watch.';
    await expectLimited(edit(watch, { delivery }), reason);
    // The limit allows four more URLs.
    const four = { slack_urls: delivery.slack_urls.slice(1) };
    expect(await edit(watch, { delivery: four })).toMatchObject({ kind: 'result' });
    world.time += 40_000;
    expect(await edit(watch, { delivery })).toMatchObject({ kind: 'result' });
  });

  it('of one payer are limited to 30 URLs per minute, and then do not count as messages', async () => {
    const buyer = createBuyer();
    await useUp(`connection-test:payer:${buyer.payer}`, 30);
    const { remaining } = await countMessages(0);
    const request = { webhooks: listUrls('https://payer.example.net/') };
    await expectLimited(
      create(request, buyer),
      'At most 30 delivery URLs per minute are tested for one payer.',
    );
    expect(await countMessages(0)).toMatchObject({ remaining });
    world.time += 40_000;
    expect(await create(request, buyer)).toMatchObject({ kind: 'result' });
  });

  it('count as messages to their receiver, and use up at most half of these messages', async () => {
    const { remaining } = await countMessages(0);
    await countMessages(remaining - 306);
    const webhooks = ['https://one.example.net/?1', 'https://two.example.net/?2'];
    expect(await create({ webhooks })).toMatchObject({ kind: 'result' });
    expect(await countMessages(2)).toMatchObject({ remaining: 302 });
    expect(await create({ webhooks: ['https://one.example.net/?3'] })).toMatchObject({
      code: 'rate-limited',
      detail: expect.stringContaining(
        'At most 300 test messages in 24 hours are sent to one receiver',
      ) as string,
    });
    world.time += DAY_MS;
    expect(await create({ webhooks })).toMatchObject({ kind: 'result' });
  });

  it('of one chat count as messages to one receiver, whatever the form of its URL is', async () => {
    const chat = 'https://discord.com/api/webhooks/1/token';
    await countMessages(297, toReceiver(chat));
    expect(await create({ chats: [`${chat}?wait=true`] })).toMatchObject({ kind: 'result' });
    const { remaining } = await countMessages(0);
    const webhooks = ['https://one.example.net/'];
    expect(await create({ webhooks, chats: [`${chat}/slack`] })).toMatchObject({ code: 'rate-limited' });
    expect(await countMessages(0)).toMatchObject({ remaining });
  });

  it('count each message that the server read, also without a response', async () => {
    const { remaining } = await countMessages(0);
    world.receivers.handlers.set('closing.example.net', (response) => {
      // The time of the test ends, so there is one try.
      world.time += 12_000;
      response.destroy();
    });
    const webhooks = ['https://closing.example.net/'];
    expect(await create({ webhooks })).toMatchObject({ code: 'delivery-unreachable' });
    expect(await countMessages(0)).toMatchObject({ remaining: remaining - 1 });
  });

  it('do not count as messages if no request was sent', async () => {
    const { remaining } = await countMessages(0);
    world.receivers.files.set('refusing.example.net', 'deliveries: refuse');
    const webhooks = ['https://refusing.example.net/'];
    expect(await create({ webhooks })).toMatchObject({ code: 'delivery-unreachable' });
    expect(await countMessages(0)).toMatchObject({ remaining });
  });
});

describe('failed connection tests', () => {
  const FAILING = 'https://failing.example.net/';
  const GOOD = 'https://good.example.net/';
  const createAs = (client: string, webhooks: readonly string[], buyer = createBuyer()) =>
    createWatch(world.watchContext, toCreateRequest(ENDPOINT, { webhooks }), { buyer, client });
  const toCode = (result: Awaited<ReturnType<typeof create | typeof edit>>): string =>
    result.kind === 'problem' ? result.code : result.kind;

  beforeEach(() => {
    world.receivers.handlers.set('failing.example.net', (response) => response.writeHead(404).end());
  });

  it('pause a payer for requests with delivery URLs, for ten minutes after three requests', async () => {
    const buyer = createBuyer();
    const send = async (webhooks: readonly string[]) => toCode(await createAs('one', webhooks, buyer));
    for (let sent = 0; sent < 3; sent += 1) expect(await send([FAILING])).toBe('delivery-unreachable');
    const sent = world.receivers.messages.length;
    expect(await createAs('other', [GOOD], buyer)).toEqual({
      kind: 'problem',
      code: 'rate-limited',
      detail:
        '3 requests for this payer had delivery URLs that failed the connection test within 10 minutes. Send the request again in 600 seconds.',
      retryAfterSeconds: 600,
    });
    expect(world.receivers.messages).toHaveLength(sent);
    expect(await send([])).toBe('result');
    expect(toCode(await createAs('one', [GOOD]))).toBe('result');
    world.time += 600_000;
    expect(await send([GOOD])).toBe('result');
  });

  it('pause a watch for new delivery URLs after three edits', async () => {
    const watch = await createActiveWatch(world.watchContext, ENDPOINT);
    const change = { delivery: { webhook_url: FAILING } };
    for (let sent = 0; sent < 3; sent += 1)
      expect(toCode(await edit(watch, change))).toBe('delivery-unreachable');
    expect(await edit(watch, change)).toMatchObject({ code: 'rate-limited', retryAfterSeconds: 600 });
    expect(toCode(await edit(watch, { liveness_sensitivity_n: 4 }))).toBe('result');
  });

  it('pause a client after 30 URLs of any payers, and successful tests do not count', async () => {
    for (let sent = 0; sent < 5; sent += 1) {
      expect(toCode(await createAs('attacker', listUrls(FAILING)))).toBe('delivery-unreachable');
      expect(toCode(await createAs('attacker', listUrls(GOOD)))).toBe('result');
    }
    expect(toCode(await createAs('attacker', listUrls(FAILING)))).toBe('delivery-unreachable');
    expect(toCode(await createAs('attacker', [GOOD]))).toBe('rate-limited');
    expect(toCode(await createAs('honest', [GOOD]))).toBe('result');
  });

  it('pause nobody whose client address is unknown', async () => {
    for (let sent = 0; sent < 6; sent += 1) await createAs(UNKNOWN_CLIENT, listUrls(FAILING));
    expect(toCode(await createAs(UNKNOWN_CLIENT, [GOOD]))).toBe('result');
  });

  const refuse = createSender({
    ...{ userAgent: 'test', guard: () => null, mayConnect: () => false },
    resolver: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
  });
  /** Creates a watch while the address of `busy.example.net` has reached its limit. */
  const createAtLimit = (webhooks: readonly string[], purchase = createPurchase()) => {
    const { send } = world.watchContext;
    const context: typeof world.watchContext = {
      ...world.watchContext,
      send: (message) => (message.url.startsWith('https://busy.') ? refuse : send)(message),
    };
    return createWatch(context, toCreateRequest(ENDPOINT, { webhooks }), purchase);
  };

  it('of other URLs are named if the limit of an address ended a test', async () => {
    expect(await createAtLimit(['https://busy.example.net/', FAILING])).toMatchObject({
      code: 'delivery-unreachable',
      detail: expect.stringContaining('1 of 2 delivery URLs failed') as unknown,
      errors: [{ path: 'delivery.webhook_urls.1', message: 'The connection test failed: http-404.' }],
    });
  });

  it('do not count if the limit of an address ended them', async () => {
    const purchase = createPurchase();
    for (let sent = 0; sent < 4; sent += 1)
      expect(await createAtLimit(listUrls('https://busy.example.net/'), purchase)).toEqual({
        kind: 'problem',
        code: 'rate-limited',
        detail:
          'Connection tests open at most 60 connections to one address per minute, and the address of a delivery URL reached this limit. Send the request again in 60 seconds.',
        retryAfterSeconds: 60,
      });
  });
});

describe('edits', () => {
  it('are limited to 60 per hour of one watch, and a wrong secret does not count', async () => {
    const watch = await createActiveWatch(world.watchContext, ENDPOINT);
    const other = await createActiveWatch(world.watchContext, ENDPOINT);
    const change = (number: number) => ({ liveness_sensitivity_n: number });
    await useUp(`edit-watch:${watch.watch_id}`, 59, 3600);
    const wrong = { ...watch, secret: other.secret };
    expect(await edit(wrong, change(3))).toMatchObject({ code: 'unauthorized' });
    expect(await edit(watch, change(3))).toMatchObject({ kind: 'result' });
    await expectLimited(edit(watch, change(4)), 'A watch can be edited at most 60 times per hour.');
    expect(await edit(other, change(4))).toMatchObject({ kind: 'result' });
    world.time += 40_000;
    expect(await edit(watch, change(4))).toMatchObject({ kind: 'result' });
  });
});
