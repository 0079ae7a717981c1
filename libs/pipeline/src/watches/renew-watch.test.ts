import { watchRenewedSchema, type WatchCreated, type WatchRenewed } from '@touchstone/contract';
import type { Buyer } from '@touchstone/payment';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeProbedEndpoint } from '../testing/store-endpoint.ts';
import {
  claimPurchase,
  createActiveWatch,
  createBuyer,
  createPurchase,
  useWatchWorld,
  settlePurchase,
  toCreateRequest,
} from '../testing/watch-world.ts';
import { cancelWatch } from './edit-watch.ts';
import { createWatch, readRenewed, renewWatch } from './buy-watch.ts';
import { readWatch } from './read-watch.ts';

const world = useWatchWorld();
const ENDPOINT = 'https://api.example.com/weather';
const DAY_MS = 24 * 60 * 60 * 1000;
let watch: WatchCreated;

beforeEach(async () => {
  await storeProbedEndpoint(world.context.db, world.time, { resource: ENDPOINT });
  watch = await createActiveWatch(world.watchContext, ENDPOINT);
});
const getCredentials = () => ({ id: watch.watch_id, secret: watch.secret });
const read = () => readWatch(world.watchContext, getCredentials());
const toTime = (days: number) => new Date(Date.parse(watch.expires_at) + days * DAY_MS).toISOString();

/** Prepares a renewal and settles its payment. */
async function renew(): Promise<object> {
  const buyer = createBuyer();
  const renewed = await renewWatch(world.watchContext, { id: watch.watch_id }, buyer);
  if (renewed.kind === 'problem') return renewed;
  return settle(buyer);
}

/** Settles the payment of a prepared renewal. Returns the response. */
async function settle(buyer: Buyer): Promise<WatchRenewed> {
  await settlePurchase(world.watchContext, buyer, 'renew');
  return watchRenewedSchema.parse(await readRenewed(world.watchContext, buyer));
}

describe('a renewal', () => {
  it('changes nothing before its payment is settled, and then states the new end', async () => {
    const buyer = createBuyer();
    await renewWatch(world.watchContext, { id: watch.watch_id }, buyer);
    expect(await read()).toMatchObject({ body: { expires_at: toTime(0) } });
    await expect(readRenewed(world.watchContext, buyer)).rejects.toThrow('not applied');
    expect(await settle(buyer)).toMatchObject({ status: 'active', expires_at: toTime(30) });
    expect(await read()).toMatchObject({ body: { expires_at: toTime(30) } });
  });

  it('states its own end if five renewals are settled at the same time', async () => {
    const buyers = Array.from({ length: 5 }, createBuyer);
    const context = world.watchContext;
    await Promise.all(buyers.map((buyer) => renewWatch(context, { id: watch.watch_id }, buyer)));
    const renewed = await Promise.all(buyers.map(settle));
    const ends = renewed.map(({ expires_at: end }) => end).toSorted();
    expect(ends).toEqual([30, 60, 90, 120, 150].map(toTime));
    expect(await read()).toMatchObject({ body: { expires_at: toTime(150) } });
  });

  it('is not possible eight days after the end, or after a cancellation', async () => {
    world.time += 38 * DAY_MS;
    expect(await renew()).toMatchObject({ code: 'watch-not-renewable' });
    world.time -= 38 * DAY_MS;
    await cancelWatch(world.watchContext, getCredentials());
    expect(await renew()).toMatchObject({ code: 'watch-not-renewable' });
  });

  it('fails if another request has taken over its payment', async () => {
    const buyer = createBuyer();
    await claimPurchase(world.watchContext, { ...buyer, owner: 'successor' }, 'renew');
    const renewing = renewWatch(world.watchContext, { id: watch.watch_id }, buyer);
    await expect(renewing).rejects.toThrow('another request took over the payment');
  });

  it('is not possible for an unknown watch, or for a watch that is not paid', async () => {
    const unknown = { code: 'watch-not-found' };
    const id = `w_${'a'.repeat(26)}`;
    expect(await renewWatch(world.watchContext, { id }, createBuyer())).toMatchObject(unknown);
    const pending = await createWatch(world.watchContext, toCreateRequest(ENDPOINT), createPurchase());
    if (pending.kind === 'problem') throw new Error(pending.detail);
    const request = { id: pending.body.watch_id };
    expect(await renewWatch(world.watchContext, request, createBuyer())).toMatchObject(unknown);
  });
});
