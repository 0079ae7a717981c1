import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { expect, it } from 'vitest';
import { pruneRows, findOutcomeSubject, recordBuyerOutcome, type NewOutcome } from '../index.ts';
import {
  makeEndpoint,
  makeId,
  makePayOn,
  makeTerms,
  T0,
  toIso,
  useTestDatabase,
} from '../testing/fixtures.ts';
import {
  makeSettlement,
  makeStep,
  openNetwork,
  payerAddress,
  walletAddress,
  type Row,
} from '../testing/settlements.ts';

const database = useTestDatabase();
const NETWORK = 'eip155:8453';
const [FIRST, SECOND] = [walletAddress(1), walletAddress(2)];

let endpoints = 0;
/** Adds an endpoint whose challenges name a wallet and a price from a time on, and changes them at later times. */
async function addEndpoint(
  changes: readonly (readonly [at: number, payTo: string, amount: string])[],
  templated = false,
): Promise<string> {
  const id = makeId((endpoints += 1));
  await database.discover(`outcomes ${id}`, T0, [makeEndpoint(id, { templated })]);
  await database.publish(id, T0);
  for (const [at, payTo, amount] of changes) {
    // Providers write addresses in mixed case.
    const options = [makePayOn({ network: NETWORK, payTo: payTo.replace('0x1', '0X1'), amount })];
    await database.observe(id, at, { terms: { ...makeTerms(amount, payTo, NETWORK), options } });
  }
  return id;
}

let nonces = 0;
const make = (endpointId: string, extra: Partial<NewOutcome> = {}): NewOutcome => {
  const nonce = `0x${(nonces += 1).toString(16).padStart(64, '0')}`;
  return {
    ...{ endpointId, nonce, network: NETWORK, payer: payerAddress(1), payTo: FIRST, amount: '1000' },
    ...{
      transaction: `0xa${nonce.slice(3)}`,
      paidAt: toIso(T0 + HOUR_MS),
      delivered: false,
      httpStatus: 502,
    },
    ...{ bodySha256: null, observedAt: toIso(T0 + HOUR_MS), signature: '0x12' },
    ...extra,
  };
};

const record = async (outcome: NewOutcome, now = T0 + DAY_MS) => {
  const result = await recordBuyerOutcome(database.db, outcome, now);
  if (result === null) throw new Error('The endpoint is unknown.');
  return result;
};

it('stores one outcome of each payment, and queues the endpoint for scoring', async () => {
  const id = await addEndpoint([[T0, FIRST, '1000']]);
  await database.db.from('scoring_queue').delete().eq('endpoint_id', id);
  const outcome = make(id, { amount: '12345678901234567890' });
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

  const { nonce, transaction, network, payer } = outcome;
  const paid = { nonce, transaction, payTo: FIRST, amount: outcome.amount, paidAt: outcome.paidAt };
  const find = async (named: Partial<Parameters<typeof findOutcomeSubject>[2]>) => {
    const none = { network, payer, nonce: null, transaction: null };
    return (await findOutcomeSubject(database.db, id, { ...none, ...named }))?.payments;
  };
  expect([await find({ nonce }), await find({ transaction })]).toEqual([[paid], [paid]]);
  expect([await find({ nonce, payer: FIRST }), await find({})]).toEqual([[], []]);
});

