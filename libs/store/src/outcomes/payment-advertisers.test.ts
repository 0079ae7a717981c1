import { DAY_MS } from '@touchstone/common';
import { expect, it } from 'vitest';
import { findPaymentAdvertisers } from '../index.ts';
import { makePayOn, T0, useTestDatabase } from '../testing/fixtures.ts';
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
