import { describe, expect, it } from 'vitest';
import { discover } from '../discovery/discover.ts';
import { BASE, expectValidReport, probeAndScore, toEndpointId } from '../testing/reports.ts';
import { challenge, useWorld, item } from '../testing/world.ts';
import { createPreview } from './preview.ts';

const world = useWorld();
const url = (path: string): string => world.toUrl(path);
const advance = (halfHours: number) => probeAndScore(world, halfHours);

describe('the preview', () => {
  it('ranks all graded endpoints on a new service with low confidence', async () => {
    const paths = ['/fine', '/other', '/third'];
    for (const path of paths) world.handlers.set(path, challenge);
    world.items = paths.map((path) => item(url(path)));
    await discover(world.context);
    await advance(1);
    const { population, populationSize, populationRule, samples } = await createPreview(world.context.db, {
      baseUrl: BASE,
      vantage: 'Test lab',
      generatedAt: world.time,
    });
    expect(populationRule).toContain('fewer than three');
    // The population also includes endpoints of the previous tests, which have the same low confidence.
    expect(population).toBeGreaterThanOrEqual(3);
    expect(populationSize).toBe(population);
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
    world.handlers.set('/flaky', (response) => response.writeHead(500).end());
    world.handlers.set('/broken', (response, at) => challenge(response, at, { amount: '-5' }));
    world.items = paths.map((path) => item(url(path)));
    await discover(world.context);
    await advance(2);
    world.handlers.set('/flaky', challenge);
    await advance(2);
    // Sets the confidence that endpoints have after weeks of probes.
    const ids = paths.map((path) => toEndpointId(url(path)));
    await world.context.db
      .from('snapshots')
      .update({ confidence: 0.9 })
      .in('endpoint_id', ids)
      .throwOnError();
    const { population, samples } = await createPreview(world.context.db, {
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
