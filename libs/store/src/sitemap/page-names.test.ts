import { HOUR_MS } from '@touchstone/common';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, saveSnapshots } from '../index.ts';
import {
  makeEndpoint,
  makeSnapshotRow,
  openTestDatabase,
  T0,
  type TestDatabase,
} from '../testing/fixtures.ts';
import { readPageNames } from './page-names.ts';

const PUBLIC = ['2222222222', 'aaaaaaaaaa', 'abbbbbbbbb', 'zzzzzzzzzz'];
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
  const ids = [...PUBLIC, 'hidden2222'];
  await database.discoverPartly(
    'page-names',
    T0,
    ids.map((id) => makeEndpoint(id)),
  );
  const rows = ids.map((id) => makeSnapshotRow(id, 50, { public: id !== 'hidden2222' }));
  await saveSnapshots(database.db, T0 + HOUR_MS, rows);
});
afterAll(() => database.close());

it('lists the ids of public endpoints in several ranges', async () => {
  const first = await readPageNames(database.db, { kind: 'endpoint', after: '', limit: 3 });
  const second = await readPageNames(database.db, { kind: 'endpoint', after: first.at(-1) ?? '', limit: 3 });
  expect(first).toHaveLength(3);
  expect([...first, ...second].toSorted()).toEqual(PUBLIC);
  expect(await readPageNames(database.db, { kind: 'endpoint', after: 'zzzzzzzzzz', limit: 3 })).toEqual([]);
});

it('lists the hosts of public endpoints', async () => {
  const hosts = await readPageNames(database.db, { kind: 'host', after: '', limit: 10 });
  expect(hosts).toContain(makeEndpoint('aaaaaaaaaa').host);
  expect(hosts).not.toContain(makeEndpoint('hidden2222').host);
});

it('is not available with the publishable key', async () => {
  const db = connect({ url: database.url, key: database.keys.publishable });
  await expect(readPageNames(db, { kind: 'host', after: '', limit: 1 })).rejects.toThrow('permission denied');
});
