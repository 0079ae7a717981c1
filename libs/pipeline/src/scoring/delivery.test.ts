import { DAY_MS, HOUR_MS, formatTimestamp } from '@touchstone/common';
import { historySchema, type PurchaseOutcome } from '@touchstone/contract';
import { beforeEach, expect, it } from 'vitest';
import { discover } from '../discovery/discover.ts';
import { challenge, item, useWorld } from '../testing/world.ts';
import { readHistory } from '../reports/history.ts';
import { scoreEndpoints } from './score-batch.ts';

const world = useWorld();
beforeEach(async () => {
  await world.clear();
  // Purchases outlive their endpoints.
  await world.context.db.from('purchases').delete().neq('id', '').throwOnError();
});

async function list(): Promise<string> {
  world.handlers.set('/paid', challenge);
  world.items = [item(world.toUrl('/paid', 'seller'))];
  await discover(world.context);
  const { data } = await world.context.db.from('endpoints').select('id').single().throwOnError();
  return data.id;
}

/** Stores a decided purchase of the given age. `publishedAt` null: its outcome is withheld. */
async function store(
  endpointId: string,
  key: string,
  change: { outcome: PurchaseOutcome; ageMs: number; publishedAt?: null },
): Promise<void> {
  const at = formatTimestamp(world.time - change.ageMs);
  const isDelivered = change.outcome === 'delivered';
  await world.context.db
    .from('purchases')
    .insert({
      ...{
        id: `p_${key.repeat(26)}`,
        endpoint_id: endpointId,
        resource: 'https://x.example/',
        host: 'x.example',
      },
      ...{
        method: 'GET',
        requested_url: 'https://x.example/',
        network: 'eip155:8453',
        asset: '0xa',
        payer: '0xb',
      },
      ...{ pay_to: '0xc', amount: 10_000, amount_usd: 0.01, reserved_at: at, lease_until: at, nonce: key },
      ...{ answered_at: at, http_status: isDelivered ? 200 : 502, body_bytes: 9, total_ms: 820 },
      ...{
        charged: true,
        transaction: `0x${key}`,
        outcome: change.outcome,
        decided_at: at,
        publish_after: at,
      },
      published_at: change.publishedAt === null ? null : at,
    })
    .throwOnError();
}

async function score(endpointId: string) {
  const { changed } = await scoreEndpoints(world.context, [endpointId], world.time);
  const { data } = await world.context.db
    .from('snapshots')
    .select('delivery, snapshot_details (inputs)')
    .single()
    .throwOnError();
  return { changed, delivery: data.delivery, inputs: data.snapshot_details?.inputs };
}

it('reads published purchases and outcomes of buyers, which are part of the content of a page', async () => {
  const id = await list();
  const before = await score(id);
  expect(before.delivery).toBeNull();
  expect(before.inputs).not.toHaveProperty('delivery');

  await store(id, 'a', { outcome: 'paid-not-delivered', ageMs: HOUR_MS, publishedAt: null });
  expect(await score(id)).toEqual({ ...before, changed: 0 });

  await store(id, 'b', { outcome: 'delivered', ageMs: 2 * HOUR_MS });
  await store(id, 'c', { outcome: 'paid-not-delivered', ageMs: 31 * DAY_MS });
  const outcome = {
    ...{ network: 'eip155:8453', endpoint_id: id, transaction: '0xt', sender: '0xf', pay_to: '0xc' },
  };
  const at = formatTimestamp(world.time - DAY_MS);
  const times = { paid_at: at, observed_at: at, received_at: at };
  await world.context.db
    .from('buyer_outcomes')
    .insert([
      {
        ...outcome,
        ...times,
        amount: 1,
        payer: '0x1',
        nonce: '1',
        delivered: true,
        signature: '0x',
      },
      {
        ...outcome,
        ...times,
        amount: 1,
        payer: '0x2',
        nonce: '2',
        delivered: false,
        signature: '0x',
      },
      {
        ...outcome,
        ...times,
        amount: 1,
        payer: '0x3',
        nonce: '3',
        delivered: false,
        signature: '0x',
        uncounted_reason: 'own-wallet',
      },
    ])
    .throwOnError();
  const buyers = { delivered: 1, failed: 1 };
  const purchase = { id: `p_${'b'.repeat(26)}`, outcome: 'delivered', httpStatus: 200, totalMs: 820 };
  const after = await score(id);
  expect(after).toMatchObject({
    changed: 1,
    delivery: {
      ...{ state: 'delivered', buyers },
      last: { ...purchase, at: formatTimestamp(world.time - 2 * HOUR_MS), amountUsd: '0.010000' },
    },
  });
  expect(after.inputs).toMatchObject({
    delivery: { buyers, purchases: [{ ...purchase, bodyBytes: 9, transaction: '0xb' }] },
  });
});

