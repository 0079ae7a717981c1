import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PaymentRequirementsSchema } from '@x402/core/schemas';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, describe, afterAll, beforeAll } from 'vitest';
import { z } from 'zod';
import { scenario, findStory } from '../testing/story-requests.ts';
import {
  createTemporaryFolder,
  toIsoTime,
  openTestSandbox,
  TEST_EPOCH,
  type TestSandbox,
} from '../testing/test-sandbox.ts';
import { readRecordedListings, parseDirectoryPage } from './directory-server.ts';

let listings: Awaited<ReturnType<typeof createTemporaryFolder>>;
beforeEach(async () => (listings = await createTemporaryFolder()));
afterEach(() => listings.remove());

async function readListings(text: string) {
  const file = join(listings.path, 'listings.jsonl');
  await writeFile(file, text);
  return readRecordedListings(file);
}

test('removes only the member that documents the recording', async () => {
  const item = { resource: 'https://a.example/x', accepts: [{ source: 'kept', amount: '1' }], odd: null };
  const lines = [JSON.stringify({ ...item, source: { repo: 'a/b' } }), '', JSON.stringify(item), ''];
  expect(await readListings(lines.join('\n'))).toEqual([JSON.stringify(item), JSON.stringify(item)]);
});

test.each(['{"a":', '[1]', 'null', '"text"'])(
  'returns the malformed line %s as a JSON string',
  async (line) => {
    expect(await readListings(`{"a":1}\n\n${line}\n`)).toEqual(['{"a":1}', JSON.stringify(line)]);
  },
);

test('fails with the name of a missing file', async () => {
  const file = join(listings.path, 'nothing.jsonl');
  await expect(readRecordedListings(file)).rejects.toThrow(`SANDBOX_LISTINGS: cannot read ${file}`);
});

function page(query: string) {
  return parseDirectoryPage(new URLSearchParams(query));
}

describe('a directory page', () => {
  test.each([
    ['', { limit: 100, offset: 0 }],
    ['type=http', { limit: 100, offset: 0 }],
    ['limit=1000&offset=2000', { limit: 1000, offset: 2000 }],
    ['limit=14', { limit: 10, offset: 0 }],
    ['limit=16', { limit: 20, offset: 0 }],
    ['limit=1', { limit: 10, offset: 0 }],
    ['limit=100&offset=150', { limit: 100, offset: 100 }],
    ['limit=100&offset=99', { limit: 100, offset: 0 }],
  ])('is parsed from the query %j', (query, expected) => {
    expect(page(query)).toEqual(expected);
  });

  test('has a limit that is a multiple of 10 and an offset that is a multiple of the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), fc.nat(100_000), (limit, offset) => {
        const found = page(`limit=${limit}&offset=${offset}`);
        if ('error' in found) throw new Error(found.error);
        expect(found.limit % 10).toBe(0);
        expect(Math.abs(found.limit - limit)).toBeLessThanOrEqual(limit < 5 ? 9 : 5);
        expect(found.offset % found.limit).toBe(0);
        expect(offset - found.offset).toBeLessThan(found.limit);
      }),
    );
  });
});

test.each([
  ['limit=0', 'limit must be a whole number from 1 to 1000; received 0'],
  ['limit=1001', 'limit must be a whole number from 1 to 1000; received 1001'],
  ['limit=-10', 'limit must be a whole number from 1 to 1000; received -10'],
  ['limit=', 'limit must be a whole number from 1 to 1000; received an empty value'],
  ['limit=1e2', 'limit must be a whole number from 1 to 1000; received 1e2'],
  ['offset=1.5', 'offset must be a whole number from 0 to 999999999; received 1.5'],
  ['type=mcp', 'type must be http'],
])('rejects %j', (query, message) => {
  expect(page(query)).toEqual({ error: message });
});

const pageSchema = z.object({
  x402Version: z.literal(2),
  items: z.array(z.looseObject({ resource: z.string(), accepts: z.array(z.json()) })),
  pagination: z.object({ limit: z.number(), offset: z.number(), total: z.number() }),
});

const recorded = {
  resource: 'https://recorded.example/x',
  type: 'http',
  x402Version: 1,
  accepts: [],
  odd: [1],
};

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
let sandbox: TestSandbox;

beforeAll(async () => {
  folder = await createTemporaryFolder();
  const listingsFile = join(folder.path, 'listings.jsonl');
  await writeFile(listingsFile, `${JSON.stringify({ ...recorded, source: { repo: 'a/b' } })}\n`);
  sandbox = await openTestSandbox({ listingsFile });
});
beforeEach(() => sandbox.setClock(TEST_EPOCH));
afterAll(async () => {
  await sandbox.close();
  await folder.remove();
});

