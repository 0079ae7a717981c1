import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { expect, it } from 'vitest';
import { recheckBuyerOutcomes } from '../index.ts';
import { makeId, makePayOn, makeTerms, T0, toIso, useTestDatabase } from '../testing/fixtures.ts';
import { FIRST, makeOutcome, NETWORK, openOutcomes } from '../testing/outcomes.ts';
import {
  makeSettlement,
  makeStep,
  openNetwork,
  payerAddress,
  walletAddress,
  type Row,
} from '../testing/settlements.ts';

const database = useTestDatabase();
const { addEndpoint, record } = openOutcomes(database);

it('does not count a payment whose transaction the payer sent', async () => {
  const id = await addEndpoint([[T0, FIRST, '1000']]);
  const reason = 'not-settled-by-seller';
  const outcome = makeOutcome(id, { sender: payerAddress(1) });
  expect(await record(outcome)).toMatchObject({ reason, buyers: { delivered: 0, failed: 0 } });
});

it.each([
  [400, 'request-rejected'],
  [499, 'request-rejected'],
  [402, null],
  [500, null],
  [null, null],
])('with the status %j of a failure, the reason is %j', async (httpStatus, reason) => {
  const id = await addEndpoint([[T0, FIRST, '1000']]);
  expect(await record(makeOutcome(id, { httpStatus }))).toMatchObject({ reason });
});

it('counts a failure also if the endpoint then advertises the wallet of the payer', async () => {
  const id = await addEndpoint([[T0, FIRST, '1000']]);
  const outcome = makeOutcome(id);
  await record(outcome);
  const wallets = [FIRST, outcome.payer];
  const options = wallets.map((payTo) => makePayOn({ network: NETWORK, payTo, amount: '1000' }));
  const terms = { ...makeTerms('1000', FIRST, NETWORK), payTo: { [`${NETWORK}|0xusdc`]: wallets }, options };
  await database.observe(id, T0 + 2 * HOUR_MS, { terms });
  expect(await record(outcome)).toMatchObject({ reason: null, buyers: { failed: 1 } });
  const later = makeOutcome(id, { paidAt: toIso(T0 + 3 * HOUR_MS) });
  expect(await record(later)).toMatchObject({ reason: 'seller-wallet', buyers: { failed: 1 } });
});

it('does not count wallets of this service', async () => {
  const id = await addEndpoint([[T0, FIRST, '1000']]);
  const outcome = makeOutcome(id, { payer: payerAddress(77) });
  await database.db.from('own_wallets').insert({ address: outcome.payer, since: toIso(T0) });
  expect(await record(outcome)).toMatchObject({ reason: 'own-wallet', buyers: { delivered: 0, failed: 0 } });
});

let networks = 0;

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
  const number = (networks += 1);
  const network = `eip155:${String(80_000 + number)}`;
  const { add, record: recordStep } = openNetwork(database, network);
  const addresses: Readonly<Record<string, string>> = {
    ...{ P: walletAddress(2 * number + 1_000), F: walletAddress(2 * number + 1_001) },
    ...{ pay: payerAddress(number + 100), other: payerAddress(9_999) },
  };
  const toAddress = (short: string) => addresses[short] ?? '';
  const payTo = toAddress('P');
  await add(id, [payTo]);
  await add(makeId(500 + number), [toAddress('F')]);
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
  expect(await record(makeOutcome(id, { network, payTo, payer }))).toMatchObject({
    reason,
    buyers: { delivered: 0, failed: reason === null ? 1 : 0 },
  });
});

it('decides again once an hour which outcomes count, and queues the endpoint for scoring after a change', async () => {
  const id = await addEndpoint([[T0, FIRST, '1000']]);
  const outcome = makeOutcome(id, { payer: payerAddress(55) });
  await record(outcome, T0 + DAY_MS);
  await database.db.from('own_wallets').insert({ address: outcome.payer, since: toIso(T0) });
  const recheck = async (now: number) => {
    await database.db.from('scoring_queue').delete().eq('endpoint_id', id);
    await recheckBuyerOutcomes(database.db, { now, limit: 1_000 });
    const facts = await database.db.rpc('delivery_facts', { p_now: toIso(now), p_endpoint_ids: [id] });
    return [facts.data?.length, (await database.readQueue(now)).includes(id)];
  };
  const hour = T0 + DAY_MS + HOUR_MS;
  expect(await recheck(hour - 1)).toEqual([1, false]);
  expect(await recheck(hour)).toEqual([0, true]);
  expect(await recheck(hour + HOUR_MS)).toEqual([0, false]);
  await recheck(T0 + 40 * DAY_MS);
  const checks = await database.db.from('outcome_checks').select().eq('endpoint_id', id);
  expect(checks.data).toEqual([]);
});

it('reads only the transfers of payers that reported, and not all transfers of the wallets', async () => {
  const id = await addEndpoint([[T0, FIRST, '1000']]);
  for (let payer = 0; payer < 20; payer += 1)
    await record(makeOutcome(id, { payer: payerAddress(2_000 + payer) }));
  const { driver } = database.connection;
  const values = `select '${NETWORK}', '${FIRST}', '${toIso(T0)}'::date - i % 25, '0x' || lpad(to_hex(i), 40, 'b')`;
  await driver.exec(`insert into public.wallet_payer_days ${values}, 1, 10 from generate_series(1, 40000) i`);
  await driver.exec(`insert into public.wallet_sent_days ${values}, 10 from generate_series(1, 40000) i`);
  await driver.exec('analyze public.wallet_payer_days, public.wallet_sent_days');
  const decide = `select internal.decide_outcomes('${id}', '${toIso(T0 + DAY_MS)}', null)`;
  // The first call also reads the catalogs, to plan the query.
  await driver.exec(decide);
  const { rows } = await driver.query<{ 'QUERY PLAN': [{ Plan: Readonly<Record<string, number>> }] }>(
    `explain (analyze, buffers, format json) ${decide}`,
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  // The tables have about 1,800 blocks.
  expect((plan?.['Shared Hit Blocks'] ?? NaN) + (plan?.['Shared Read Blocks'] ?? NaN)).toBeLessThan(500);
});
