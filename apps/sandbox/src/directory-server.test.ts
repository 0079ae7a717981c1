import { PaymentRequirementsSchema } from '@x402/core/schemas';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { scenario, told } from './test-endpoints.ts';
import { onDay, openTestWorld, temporaryFolder, TEST_EPOCH } from './test-world.ts';
import type { TestWorld } from './test-world.ts';

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
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let world: TestWorld;

beforeAll(async () => {
  folder = await temporaryFolder();
  const listingsFile = join(folder.path, 'listings.jsonl');
  await writeFile(listingsFile, `${JSON.stringify({ ...recorded, source: { repo: 'a/b' } })}\n`);
  world = await openTestWorld({ listingsFile });
});
beforeEach(() => world.setClock(TEST_EPOCH));
afterAll(async () => {
  await world.close();
  await folder.remove();
});

const asked = (query: string, init?: RequestInit) =>
  fetch(`${world.ready.directoryUrl}/discovery/resources${query}`, init);
const page = async (query = '?limit=1000') => pageSchema.parse(await (await asked(query)).json());
const itemOf = async (story: string) => {
  const { url } = told(story);
  return (await page()).items.find(({ resource }) => resource === url);
};
const itemOn = async (story: string, day: number) => {
  await world.setClock(onDay(day));
  return itemOf(story);
};

describe('paging', () => {
  test('an aligned walk sees every item once', async () => {
    const all = (await page()).items.map(({ resource }) => resource);
    const walked: string[] = [];
    for (let offset = 0; offset < all.length; offset += 20)
      walked.push(
        ...(await page(`?type=http&limit=20&offset=${offset}`)).items.map(({ resource }) => resource),
      );
    expect(walked).toEqual(all);
    expect(new Set(all).size).toBe(scenario.endpoints.filter(({ listed }) => listed).length);
  });

  test('says what it gave', async () => {
    const total = (await page()).items.length;
    expect((await page('')).pagination).toEqual({ limit: 100, offset: 0, total });
    expect((await page('?limit=14&offset=25')).pagination).toEqual({ limit: 10, offset: 20, total });
    expect(await page('?limit=10&offset=5000')).toMatchObject({ items: [], pagination: { offset: 5000 } });
  });

  test.each(['?limit=abc', '?limit=2000', '?offset=-1', '?type=mcp'])('refuses %s', async (query) => {
    const response = await asked(query);
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/^\{"error":"(limit|offset|type) must be [^"]+"\}$/);
  });

  test('knows one path and one method', async () => {
    expect((await fetch(`${world.ready.directoryUrl}/discovery`)).status).toBe(404);
    expect((await asked('', { method: 'POST' })).status).toBe(405);
  });
});

describe('items', () => {
  test('carry offers that the reference schema reads', async () => {
    const offers = (await page()).items.flatMap(({ accepts }) => accepts);
    expect(offers.length).toBeGreaterThan(64);
    for (const offer of offers) expect(PaymentRequirementsSchema.safeParse(offer).error).toBeUndefined();
  });

  test('have the shape of their protocol version', async () => {
    expect(await itemOf('v1-only')).toMatchObject({
      type: 'http',
      x402Version: 1,
      accepts: [{ network: 'base', maxAmountRequired: '500', outputSchema: { input: { method: 'GET' } } }],
    });
    expect(await itemOf('post-declared')).toMatchObject({
      x402Version: 2,
      description: told('post-declared').description,
      lastUpdated: TEST_EPOCH,
      serviceName: 'Voxscribe',
      extensions: { bazaar: { info: { input: { method: 'POST' } } } },
    });
  });

  test('keep a template as it was written, and a method undeclared where it is', async () => {
    expect((await itemOf('template-braces'))?.resource).toBe(
      'https://profilehub.sandbox.test/v1/users/{userId}',
    );
    expect((await itemOf('template-encoded'))?.resource).toContain('%7Bid%7D');
    expect(await itemOf('post-undeclared')).not.toHaveProperty('extensions');
    expect((await itemOf('free-unpriced'))?.accepts).toEqual([]);
  });
});

describe("as the world's clock moves", () => {
  test('listings leave, come back and appear', async () => {
    const listedOn = async (story: string, days: number[]) => {
      const seen: boolean[] = [];
      for (const day of days) seen.push((await itemOn(story, day)) !== undefined);
      return seen;
    };
    expect(await listedOn('delisted', [8.9, 9, 13])).toEqual([true, false, false]);
    expect(await listedOn('relisted', [4.9, 5, 7.9, 8])).toEqual([true, false, false, true]);
    expect(await listedOn('newcomer', [5.9, 6])).toEqual([false, true]);
  });

  test('terms follow, with the time they changed', async () => {
    expect(await itemOn('price-spike', 12)).toMatchObject({
      accepts: [{ amount: '20000' }],
      lastUpdated: TEST_EPOCH,
    });
    expect(await itemOn('price-spike', 14)).toMatchObject({
      accepts: [{ amount: '400000' }],
      lastUpdated: onDay(13),
    });
    expect((await itemOn('description-change', 10))?.['description']).toMatch(/security holes/);
  });

  test('a failing endpoint is listed as before', async () => {
    const before = await itemOn('down-since-day-11', 10);
    expect(await itemOn('down-since-day-11', 12)).toEqual(before);
  });
});

test('recorded items come last, as recorded, and only while the clock follows real time', async () => {
  expect((await page()).items.at(-1)?.resource).not.toBe(recorded.resource);
  await world.setClock(null);
  const { items, pagination } = await page();
  expect(items.at(-1)).toEqual(recorded);
  expect(pagination.total).toBe(items.length);
});
