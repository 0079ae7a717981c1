import { createHash, createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { createCipher } from '@touchstone/watch';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFailingFetch } from '../testing/failing-fetch.ts';
import { storeProbedEndpoint } from '../testing/store-endpoint.ts';
import { createActiveWatch, createWatchKey, useWatchWorld, storeChanges } from '../testing/watch-world.ts';
import { deliverEvents, EMPTY_DELIVER_SUMMARY } from './deliver-events.ts';
import { readAttempts } from './read-watch.ts';

const world = useWatchWorld();
const ENDPOINT = 'https://api.example.com/weather';
const OTHER_ENDPOINT = 'https://api.example.com/other';
const [HOOK, OTHER_HOOK] = ['https://one.example.net/hook-abcdef', 'https://two.example.net/hook-uvwxyz'];
const MINUTE_MS = 60_000;

beforeEach(async () => {
  // The job delivers the messages of all watches.
  await world.clear();
  await storeProbedEndpoint(world.context.db, world.time, { resource: ENDPOINT });
});
const create = (...webhooks: string[]) => createActiveWatch(world.watchContext, ENDPOINT, { webhooks });
/** Stores changes, and advances the time until the messages of all changes are due. */
const change = async (count: number) => {
  await storeChanges(world.watchContext, ENDPOINT, count);
  world.time += count * 1000;
};
const deliver = () => deliverEvents(world.jobContext);
const listSequences = (host: string) => world.receivers.listEvents(host).map(({ sequence }) => sequence);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('a run', () => {
  it('delivers each event once and in order, to each destination, with valid signatures', async () => {
    const { secret } = await create(HOOK, OTHER_HOOK);
    await change(20);
    expect(await deliver()).toEqual({ ...EMPTY_DELIVER_SUMMARY, claimed: 40, delivered: 40 });
    expect(listSequences('one.example.net')).toEqual(range(2, 21));
    expect(listSequences('two.example.net')).toEqual(range(2, 21));
    const key = createHash('sha256').update(secret).digest('hex');
    for (const { headers, body } of world.receivers.messages)
      expect(headers['x-signature']).toBe(`sha256=${createHmac('sha256', key).update(body).digest('hex')}`);
    expect(await deliver()).toEqual(EMPTY_DELIVER_SUMMARY);
  });

  it('repeats a failed message with the same id, and delays only its own destination', async () => {
    const { watch_id: id, secret } = await create(HOOK, OTHER_HOOK);
    let failures = 2;
    world.receivers.handlers.set('one.example.net', (response) => {
      failures -= 1;
      response.writeHead(failures >= 0 ? 503 : 200).end('try later');
    });
    await change(3);
    expect(await deliver()).toMatchObject({ delivered: 3, retried: 1 });
    world.time += 10_000;
    expect(await deliver()).toMatchObject({ delivered: 0, retried: 1 });
    expect(await deliver()).toEqual(EMPTY_DELIVER_SUMMARY);
    world.time += 6 * MINUTE_MS;
    expect(await deliver()).toMatchObject({ delivered: 3, retried: 0 });
    expect(listSequences('one.example.net')).toEqual([2, 2, 2, 3, 4]);
    expect(listSequences('two.example.net')).toEqual([2, 3, 4]);
    const attempts = await readAttempts(world.watchContext, { id, secret });
    if (attempts.kind === 'problem') throw new Error(attempts.detail);
    expect(attempts.body.attempts).toHaveLength(8);
    const failed = attempts.body.attempts.filter(({ ok }) => !ok);
    expect(failed).toMatchObject([
      { http_status: 503, error: 'http-503', reply: 'try later', url: 'https://one.example.net/…' },
      { http_status: 503 },
    ]);
    for (const text of ['abcdef', 'uvwxyz', secret.slice('wsk_'.length)])
      expect(JSON.stringify(attempts)).not.toContain(text);
  });

  it('is not delayed by a slow receiver, and keeps at most the given number of requests in flight', async () => {
    const hosts = Array.from({ length: 5 }, (_, index) => `host${index}.example.net`);
    for (const host of hosts) await create(`https://${host}/hook`);
    const inFlight = { now: 0, max: 0 };
    const full = Promise.withResolvers<null>();
    const countingSend: typeof world.receivers.send = async (request) => {
      inFlight.now += 1;
      inFlight.max = Math.max(inFlight.max, inFlight.now);
      // The first messages wait until all places have a request in flight.
      if (inFlight.now === 3) full.resolve(null);
      await full.promise;
      const probe = await world.receivers.send(request);
      inFlight.now -= 1;
      return probe;
    };
    const countOthers = () => hosts.slice(1).flatMap((host) => listSequences(host)).length;
    // The slow receiver responds to its first message only when the other receivers have received all of their
    // messages.
    world.receivers.handlers.set('host0.example.net', (response) => {
      const timer = setInterval(() => {
        if (countOthers() < 16) return;
        clearInterval(timer);
        response.end();
      }, 5);
      response.once('close', () => clearInterval(timer));
    });
    await change(4);
    const watches = { ...world.watchContext, send: countingSend };
    const summary = await deliverEvents({ ...world.jobContext, watches }, { inFlight: 3 });
    expect(summary).toMatchObject({ delivered: 20, retried: 0 });
    expect(inFlight.max).toBe(3);
  });

  it('delivers an alert that becomes due while receivers hang in all slow places', async () => {
    const slow = Array.from({ length: 6 }, (_, index) => `slow${index}.example.net`);
    for (const host of slow) await create(`https://${host}/hook`);
    await storeProbedEndpoint(world.context.db, world.time, { resource: OTHER_ENDPOINT });
    await createActiveWatch(world.watchContext, OTHER_ENDPOINT, { webhooks: [HOOK] });
    const { db } = world.context;
    await db.from('watch_destinations').update({ is_slow: true }).like('label', '%//slow%').throwOnError();
    const hanging: ServerResponse[] = [];
    for (const host of slow) world.receivers.handlers.set(host, (response) => void hanging.push(response));
    await change(1);
    const running = deliverEvents(world.jobContext, { inFlight: 4 });
    await expect.poll(() => hanging.length).toBe(2);
    await storeChanges(world.watchContext, OTHER_ENDPOINT, 1);
    // The slow receivers do not respond until the alert has arrived. If the run waited for these receivers, it would
    // never send the alert.
    await expect.poll(() => listSequences('one.example.net'), { timeout: 30_000 }).toEqual([2]);
    expect(hanging).toHaveLength(2);
    for (const host of slow) world.receivers.handlers.delete(host);
    for (const response of hanging) response.end();
    expect(await running).toMatchObject({ claimed: 7, delivered: 7 });
  });

  it('shares the work with an overlapping run, and no message is sent twice', async () => {
    const hosts = Array.from({ length: 4 }, (_, index) => `host${index}.example.net`);
    for (const host of hosts) await create(`https://${host}/hook`);
    await change(10);
    const runs = await Promise.all(
      ['one', 'one', 'two'].map((owner) => deliverEvents({ ...world.jobContext, owner })),
    );
    expect(runs.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(40);
    for (const host of hosts) expect(listSequences(host)).toEqual(range(2, 11));
  });
});

describe('a run whose pages are refreshed slowly', () => {
  it('sends other messages while an alert waits for its page', async () => {
    await create(HOOK);
    world.receivers.handlers.set('one.example.net', (response) => void response.writeHead(503).end());
    await change(1);
    expect(await deliver()).toMatchObject({ retried: 1 });
    world.receivers.handlers.delete('one.example.net');
    await create(OTHER_HOOK);
    await change(1);
    world.time += MINUTE_MS;
    // The page is refreshed when the repeated message has arrived.
    const onChanged = () => expect.poll(() => listSequences('one.example.net').length).toBeGreaterThan(1);
    const summary = await deliverEvents({ ...world.jobContext, onChanged });
    expect(summary).toMatchObject({ retried: 0, unrefreshed: 0 });
    expect(listSequences('two.example.net')).toEqual([2]);
  });

  it('waits once, sends all alerts, and logs the error once', async () => {
    await create(HOOK, OTHER_HOOK);
    await change(3);
    const [refreshes, errors]: [unknown[], string[]] = [[], []];
    const context = {
      ...world.jobContext,
      onChanged: (tags: readonly string[]) => new Promise<never>(() => void refreshes.push(tags)),
      logError: (message: string) => void errors.push(message),
    };
    const summary = await deliverEvents(context, { maxRefreshMs: 50 });
    expect(summary).toMatchObject({ delivered: 6, unrefreshed: 6 });
    expect(refreshes).toHaveLength(1);
    expect(errors).toEqual([expect.stringContaining('longer than 50 ms')]);
  });
});

describe('a run with missing keys', () => {
  it('delivers nothing without a cipher', async () => {
    await create(HOOK);
    await change(1);
    const { watches } = world.jobContext;
    if (!watches) throw new Error('the world has no cipher');
    for (const without of [null, { ...watches, cipher: null }]) {
      const summary = await deliverEvents({ ...world.jobContext, watches: without });
      expect(summary).toEqual(EMPTY_DELIVER_SUMMARY);
    }
    expect(await deliver()).toMatchObject({ claimed: 1, delivered: 1 });
  });

  it('delivers to the destinations that it can decrypt, and to the others when their key is back', async () => {
    const oldKey = createWatchKey();
    const oldContext = { ...world.watchContext, cipher: createCipher([oldKey]) };
    await createActiveWatch(oldContext, ENDPOINT, { webhooks: [OTHER_HOOK] });
    await create(HOOK);
    await change(2);
    const summary = await deliver();
    expect(summary).toMatchObject({ claimed: 3, delivered: 2, retried: 1, unreadable: 1 });
    expect(listSequences('one.example.net')).toEqual([2, 3]);
    expect(await deliver()).toEqual(EMPTY_DELIVER_SUMMARY);
    world.time += 5 * MINUTE_MS;
    const watches = { ...oldContext, cipher: createCipher([createWatchKey(), oldKey]) };
    expect(await deliverEvents({ ...world.jobContext, watches })).toMatchObject({ delivered: 2 });
    expect(listSequences('two.example.net')).toEqual([2, 3]);
  });
});

describe('a failing database', () => {
  it('ends the run after the requests in flight, and an unrecorded message is sent again after its lease', async () => {
    await create(HOOK);
    await change(2);
    const fetch = createFailingFetch(['record_deliveries']);
    const db = world.connect(fetch);
    await expect(deliverEvents({ ...world.jobContext, db })).rejects.toThrow('record_deliveries');
    expect(await deliver()).toEqual(EMPTY_DELIVER_SUMMARY);
    world.time += MINUTE_MS;
    expect(await deliver()).toMatchObject({ delivered: 2 });
    expect(listSequences('one.example.net')).toEqual([2, 2, 3]);
    const [first, second] = world.receivers.listEvents('one.example.net');
    expect(second).toEqual(first);
  });

  it('records the finished messages again if their record fails once, so no message is sent twice', async () => {
    await create(HOOK, OTHER_HOOK);
    await change(2);
    const fetch = createFailingFetch(['record_deliveries'], 1);
    const db = world.connect(fetch);
    await expect(deliverEvents({ ...world.jobContext, db })).rejects.toThrow('record_deliveries');
    expect(await deliver()).toMatchObject({ delivered: 2 });
    world.time += MINUTE_MS;
    expect(await deliver()).toEqual(EMPTY_DELIVER_SUMMARY);
    expect(listSequences('one.example.net')).toEqual([2, 3]);
    expect(listSequences('two.example.net')).toEqual([2, 3]);
  });
});
