import { semanticSearchSchema, similarSchema, type SemanticSearch, type Similar } from '@touchstone/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { discover } from '../discovery/discover.ts';
import { createTrustReport } from '../reports/trust-report.ts';
import { startEmbedderProcess } from '../testing/embedder-process.ts';
import {
  createTestReportContext,
  expectReport,
  probeAndScore,
  toEndpointId,
  BASE,
} from '../testing/reports.ts';
import { challenge, useWorld, item } from '../testing/world.ts';
import { findAlternatives } from './find-alternatives.ts';
import { refreshSearch } from './refresh-search.ts';
import { searchEndpoints } from './search-endpoints.ts';
import type { SearchContext } from './search-context.ts';

const world = useWorld({ isShared: true });
// Runs with the real model in its own process, the real probes and the real formula.

const AVOIDED = 'http://swapped.example.com/forecast';
const FORECASTS = [
  ['http://skies.example.com/seven-days', 'Seven day weather forecast with rain probability for any city'],
  ['http://meteo.example.com/now', 'Current temperature, wind and precipitation by coordinates'],
] as const;
const OTHERS = [
  ['http://coins.example.com/price', 'Spot price and liquidity of a crypto token by contract address'],
  ['http://mail.example.com/check', 'Checks whether an email address is deliverable'],
] as const;
/** Endpoint that is found by the words of its URL. */
const UNDESCRIBED = 'http://stormwatch.example.com/v2/weather/forecast/hourly';

let search: SearchContext;
let closeEmbedder: () => Promise<void>;

beforeAll(async () => {
  const { embedder, close } = await startEmbedderProcess();
  closeEmbedder = close;
  search = { db: world.context.db, embedder, baseUrl: BASE };
  world.items = [
    item(AVOIDED, { description: 'Weather forecast for a city: temperature and rain of the next days' }),
    ...[...FORECASTS, ...OTHERS].map(([resource, description]) => item(resource, { description })),
    item(UNDESCRIBED, { description: undefined }),
  ];
  await discover(world.context);
  for (const listed of [AVOIDED, UNDESCRIBED, ...[...FORECASTS, ...OTHERS].map(([resource]) => resource)])
    world.handlers.set(new URL(listed).pathname, challenge);
  await probeAndScore(world, 4);
  world.handlers.set('/forecast', (response, url) =>
    challenge(response, url, { payTo: `0x${'2'.repeat(40)}` }),
  );
  await probeAndScore(world, 1);
  await refreshSearch({ ...world.context, embedder });
});
afterAll(async () => {
  await closeEmbedder();
});

const listHosts = (found: SemanticSearch['matches'] | Similar['alternatives']): string[] =>
  found.map(({ resource }) => new URL(resource).hostname.split('.')[0] ?? '');

async function find(resource: string): Promise<Similar> {
  const outcome = await findAlternatives(search, { resource, limit: 5, minScoreDelta: 5 });
  if (outcome.kind === 'problem') throw new Error(outcome.detail);
  return similarSchema.parse(outcome.body);
}

it('names other endpoints for the purpose of one that the report says to avoid', async () => {
  const context = createTestReportContext(world);
  const report = expectReport(await createTrustReport(context, { resource: AVOIDED }));
  expect(report.recommendation).toBe('avoid');
  const { subject, count, alternatives } = await find(AVOIDED);
  expect(subject).toMatchObject({ recommendation: 'avoid', score: report.score });
  expect(new Set(listHosts(alternatives))).toEqual(new Set(['skies', 'meteo', 'stormwatch']));
  for (const { score } of alternatives) expect(score).toBeGreaterThanOrEqual(report.score + 5);

  // The page states the same number.
  const store = world.publicStore;
  expect(await store.snapshot(toEndpointId(AVOIDED))).toMatchObject({ betterAlternatives: count });
  expect(world.changedIds).toContain(toEndpointId(AVOIDED));
});

it('names endpoints for the words of a URL that is not in the catalog', async () => {
  const { subject, alternatives } = await find('https://unlisted.example.org/api/v1/weather/{city}/forecast');
  expect(subject.score).toBeNull();
  expect(listHosts(alternatives)).toContain('skies');
  expect(listHosts(alternatives)).not.toContain('coins');
});

it('finds endpoints by a description in other words', async () => {
  const outcome = await searchEndpoints(search, { query: 'will it rain tomorrow', limit: 3 });
  if (outcome.kind === 'problem') throw new Error(outcome.detail);
  const { matches } = semanticSearchSchema.parse(outcome.body);
  expect(listHosts(matches)).not.toContain('coins');
  expect(listHosts(matches)).toContain('skies');
});
