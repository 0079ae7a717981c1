import { DAY_MS, MINUTE_MS } from '@touchstone/common';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeProbedEndpoint } from '../testing/store-endpoint.ts';
import {
  createActiveWatch,
  createPurchase,
  storeChanges,
  toCreateRequest,
  useWatchWorld,
} from '../testing/watch-world.ts';
import { createWatch } from './buy-watch.ts';
import { deliverEvents } from './deliver-events.ts';
import { isRefusedByHost } from './host-refusal.ts';
import { readWatchEvents } from './read-watch.ts';

const world = useWatchWorld();
const ENDPOINT = 'https://api.example.com/weather';
const [HOST, HOOK] = ['one.example.net', 'https://one.example.net/hook'];
const REFUSAL = 'deliveries: refuse';

describe('isRefusedByHost', () => {
  it.each([
    ['a missing file', { httpStatus: 404, body: REFUSAL, bodyEnd: 'complete' }],
    ['a redirect', { httpStatus: 302, body: REFUSAL, bodyEnd: 'complete' }],
    ['an incomplete file', { httpStatus: 200, body: REFUSAL, bodyEnd: 'deadline' }],
    ['no response', { httpStatus: null, body: null, bodyEnd: null }],
  ] as const)('returns false for %s', async (_, response) => {
    const send: typeof world.receivers.send = async (request) => {
      expect(request.timeoutMs).toBe(2_000);
      return { ...(await world.receivers.send(request)), ...response };
    };
    expect(
      await isRefusedByHost({ ...world.watchContext, send }, `https://${crypto.randomUUID()}.example.net/`),
    ).toBe(false);
  });

  it('reads the file again after a failure of our own', async () => {
    world.receivers.files.set('three.example.net', REFUSAL);
    const send: typeof world.receivers.send = async (request) => {
      const probe = await world.receivers.send(request);
      return { ...probe, outcome: 'self-failure', httpStatus: null, body: null };
    };
    const url = 'https://three.example.net/hook';
    expect(await isRefusedByHost({ ...world.watchContext, send }, url)).toBe(false);
    expect(await isRefusedByHost(world.watchContext, url)).toBe(true);
  });

  it('reads the file once a day for each origin, and remembers the refusal', async () => {
    const { fileReads, files } = world.receivers;
    const check = (url: string) => isRefusedByHost(world.watchContext, url);
    expect([await check(HOOK), await check(`${HOOK}/2`)]).toEqual([false, false]);
    files.set(HOST, REFUSAL);
    expect(await check(HOOK)).toBe(false);
    world.time += DAY_MS;
    expect([await check(HOOK), await check(`${HOOK}/2`)]).toEqual([true, true]);
    expect(await check('https://two.example.net/hook')).toBe(false);
    expect(fileReads).toEqual([HOST, HOST, 'two.example.net']);
    expect(await check('https://hooks.slack.com/services/T1/B2/c3')).toBe(false);
    expect(fileReads).toHaveLength(3);
  });
});

describe('a refusal that ends', () => {
  const host = 'four.example.net';
  const check = (isTest: boolean) => isRefusedByHost(world.watchContext, `https://${host}/hook`, { isTest });

  it('is noticed by a connection test, which reads the file again once a minute', async () => {
    const { fileReads, files } = world.receivers;
    files.set(host, REFUSAL);
    expect([await check(false), await check(true), await check(true)]).toEqual([true, true, true]);
    expect(fileReads).toEqual([host, host]);
    files.delete(host);
    expect([await check(false), await check(true)]).toEqual([true, true]);
    world.time += MINUTE_MS;
    expect([await check(false), await check(true), await check(false)]).toEqual([true, false, false]);
    expect(fileReads).toEqual([host, host, host]);
  });
});

describe('a host that refuses messages', () => {
  beforeEach(async () => {
    await world.clear();
    await storeProbedEndpoint(world.context.db, world.time, { resource: ENDPOINT });
  });

  it('gets no connection test, and the watch is not sold', async () => {
    world.receivers.files.set(HOST, REFUSAL);
    const request = toCreateRequest(ENDPOINT, { webhooks: [HOOK] });
    expect(await createWatch(world.watchContext, request, createPurchase())).toMatchObject({
      code: 'delivery-unreachable',
      errors: [{ path: 'delivery.webhook_urls.0', message: expect.stringContaining('refuse') as string }],
    });
    expect(world.receivers.messages).toEqual([]);
  });

  it('gets the test messages of two URLs when the refusal has ended', async () => {
    const webhooks = ['https://five.example.net/a', 'https://five.example.net/b'];
    const create = () =>
      createWatch(world.watchContext, toCreateRequest(ENDPOINT, { webhooks }), createPurchase());
    world.receivers.files.set('five.example.net', REFUSAL);
    expect(await create()).toMatchObject({ code: 'delivery-unreachable' });
    world.receivers.files.delete('five.example.net');
    world.time += MINUTE_MS;
    expect(await create()).toMatchObject({ kind: 'result' });
  });

  it('gets no further message, and the owner learns it from the log and over the other URLs', async () => {
    const other = 'https://two.example.net/hook';
    const webhooks = [HOOK, other];
    const { watch_id: id, secret } = await createActiveWatch(world.watchContext, ENDPOINT, { webhooks });
    world.receivers.files.set(HOST, REFUSAL);
    world.time += DAY_MS;
    world.receivers.messages.length = 0;
    await storeChanges(world.watchContext, ENDPOINT, 1);
    expect(await deliverEvents(world.jobContext)).toMatchObject({ delivered: 2, disabled: 1, retried: 0 });
    expect(world.receivers.listEvents(HOST)).toEqual([]);
    expect(world.receivers.listEvents('two.example.net').map(({ type }) => type)).toEqual([
      ...['price_change', 'delivery_disabled'],
    ]);
    const log = await readWatchEvents(world.watchContext, { id, secret });
    if (log.kind === 'problem') throw new Error(log.detail);
    const disabled = log.body.watch_events.filter(({ type }) => type === 'delivery_disabled');
    expect(disabled).toMatchObject([{ data: { reason: 'refused' } }]);
    expect(disabled[0]?.data.summary).toContain('/.well-known/touchstone.txt');
  });
});
