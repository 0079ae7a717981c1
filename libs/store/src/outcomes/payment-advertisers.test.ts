import { DAY_MS } from '@touchstone/common';
import { expect, it } from 'vitest';
import { findPaymentAdvertisers } from '../index.ts';
import { makePayOn, T0, toIso, useTestDatabase } from '../testing/fixtures.ts';
import { FIRST, NETWORK, openOutcomes, SECOND } from '../testing/outcomes.ts';

const database = useTestDatabase();
const { addEndpoint } = openOutcomes(database);

const find = async (payTo: string, days: number, { amount = 1_000n, limit = 5 } = {}) => {
  const payment = { network: NETWORK, payTo, amount, at: T0 + days * DAY_MS };
  return (await findPaymentAdvertisers(database.db, payment, limit)).map(({ resource }) => resource);
};
const readResource = async (id: string): Promise<string> => {
  const { data } = await database.db.from('endpoints').select('resource').eq('id', id).single();
  return String(data?.resource);
};

it('finds the public endpoints that asked for a wallet then, those with the price first', async () => {
  const cheap = await addEndpoint([
    [T0, FIRST, '1000'],
    [T0 + 10 * DAY_MS, SECOND, '1000'],
  ]);
  const dear = await addEndpoint([[T0, SECOND, '5000']]);
  const payOn = [makePayOn({ network: NETWORK, payTo: SECOND })];
  for (const id of [cheap, dear]) await database.publish(id, T0 + 11 * DAY_MS, { snapshot: { payOn } });
  const [first, second] = [await readResource(cheap), await readResource(dear)];
  expect([await find(FIRST, 9), await find(FIRST, 12), await find(FIRST, 9, { amount: 7n })]).toEqual([
    [first],
    [],
    [first],
  ]);
  expect(await find(SECOND, 12, { amount: 5_000n })).toEqual([second, first]);
  expect(await find(SECOND, 12, { amount: 5_000n, limit: 1 })).toEqual([second]);
  await database.db
    .from('opt_outs')
    .insert({ host: new URL(second).host, claim_id: 'c', opted_out_at: new Date(T0).toISOString() });
  expect(await find(SECOND, 12, { amount: 5_000n })).not.toContain(second);
});

it('finds a replaced wallet without reading all changes of the month', async () => {
  const id = await addEndpoint([
    [T0, FIRST, '1000'],
    [T0 + DAY_MS, SECOND, '1000'],
  ]);
  await database.publish(id, T0 + DAY_MS, {
    snapshot: { payOn: [makePayOn({ network: NETWORK, payTo: SECOND })] },
  });
  const other = await addEndpoint([[T0, SECOND, '1000']]);
  const { driver } = database.connection;
  await driver.exec(
    `insert into public.changes (endpoint_id, at, kind, before)
    select '${other}', '${toIso(T0 + 2 * DAY_MS)}'::timestamptz + i * interval '1 minute', 'payto_change',
      jsonb_build_object('options', jsonb_build_array(jsonb_build_object(
        'network', '${NETWORK}', 'payTo', '0x' || lpad(to_hex(i), 40, 'b'), 'amount', '1000', 'note', repeat('x', 300))))
    from generate_series(1, 10000) i`,
  );
  const search = `select public.payment_advertisers('${NETWORK}', '${FIRST}', '1000', '${toIso(T0)}', 5)`;
  expect(await find(FIRST, 0)).toContain(await readResource(id));
  await driver.exec(search);
  const { rows } = await driver.query<{ 'QUERY PLAN': [{ Plan: Readonly<Record<string, number>> }] }>(
    `explain (analyze, buffers, format json) ${search}`,
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  // The changes have about 700 blocks.
  expect((plan?.['Shared Hit Blocks'] ?? NaN) + (plan?.['Shared Read Blocks'] ?? NaN)).toBeLessThan(400);
});
