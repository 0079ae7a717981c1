import { DAY_MS, MINUTE_MS } from '@touchstone/common';
import { CHECK_EXAMPLE } from '@touchstone/contract/operations/check/response';
import { expect, test } from 'vitest';
import { pruneRows } from '../index.ts';
import { T0, useTestDatabase } from '../testing/fixtures.ts';
import { findCheck, storeCheck, type KeptCheck } from './checks.ts';

const database = useTestDatabase();

const GET = { resource: 'https://api.example.com/v1/weather', method: 'GET' };
const { code: _, ...EXAMPLE } = CHECK_EXAMPLE;

function createKept(checkedAt: number, headline = 'Agents pay.'): KeptCheck {
  return { check: { ...EXAMPLE, checkedAt: new Date(checkedAt).toISOString(), headline }, repair: null };
}

const readHeadline = async (key: { resource: string; method: string | null }, after: number) =>
  (await findCheck(database.db, key, after))?.check.headline ?? null;

test('keeps the newest result of each URL and requested method', async () => {
  await storeCheck(database.db, GET, createKept(T0, 'first'));
  await storeCheck(database.db, { ...GET, method: null }, createKept(T0, 'by default'));
  await storeCheck(database.db, GET, createKept(T0 + MINUTE_MS, 'second'));
  // The result of a check that began earlier arrives later.
  await storeCheck(database.db, GET, createKept(T0 + 1, 'late'));
  expect(await readHeadline(GET, T0 - 1)).toBe('second');
  expect(await readHeadline(GET, T0 + MINUTE_MS)).toBeNull();
  expect(await readHeadline({ ...GET, method: null }, T0 - 1)).toBe('by default');
  expect(await readHeadline({ ...GET, method: 'POST' }, T0 - 1)).toBeNull();
});

test('keeps the repaired route with its options', async () => {
  const option = {
    network: 'eip155:8453',
    price: '$0.01',
    payTo: '0x1',
    maxTimeoutSeconds: null,
    remarks: [],
  };
  const domain = { name: 'EURC', version: '2' };
  const repair: KeptCheck['repair'] = {
    route: {
      ...{ method: 'GET', url: GET.resource, description: null, mimeType: 'text/plain', isForBrowsers: true },
      options: [option, { ...option, price: { asset: '0x2', amount: '5', domain } }],
      remarks: ['Keep your options.'],
    },
    ...{ repairs: ['v2-json'], recognizedStack: 'hono' },
  };
  await storeCheck(database.db, GET, { ...createKept(T0 + 2 * MINUTE_MS), repair });
  expect((await findCheck(database.db, GET, T0))?.repair).toEqual(repair);
});

test('deletes the oldest results above the limit, and expired results', async () => {
  const count = async () =>
    (await database.db.from('checks').select('*', { count: 'exact', head: true })).count;
  const store = (at: number, rowLimit: number) =>
    database.db.rpc('store_check', {
      ...{ p_resource: `https://example.com/${at}`, p_method: '', p_result: {}, p_row_limit: rowLimit },
      p_checked_at: new Date(T0 + at).toISOString(),
    });
  for (const at of [DAY_MS, DAY_MS + 1, DAY_MS + 2]) expect((await store(at, 3)).error).toBeNull();
  expect(await count()).toBe(3);
  expect(await readHeadline(GET, T0)).toBeNull();
  const before = T0 + DAY_MS + 1;
  expect(await pruneRows(database.db, { checks: before }, 100)).toMatchObject({ checks: 1 });
  expect(await count()).toBe(2);
});
