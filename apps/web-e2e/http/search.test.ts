import { beforeAll, expect, it } from 'vitest';
import { pay } from '../support/payment/buyer.ts';
import { waitUntilSearchable } from '../support/searchable.ts';

/** Endpoint with a changed payTo address, which a report recommends to avoid. */
const AVOIDED = 'https://mintcheck.sandbox.test/v1/nft/rarity';

interface Match {
  readonly resource: string;
  readonly similarity: number;
  readonly endpointPage: string;
}

interface Alternatives {
  readonly subject: { readonly score: number | null; readonly recommendation: string | null };
  readonly count: number;
  readonly alternatives: readonly (Match & { readonly score: number; readonly recommendation: string })[];
}

/** Buys a response of a paid operation. */
async function buy<Result>(path: string, body: Readonly<Record<string, unknown>>): Promise<Result> {
  const response = await pay(path, body);
  expect(response.status).toBe(200);
  // The test of the contract compares these responses with the published schemas, so the cast is safe.
  return (await response.json()) as Result;
}

const search = (body: Readonly<Record<string, unknown>>) =>
  buy<{ readonly count: number; readonly matches: readonly (Match & { readonly id: string })[] }>(
    '/v1/semantic-search',
    body,
  );

const findAlternatives = (body: Readonly<Record<string, unknown>>) => buy<Alternatives>('/v1/similar', body);

/** Expects 1 to `limit` different results above the floor, best first, each with its page. */
async function expectRanked(results: readonly Match[], limit: number, floor: number): Promise<void> {
  expect(results.length).toBeGreaterThan(0);
  expect(results.length).toBeLessThanOrEqual(limit);
  // Results of the same whole percentage are ordered by their score.
  const percents = results.map(({ similarity }) => Math.floor(Math.round(similarity * 10_000) / 100));
  expect(percents).toEqual(percents.toSorted((a, b) => b - a));
  expect(results.at(-1)?.similarity).toBeGreaterThanOrEqual(floor);
  expect(new Set(results.map(({ resource }) => resource)).size).toBe(results.length);
  for (const { endpointPage } of results.slice(0, 3)) expect((await fetch(endpointPage)).status).toBe(200);
}

const listHosts = (results: readonly Match[]): string[] =>
  results.map(({ resource }) => new URL(resource).host);

beforeAll(waitUntilSearchable);

it('a search finds the endpoints of a purpose, and the limit and the floor hold', async () => {
  const query = 'currency exchange rates';
  const all = await search({ query, limit: 25 });
  expect(listHosts(all.matches)).toContain('fxline.sandbox.test');
  await expectRanked(all.matches, 25, 0.5);
  expect(all.count).toBe(all.matches.length);
  for (const { id, endpointPage } of all.matches) expect(endpointPage).toMatch(new RegExp(`-${id}$`));
  const first = await search({ query, limit: 1 });
  expect(first.matches).toEqual(all.matches.slice(0, 1));
});

it('a buyer of a report that says avoid gets better endpoints for the same purpose', async () => {
  const report = await buy<{ readonly recommendation: string; readonly score: number }>('/v1/x402-trust', {
    resource: AVOIDED,
  });
  expect(report.recommendation).toBe('avoid');
  const { subject, count, alternatives } = await findAlternatives({ resource: AVOIDED, limit: 10 });
  expect(subject).toMatchObject({ score: report.score, recommendation: 'avoid' });
  expect(listHosts(alternatives)).toContain('rarelens.sandbox.test');
  await expectRanked(alternatives, 10, 0.55);
  for (const { score, recommendation } of alternatives) {
    expect(score).toBeGreaterThanOrEqual(report.score + 5);
    expect(recommendation).not.toBe('avoid');
  }
  expect(listHosts(alternatives)).not.toContain(new URL(AVOIDED).host);
  expect(count).toBe(alternatives.length);
});

it('an endpoint outside the catalog has alternatives, and an empty list is a valid result', async () => {
  const unknown = await findAlternatives({
    resource: 'https://unknown.example/v1/rates/latest',
    minScoreDelta: 0,
    limit: 25,
  });
  expect(unknown.subject.score).toBeNull();
  expect(listHosts(unknown.alternatives)).toContain('fxline.sandbox.test');
  await expectRanked(unknown.alternatives, 25, 0.55);
  const none = await findAlternatives({ resource: AVOIDED, minScoreDelta: 100 });
  expect(none).toMatchObject({ count: 0, alternatives: [] });
});
