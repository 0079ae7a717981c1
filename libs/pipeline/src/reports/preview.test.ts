import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { connect } from '@touchstone/store';
import { discover } from '../discovery/discover.ts';
import { BASE, expectValidReport, probeAndScore } from '../testing/reports.ts';
import { challenge, createWorld, item, type World } from '../testing/world.ts';
import { createPreview } from './preview.ts';

const keys = createKeys();
let database: EmbeddedDatabase;
let world: World;
let tests = 0;

beforeAll(async () => {
  database = await startMigrated({ keys });
});
afterAll(() => database.close());
beforeEach(async () => {
  tests += 1;
  world = await createWorld({ url: database.url, secret: keys.secret }, Date.UTC(2026, tests, 1));
});
afterEach(() => world.close());

const url = (path: string): string => `http://p${tests}.example.com${path}`;
const advance = (halfHours: number) => probeAndScore(world, halfHours);

describe('the preview', () => {
  it('ranks all graded endpoints on a new service with low confidence', async () => {
    const paths = ['/fine', '/other', '/third'];
    for (const path of paths) world.handlers.set(path, challenge);
    world.items = paths.map((path) => item(url(path)));
    await discover(world.context);
    await advance(1);
    const { population, populationRule, samples } = await createPreview(
      connect({ url: database.url, key: keys.secret }),
      { baseUrl: BASE, vantage: 'Test lab', generatedAt: world.time },
    );
    expect(populationRule).toContain('fewer than three');
    // The population also includes endpoints of the previous tests, which have the same low confidence.
    expect(population).toBeGreaterThanOrEqual(3);
    expect(samples.map(({ role, populationRank }) => [role, populationRank])).toEqual([
      ['best', 1],
      ['median', Math.floor((population + 1) / 2)],
      ['worst', population],
    ]);
    for (const { report } of samples) expect(report.confidence).toBeLessThan(0.3);
  });

  it('has complete reports on the best, median and worst endpoint with sufficient confidence', async () => {
    const paths = ['/fine', '/flaky', '/broken'];
    world.handlers.set('/fine', challenge);
    world.handlers.set('/broken', (response, at) => challenge(response, at, { amount: '-5' }));
    world.items = paths.map((path) => item(url(path)));
    await discover(world.context);
    for (let half = 0; half < 12; half += 1) {
      world.handlers.set('/flaky', half % 3 === 0 ? (response) => response.writeHead(500).end() : challenge);
      await advance(10);
    }
    const { population, samples } = await createPreview(connect({ url: database.url, key: keys.secret }), {
      baseUrl: BASE,
      vantage: 'Test lab',
      generatedAt: world.time,
    });
    expect(samples.map(({ role }) => role)).toEqual(['best', 'median', 'worst']);
    expect(samples.map(({ populationRank }) => populationRank)).toEqual([
      1,
      Math.floor((population + 1) / 2),
      population,
    ]);
    const bounds = samples.map(({ report }) => report.scoreRange.low);
    expect(bounds).toEqual([...bounds].sort((one, other) => other - one));
    for (const { report } of samples) expectValidReport(report);
  });
});
