import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { expect, it } from 'vitest';
import { pruneRows, findOutcomeSubject, recordBuyerOutcome, type NewOutcome } from '../index.ts';
import { T0, toIso, useTestDatabase } from '../testing/fixtures.ts';
import { FIRST, makeOutcome, openOutcomes, SECOND } from '../testing/outcomes.ts';
import { payerAddress, walletAddress } from '../testing/settlements.ts';

const database = useTestDatabase();
const { addEndpoint, record } = openOutcomes(database);

it('stores one outcome of each payment, and queues the endpoint for scoring', async () => {
  const id = await addEndpoint([[T0, FIRST, '1000']]);
  await database.db.from('scoring_queue').delete().eq('endpoint_id', id);
  const outcome = makeOutcome(id, { amount: '12345678901234567890' });
  const stored = {
    reason: null,
    outcome: { delivered: false, httpStatus: 502, bodySha256: null, observedAt: outcome.observedAt },
    buyers: { delivered: 0, failed: 1 },
  };
  expect(await record(outcome)).toEqual(stored);
  expect(await database.readQueue(T0 + DAY_MS)).toContain(id);
  expect(await record(outcome)).toEqual(stored);

  const corrected = {
    ...outcome,
    delivered: true,
    httpStatus: 200,
    bodySha256: 'ab',
    observedAt: toIso(T0 + 2 * HOUR_MS),
  };
  const later = { delivered: true, httpStatus: 200, bodySha256: 'ab', observedAt: corrected.observedAt };
  const buyers = { delivered: 1, failed: 0 };
  expect(await record(corrected)).toEqual({ reason: null, outcome: later, buyers });
  expect(await record(outcome)).toEqual({ reason: 'newer-outcome', outcome: later, buyers });

  const { nonce, transaction, sender, network, payer } = outcome;
  const paid = { nonce, transaction, sender, payTo: FIRST, amount: outcome.amount, paidAt: outcome.paidAt };
  const find = async (named: Partial<Parameters<typeof findOutcomeSubject>[2]>) => {
    const none = { network, payer, nonce: null, transaction: null };
    return (await findOutcomeSubject(database.db, id, { ...none, ...named }))?.payments;
  };
  expect([await find({ nonce }), await find({ transaction })]).toEqual([[paid], [paid]]);
  expect([await find({ nonce, payer: FIRST }), await find({})]).toEqual([[], []]);
});

it('counts a payment for one endpoint only, also if several name its wallet', async () => {
  const [id, other] = [await addEndpoint([[T0, FIRST, '1000']]), await addEndpoint([[T0, FIRST, '1000']])];
  const outcome = makeOutcome(id);
  expect(await record(outcome)).toMatchObject({ reason: null });
  const elsewhere = { ...outcome, endpointId: other, observedAt: toIso(T0 + 2 * HOUR_MS) };
  expect(await record(elsewhere)).toMatchObject({
    reason: 'other-endpoint',
    buyers: { delivered: 0, failed: 0 },
  });
  expect(await recordBuyerOutcome(database.db, { ...outcome, endpointId: 'zzzzzzzzzz' }, T0)).toBeNull();
});

it('compares a payment with the terms up to a day before and after it', async () => {
  const id = await addEndpoint([
    [T0, FIRST, '1000'],
    [T0 + 10 * DAY_MS, SECOND, '1000'],
    [T0 + 20 * DAY_MS, SECOND, '3000'],
  ]);
  const find = async (days: number, payTo: string, extra: Partial<NewOutcome> = {}) =>
    (await record(makeOutcome(id, { payTo, paidAt: toIso(T0 + days * DAY_MS), ...extra }), T0 + 25 * DAY_MS))
      .reason;
  const notAdvertised = 'pay-to-not-advertised';
  expect([await find(0, FIRST), await find(11, FIRST), await find(11.001, FIRST)]).toEqual([
    null,
    null,
    notAdvertised,
  ]);
  expect([await find(8.999, SECOND), await find(9, SECOND)]).toEqual([notAdvertised, null]);
  expect(await find(0, walletAddress(3))).toBe(notAdvertised);
  expect(await find(0, FIRST, { network: 'eip155:137' })).toBe(notAdvertised);

  const amount = 'amount-not-advertised';
  expect([await find(0, FIRST, { amount: '999' }), await find(0, FIRST, { amount: '1001' })]).toEqual([
    amount,
    null,
  ]);
  expect([await find(21, SECOND), await find(21.001, SECOND)]).toEqual([null, amount]);
});

it('accepts each observed wallet and at least the lowest observed price at a URL template', async () => {
  const changes = [
    [T0, FIRST, '1000'],
    [T0 + 10 * DAY_MS, SECOND, '3000'],
  ] as const;
  const id = await addEndpoint(changes, true);
  const find = async (payTo: string, amount: string) =>
    (await record(makeOutcome(id, { payTo, amount, paidAt: toIso(T0 + 20 * DAY_MS) }), T0 + 21 * DAY_MS))
      .reason;
  expect([await find(FIRST, '1000'), await find(SECOND, '3000')]).toEqual([null, null]);
  expect(await find(FIRST, '999')).toBe('amount-not-advertised');
  expect(await find(walletAddress(3), '3000')).toBe('pay-to-not-advertised');
});

it('counts each payer once, by the outcome of its latest payment of the last 30 days', async () => {
  const id = await addEndpoint([[T0, FIRST, '1000']]);
  const report = (delivered: boolean, [payer, hours]: readonly [number, number], now = T0 + DAY_MS) =>
    record(
      makeOutcome(id, { payer: payerAddress(payer), paidAt: toIso(T0 + hours * HOUR_MS), delivered }),
      now,
    );
  await report(false, [1, 3]);
  await report(true, [1, 2]);
  await report(true, [2, 2]);
  expect(await report(true, [3, 1])).toMatchObject({ buyers: { delivered: 2, failed: 1 } });
  const now = T0 + 30 * DAY_MS + 2.5 * HOUR_MS;
  expect(await report(true, [4, 100], now)).toMatchObject({ buyers: { delivered: 1, failed: 1 } });
  const facts = await database.db.rpc('delivery_facts', { p_now: toIso(now), p_endpoint_ids: [id] });
  expect(facts.data).toEqual([
    { endpoint_id: id, facts: { purchases: [], buyers: { delivered: 1, failed: 1 } } },
  ]);
  const pruned = await pruneRows(database.db, { buyer_outcomes: T0 + 50 * HOUR_MS }, 100);
  expect(pruned.buyer_outcomes).toBeGreaterThan(3);
});

it('ignores an advertised amount that is no number', async () => {
  const id = await addEndpoint([[T0, FIRST, 'abc']]);
  expect(await record(makeOutcome(id))).toMatchObject({ reason: 'amount-not-advertised' });
});