it('counts a payment for one endpoint only, also if several name its wallet', async () => {
  const [id, other] = [await addEndpoint([[T0, FIRST, '1000']]), await addEndpoint([[T0, FIRST, '1000']])];
  const outcome = make(id);
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
    (await record(make(id, { payTo, paidAt: toIso(T0 + days * DAY_MS), ...extra }), T0 + 25 * DAY_MS)).reason;
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

it('accepts each observed wallet and each amount at a URL template', async () => {
  const changes = [
    [T0, FIRST, '1000'],
    [T0 + 10 * DAY_MS, SECOND, '3000'],
  ] as const;
  const id = await addEndpoint(changes, true);
  const find = async (payTo: string) =>
    (await record(make(id, { payTo, amount: '1', paidAt: toIso(T0 + 20 * DAY_MS) }), T0 + 21 * DAY_MS))
      .reason;
  expect([await find(FIRST), await find(SECOND), await find(walletAddress(3))]).toEqual([
    null,
    null,
    'pay-to-not-advertised',
  ]);
});

it('counts each payer once, by the outcome of its latest payment of the last 30 days', async () => {
  const id = await addEndpoint([[T0, FIRST, '1000']]);
  const report = (delivered: boolean, [payer, hours]: readonly [number, number], now = T0 + DAY_MS) =>
    record(make(id, { payer: payerAddress(payer), paidAt: toIso(T0 + hours * HOUR_MS), delivered }), now);
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

it('does not count wallets of this service', async () => {
  const id = await addEndpoint([[T0, FIRST, '1000']]);
  const outcome = make(id, { payer: payerAddress(77) });
  await database.db.from('own_wallets').insert({ address: outcome.payer, since: toIso(T0) });
  expect(await record(outcome)).toMatchObject({ reason: 'own-wallet', buyers: { delivered: 0, failed: 0 } });
});

type Transfer = readonly [from: string, to: string, amount: bigint];

it.each<[string, readonly Transfer[], string | null]>([
  ['nothing was returned', [['pay', 'P', 1_000n]], null],
  ['everything was returned', [['P', 'pay', 1_000n]], 'payment-returned'],
  ['dust was returned', [['P', 'pay', 999n]], null],
  [
    'one of two payments was returned',
    [
      ['pay', 'P', 1_000n],
      ['pay', 'P', 1_000n],
      ['P', 'pay', 1_000n],
    ],
    null,
  ],
  [
    'a wallet that the endpoint funded sent the payment',
    [
      ['P', 'F', 5_000n],
      ['F', 'pay', 1_000n],
    ],
    'payment-returned',
  ],
  [
    'an exchange to which the seller sends its revenue sent the payer more',
    [
      ['P', 'F', 5_000n],
      ['other', 'F', 6_000n],
      ['F', 'pay', 9_000n],
    ],
    null,
  ],
  ['the seller pays itself', [], 'seller-wallet'],
])('when %s, the payer counts accordingly', async (name, transfers, reason) => {
  const id = await addEndpoint([[T0, FIRST, '1000']]);
  const network = `eip155:${String(80_000 + endpoints)}`;
  const { add, record: recordStep } = openNetwork(database, network);
  const addresses: Readonly<Record<string, string>> = {
    ...{ P: walletAddress(2 * endpoints + 1_000), F: walletAddress(2 * endpoints + 1_001) },
    ...{ pay: payerAddress(endpoints + 100), other: payerAddress(9_999) },
  };
  const toAddress = (short: string) => addresses[short] ?? '';
  const payTo = toAddress('P');
  await add(id, [payTo]);
  await add(makeId(500 + endpoints), [toAddress('F')]);
  const rows = transfers.flatMap(([from, to, amount], index): Row[] => {
    const facts = {
      payer: toAddress(from),
      amount,
      transaction: `0x${index.toString(16).padStart(64, '0')}`,
    };
    const row = makeSettlement(30, toAddress(to), facts);
    const isRead = (short: string) => short === 'P' || short === 'F';
    return [...(isRead(to) ? [row] : []), ...(isRead(from) ? [{ ...row, kind: 'sent' as const }] : [])];
  });
  await recordStep(0, makeStep(60, rows));
  const options = [makePayOn({ network, payTo })];
  await database.observe(id, T0 + 1, { terms: { ...makeTerms('1000', payTo, network), options } });
  const payer = name.includes('itself') ? payTo : toAddress('pay');
  expect(await record(make(id, { network, payTo, payer }))).toMatchObject({
    reason,
    buyers: { delivered: 0, failed: reason === null ? 1 : 0 },
  });
});
