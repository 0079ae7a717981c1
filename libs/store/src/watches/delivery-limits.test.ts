import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { MAX_DAILY_MESSAGES, MAX_DAILY_MESSAGES_PER_WATCH } from '@touchstone/contract';
import { beforeEach, expect, it } from 'vitest';
import { consumeRateLimit, type ClaimedDelivery, type DeliveryAttempt } from '../index.ts';
import { failed, openDeliveries, toAttempt } from '../testing/deliveries.ts';
import { useTestDatabase, T0 } from '../testing/fixtures.ts';
import { makeDestination } from '../testing/watches.ts';

const database = useTestDatabase();
const actions = openDeliveries(database);
beforeEach(() =>
  database.connection.driver.exec('truncate public.watches cascade; truncate public.rate_limits'),
);

const [NOW, END] = [T0 + HOUR_MS, T0 + HOUR_MS + DAY_MS];
const makeShared = (label: string) => ({ ...makeDestination(label), receiver: 'shared' });
/** Counts messages at NOW. Returns the number of messages that are left. */
const count = async (cost: number, key = 'delivery:shared', limit: number = MAX_DAILY_MESSAGES) =>
  (await consumeRateLimit(database.db, { key, cost, limit, windowSeconds: 86_400, now: NOW })).remaining;
/** Records that a claimed message is over the limit, as a worker does. */
const limit = (delivery: ClaimedDelivery, at = NOW) =>
  actions.record([toAttempt(delivery, { ...LIMITED, at, nextAttemptAt: delivery.limitedUntil })], at);
const LIMITED = { ...failed, error: 'daily-limit', httpStatus: null, outcome: 'limited' } as const;
/** Claims one delivery. */
const claimOne = async (now: number): Promise<ClaimedDelivery> => {
  const [delivery, ...others] = await actions.claim(now);
  if (delivery === undefined || others.length > 0) throw new Error('The claim must return one delivery.');
  return delivery;
};

it('counts each claimed message for its receiver and its watch, and both or none', async () => {
  const [one, other] = [
    await actions.openWatch([makeShared('a')]),
    await actions.openWatch([makeShared('b')]),
  ];
  await count(MAX_DAILY_MESSAGES - 2);
  await count(MAX_DAILY_MESSAGES_PER_WATCH - 1, `delivery:shared:${one.id}`);
  for (const { change } of [one, other]) await change(NOW);
  expect((await actions.claim(NOW)).map(({ limitedUntil }) => limitedUntil)).toEqual([null, null]);
  // The receiver has its maximum, so nothing is counted for the watch.
  expect((await actions.claim(NOW + 60_000)).map(({ limitedUntil }) => limitedUntil)).toEqual([END, END]);
  const left = (id: string) => count(0, `delivery:shared:${id}`, MAX_DAILY_MESSAGES_PER_WATCH);
  expect([await left(one.id), await left(other.id)]).toEqual([0, MAX_DAILY_MESSAGES_PER_WATCH - 1]);
  // The first watch has its maximum, so nothing is counted for the receiver.
  await count(-1);
  expect((await actions.claim(NOW + 120_000)).map(({ limitedUntil }) => limitedUntil)).toEqual([END, null]);
});

it.each([
  ['self-failure', 0],
  ['refused', 0],
  ['retry', 1],
] as const)('with the outcome %s counts %d messages', async (outcome, counted) => {
  const { change, id } = await actions.openWatch([makeShared('a')]);
  await change(NOW);
  await actions.deliver(NOW, { ...failed, outcome, nextAttemptAt: NOW + 30_000 });
  expect(await count(0)).toBe(MAX_DAILY_MESSAGES - counted);
  expect(await count(0, `delivery:shared:${id}`)).toBe(MAX_DAILY_MESSAGES - counted);
});

it('sends first to the destination that has waited longest, so no destination waits for ever', async () => {
  const watches = await Promise.all(['a', 'b', 'c'].map((label) => actions.openWatch([makeShared(label)])));
  const sent: string[] = [];
  for (let day = 0; day < 3; day += 1) {
    const now = NOW + day * DAY_MS;
    for (const { change } of watches) await change(now);
    await consumeRateLimit(database.db, {
      ...{ key: 'delivery:shared', cost: MAX_DAILY_MESSAGES - 1, limit: MAX_DAILY_MESSAGES },
      ...{ windowSeconds: 86_400, now },
    });
    // Each claim has one place, as the claims of several workers.
    for (let claim = 0; claim < 3; claim += 1) {
      const [delivery] = await actions.claim(now, 'w', { limit: 1 });
      if (delivery === undefined) throw new Error('A destination must be due.');
      if (delivery.limitedUntil !== null) await limit(delivery, now);
      else {
        sent.push(delivery.watchId);
        await actions.record([toAttempt(delivery, { at: now })], now);
      }
    }
  }
  expect(new Set(sent).size).toBe(3);
});

it('sends one limited event itself when the window has ended', async () => {
  const { change, find } = await actions.openWatch([makeShared('a')]);
  await count(MAX_DAILY_MESSAGES);
  await change(NOW);
  expect(await limit(await claimOne(NOW))).toMatchObject({ limited: 1, retried: 0 });
  expect(await find()).toMatchObject([{ failingSince: null, lastAttempt: { error: 'daily-limit' } }]);
  expect(await actions.claim(END - 1)).toEqual([]);
  const delivery = await claimOne(END);
  expect(delivery).toMatchObject({ attempt: 1, counts: null, limitedUntil: null });
  expect(delivery.entries).toMatchObject([{ sequence: 2, type: 'price_change', data: { after: {} } }]);
});

it('makes one digest of all pending entries if the first one had failed before the limit', async () => {
  const { change } = await actions.openWatch([makeShared('a')]);
  await change(NOW);
  await actions.deliver(NOW, { ...failed, outcome: 'retry', nextAttemptAt: NOW + 1 });
  await count(MAX_DAILY_MESSAGES - 1);
  await limit(await claimOne(NOW + 1), NOW + 1);
  await change(NOW + 2);
  const range = { firstSequence: 2, lastSequence: 3, attempt: 1 };
  expect(await claimOne(END)).toMatchObject({ ...range, counts: { price_change: 2 } });
});

it('makes one digest of all pending entries, which stays the same until it ends', async () => {
  const { change } = await actions.openWatch([makeShared('a')]);
  await count(MAX_DAILY_MESSAGES);
  for (const at of [NOW, NOW + 1, NOW + 2]) await change(at);
  await limit(await claimOne(NOW + 2));
  const first = await claimOne(END);
  const range = { firstSequence: 2, lastSequence: 4, lastAt: NOW + 2 };
  expect(first).toMatchObject({ ...range, counts: { price_change: 3 }, entries: [] });
  const retry: Partial<DeliveryAttempt> = { ...failed, outcome: 'retry', nextAttemptAt: END + HOUR_MS };
  await actions.record([toAttempt(first, retry)], END);
  await change(END + 1);
  const again = await claimOne(END + HOUR_MS);
  expect(again).toMatchObject({ ...range, attempt: 2, counts: { price_change: 3 } });
  await actions.record([toAttempt(again)], END + HOUR_MS);
  expect(await claimOne(END + HOUR_MS)).toMatchObject({ firstSequence: 5, attempt: 1, counts: null });
});