it('publishes an event when purchases without delivery raise the flag, and again after a delivery', async () => {
  const id = await list();
  const readEvents = async () => {
    const { data } = await world.context.db
      .from('ecosystem_events')
      .select('kind, at')
      .order('at')
      .throwOnError();
    return data.map(({ kind, at }) => [kind, formatTimestamp(Date.parse(at))]);
  };
  await score(id);
  await store(id, 'g', { outcome: 'paid-not-delivered', ageMs: 2 * DAY_MS });
  await score(id);
  expect(await readEvents()).toEqual([]);

  await store(id, 'h', { outcome: 'pay-again', ageMs: DAY_MS });
  const first = ['paid-not-delivered', formatTimestamp(world.time - DAY_MS)];
  expect((await score(id)).delivery).toMatchObject({ state: 'failed' });
  await store(id, 'i', { outcome: 'pay-again', ageMs: HOUR_MS });
  await score(id);
  expect(await readEvents()).toEqual([first]);

  await store(id, 'j', { outcome: 'delivered', ageMs: 0 });
  expect((await score(id)).delivery).toMatchObject({ state: 'mixed' });
  world.time += 2 * DAY_MS;
  await store(id, 'k', { outcome: 'paid-not-delivered', ageMs: DAY_MS });
  await store(id, 'l', { outcome: 'paid-not-delivered', ageMs: 0 });
  await score(id);
  expect(await readEvents()).toEqual([first, ['paid-not-delivered', formatTimestamp(world.time)]]);
});

it('is in the history, the oldest first: published purchases of the period', async () => {
  const id = await list();
  await store(id, 'm', { outcome: 'delivered', ageMs: 40 * DAY_MS });
  for (const [index, key] of 'nopqrstuvwxy'.split('').entries())
    await store(id, key, { outcome: 'delivered', ageMs: (20 - index) * DAY_MS });
  await store(id, 'z', { outcome: 'paid-not-delivered', ageMs: HOUR_MS, publishedAt: null });
  const request = { resource: world.toUrl('/paid', 'seller'), days: 30, now: world.time };
  const all = historySchema.parse(await readHistory(world.context.db, request));
  expect(all.purchases.map((purchase) => purchase.id[2]).join('')).toBe('nopqrstuvwxy');
  expect(all.purchases[0]).toMatchObject({ outcome: 'delivered', amountUsd: '0.010000', transaction: '0xn' });
  const daily = await readHistory(world.context.db, { ...request, resolution: 'daily' });
  expect(daily?.purchases).toEqual(all.purchases.slice(-10));
});

it('keeps a failure before purchases that the seller refused without a charge', async () => {
  const id = await list();
  await store(id, 'z', { outcome: 'pay-again', ageMs: 20 * DAY_MS });
  const refused = { outcome: 'refused-uncharged' } as const;
  for (const [days, key] of 'mnopqrst'.split('').entries())
    await store(id, key, { ...refused, ageMs: days * DAY_MS });
  expect((await score(id)).delivery).toMatchObject({ last: { outcome: 'pay-again' } });
});
