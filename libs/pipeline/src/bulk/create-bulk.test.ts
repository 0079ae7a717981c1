import { bulkSchema, type Bulk } from '@touchstone/contract';
import { connect, StoreError } from '@touchstone/store';
import { beforeAll, expect, it } from 'vitest';
import { discover } from '../discovery/discover.ts';
import { createCountingFetch } from '../testing/counting-fetch.ts';
import { BASE, probeAndScore, readStoredReport } from '../testing/reports.ts';
import { challenge, useWorld, item } from '../testing/world.ts';
import { createBulk } from './create-bulk.ts';

const world = useWorld({ isShared: true });
const GOOD = 'http://good.example.com/v1?city=berlin';
const FAKE = 'http://fake.example.com/fake';

const toSecure = (url: string): string => url.replace('http:', 'https:');

beforeAll(async () => {
  world.items = [item(GOOD), item(FAKE)];
  world.handlers.set('/v1?city=berlin', challenge);
  world.handlers.set('/fake', (response, url) => challenge(response, url, { asset: `0x${'9'.repeat(40)}` }));
  await discover(world.context);
  await probeAndScore(world, 4);
});

const run = (resources: readonly string[], db = world.context.db) =>
  createBulk({ db, baseUrl: BASE, now: () => world.time }, resources);

const create = async (resources: readonly string[], db = world.context.db): Promise<Bulk | null> => {
  const outcome = await run(resources, db);
  return outcome.kind === 'result' ? outcome.body : null;
};

it('returns the stored scores in the order of the request, also for duplicates and other spellings', async () => {
  const unknown = 'http://unknown.example.com/';
  const spelled = 'HTTP://Good.example.com:80/v1?city=%62erlin';
  const bulk = await create([FAKE, unknown, GOOD, 'not a URL', spelled, GOOD]);
  expect(bulkSchema.parse(bulk)).toEqual(bulk);
  expect(bulk).toMatchObject({ count: 6, found: 4, generatedAt: new Date(world.time).toISOString() });
  expect(bulk?.results.map(({ resource, found }) => [resource, found])).toEqual([
    [FAKE, true],
    [unknown, false],
    [GOOD, true],
    ['not a URL', false],
    [spelled, true],
    [GOOD, true],
  ]);
  const nothing = Object.fromEntries(Object.keys(bulk?.results[1] ?? {}).map((name) => [name, null]));
  expect(bulk?.results[1]).toEqual({ ...nothing, resource: unknown, found: false });
});

it('has the verdict and the error flags of the report', async () => {
  const bulk = await create([GOOD, FAKE]);
  for (const [index, resource] of [GOOD, FAKE].entries()) {
    const { score, grade, recommendation, confidence, flags, endpointPage } = await readStoredReport(
      world,
      resource,
    );
    const errors = Object.entries(flags).filter(([, flag]) => flag.severity === 'error');
    expect(bulk?.results[index]).toMatchObject({
      ...{ score, grade, recommendation, confidence, endpointPage },
      error_flags: errors.map(([slug]) => slug),
      delivery: null,
      probed_at: new Date(world.time).toISOString(),
      computed_at: new Date(world.time).toISOString(),
    });
  }
  expect(bulk?.results.map((result) => result.error_flags?.length)).toEqual([0, expect.any(Number)]);
  expect(bulk?.results[1]?.error_flags).toContain('asset-not-usdc');
});

it('is a problem when no endpoint is found', async () => {
  const code = 'unknown-resource';
  expect(await run(['http://unknown.example.com/', 'not a URL'])).toMatchObject({ code });
  expect(await run([])).toMatchObject({ code });
});

it('names the URL of the catalog that differs only by its scheme', async () => {
  const secure = [FAKE, GOOD].map(toSecure);
  const bulk = await create([...secure, GOOD, 'http://unknown.example.com/']);
  expect(bulk?.results.map(({ found, schemeVariant }) => [found, schemeVariant])).toEqual([
    [false, FAKE],
    [false, GOOD],
    [true, null],
    [false, null],
  ]);
});

it.each([
  [
    'http URLs, which cannot be added',
    ['http://unknown.example.com/'],
    'None of these endpoints is in the catalog.',
  ],
  [
    'an https URL',
    ['https://unknown.example.com/'],
    'None of these endpoints is in the catalog. Buy a trust report on an https endpoint to add it to the catalog.',
  ],
  [
    'one URL with the other scheme',
    [toSecure(FAKE)],
    `None of these endpoints is in the catalog. Buy a trust report on an https endpoint to add it to the catalog. The catalog contains ${FAKE}, which differs only by its scheme, http or https. Request that URL.`,
  ],
  [
    'two URLs with the other scheme',
    [FAKE, GOOD].map(toSecure),
    `None of these endpoints is in the catalog. Buy a trust report on an https endpoint to add it to the catalog. The catalog contains ${FAKE} and 1 more of these endpoints with the other scheme, http or https. Request those URLs.`,
  ],
])('explains what to do about %s', async (_, resources, detail) => {
  expect(await run(resources)).toMatchObject({ detail });
});

it('reads 500 scores with one call, and the URLs with another scheme with a second call', async () => {
  const resources = Array.from({ length: 500 }, (_, index) => `http://many.example.com/${index}`);
  const calls: string[] = [];
  const db = world.connect(createCountingFetch(calls));
  expect(await create([...resources.slice(1), GOOD], db)).toMatchObject({ count: 500, found: 1 });
  expect(calls).toEqual(['bulk_scores', 'bulk_scores']);
  calls.length = 0;
  await create([GOOD, FAKE], db);
  expect(calls).toEqual(['bulk_scores']);
});

it('throws when the database fails', async () => {
  const db = connect({ url: 'http://127.0.0.1:1', key: 'none' });
  await expect(create([GOOD], db)).rejects.toThrow(StoreError);
});