function requestPage(query: string, init?: RequestInit) {
  return fetch(`${sandbox.ready.directoryUrl}/discovery/resources${query}`, init);
}

async function readPage(query = '?limit=1000') {
  return pageSchema.parse(await (await requestPage(query)).json());
}

async function findItem(story: string) {
  const { url } = findStory(story);
  return (await readPage()).items.find(({ resource }) => resource === url);
}

async function findItemOnDay(story: string, day: number) {
  await sandbox.setClock(toIsoTime(day));
  return findItem(story);
}

describe('paging', () => {
  test('returns every item once when offsets are multiples of the limit', async () => {
    const all = (await readPage()).items.map(({ resource }) => resource);
    const walked: string[] = [];
    for (let offset = 0; offset < all.length; offset += 20)
      walked.push(
        ...(await readPage(`?type=http&limit=20&offset=${offset}`)).items.map(({ resource }) => resource),
      );
    expect(walked).toEqual(all);
    expect(new Set(all).size).toBe(scenario.endpoints.filter(({ listed }) => listed).length);
  });

  test('rounds the limit and offset as in directories, and rejects other values', async () => {
    const total = (await readPage()).items.length;
    expect((await readPage('?limit=14&offset=25')).pagination).toEqual({ limit: 10, offset: 20, total });
    expect((await readPage('?limit=10&offset=5000')).items).toEqual([]);
    const response = await requestPage('?limit=abc');
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: expect.stringMatching(/^limit must be/) as string },
    ]);
  });

  test('accepts one path and one method', async () => {
    expect((await fetch(`${sandbox.ready.directoryUrl}/discovery`)).status).toBe(404);
    expect((await requestPage('', { method: 'POST' })).status).toBe(405);
  });
});

describe('items', () => {
  test('contain offers that the reference schema accepts', async () => {
    const offers = (await readPage()).items.flatMap(({ accepts }) => accepts);
    expect(offers.length).toBeGreaterThan(64);
    for (const offer of offers) expect(PaymentRequirementsSchema.safeParse(offer).error).toBeUndefined();
  });

  test('have the format of their protocol version', async () => {
    expect(await findItem('v1-only')).toMatchObject({
      type: 'http',
      x402Version: 1,
      accepts: [{ network: 'base', maxAmountRequired: '500', outputSchema: { input: { method: 'GET' } } }],
    });
    expect(await findItem('post-declared')).toMatchObject({
      x402Version: 2,
      description: findStory('post-declared').description,
      lastUpdated: TEST_EPOCH,
      serviceName: 'Voxscribe',
      extensions: { bazaar: { info: { input: { method: 'POST' } } } },
    });
  });

  test('keep templates unchanged, and omit an undeclared method', async () => {
    expect((await findItem('template-braces'))?.resource).toBe(
      'https://profilehub.sandbox.test/v1/users/{userId}',
    );
    expect((await findItem('template-encoded'))?.resource).toContain('%7Bid%7D');
    expect(await findItem('post-undeclared')).not.toHaveProperty('extensions');
    expect((await findItem('free-unpriced'))?.accepts).toEqual([]);
  });
});

describe('when the clock moves', () => {
  test('listings disappear, reappear and are added', async () => {
    const listedOn = async (story: string, days: number[]) => {
      const results: boolean[] = [];
      for (const day of days) results.push((await findItemOnDay(story, day)) !== undefined);
      return results;
    };
    expect(await listedOn('delisted', [8.9, 9, 13])).toEqual([true, false, false]);
    expect(await listedOn('relisted', [4.9, 5, 7.9, 8])).toEqual([true, false, false, true]);
    expect(await listedOn('newcomer', [5.9, 6])).toEqual([false, true]);
  });

  test('payment terms change, with the time of their change', async () => {
    expect(await findItemOnDay('price-spike', 12)).toMatchObject({
      accepts: [{ amount: '20000' }],
      lastUpdated: TEST_EPOCH,
    });
    expect(await findItemOnDay('price-spike', 14)).toMatchObject({
      accepts: [{ amount: '400000' }],
      lastUpdated: toIsoTime(13),
    });
    expect((await findItemOnDay('description-change', 10))?.['description']).toMatch(/security holes/);
  });

  test('the listing of a failing endpoint does not change', async () => {
    const before = await findItemOnDay('down-since-day-11', 10);
    expect(await findItemOnDay('down-since-day-11', 12)).toEqual(before);
  });
});

test('recorded items are listed last and unchanged, while the clock follows real time', async () => {
  expect((await readPage()).items.at(-1)?.resource).not.toBe(recorded.resource);
  await sandbox.setClock(null);
  const { items, pagination } = await readPage();
  expect(items.at(-1)).toEqual(recorded);
  expect(pagination.total).toBe(items.length);
});
