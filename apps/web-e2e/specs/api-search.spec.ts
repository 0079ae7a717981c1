import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { readDemoWalletKey } from '../support/service-files.ts';
import { expect, test } from '../support/shared-service.ts';

/** Maximum time until the texts of all endpoints are embedded, in milliseconds. */
const EMBEDDING_TIMEOUT_MS = 180_000;

interface Match {
  readonly resource: string;
  readonly similarity: number;
  readonly score: number | null;
  readonly endpointPage: string;
}

interface Alternatives {
  readonly subject: { readonly score: number | null };
  readonly count: number;
  readonly alternatives: readonly (Match & { readonly score: number; readonly recommendation: string })[];
}

/** Buys a response of a paid operation with the demo wallet. */
async function buy<Result>(path: string, body: Readonly<Record<string, unknown>>): Promise<Result> {
  const client = new ExactEvmScheme(privateKeyToAccount(readDemoWalletKey()));
  const pay = wrapFetchWithPaymentFromConfig(fetch, { schemes: [{ network: 'eip155:8453', client }] });
  const response = await pay(`${process.env['TOUCHSTONE_URL'] ?? ''}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  // The test of the contract compares these responses with the published schemas, so the cast is safe.
  return (await response.json()) as Result;
}

const search = (body: Readonly<Record<string, unknown>>) =>
  buy<{ readonly count: number; readonly matches: readonly Match[] }>('/v1/semantic-search', body);

const toBucket = ({ similarity }: Match): number => Math.floor(similarity * 100);

/** Expects at most `limit` results above the floor, ordered by similarity and score, each with its page. */
async function expectRanked(results: readonly Match[], limit: number): Promise<void> {
  expect(results.length).toBeLessThanOrEqual(limit);
  for (const { similarity } of results) expect(similarity).toBeGreaterThanOrEqual(0.5);
  const ranks = results.map((result) => toBucket(result) * 1_000 + (result.score ?? -1));
  expect(ranks).toEqual([...ranks].sort((a, b) => b - a));
  expect(new Set(results.map(({ resource }) => resource)).size).toBe(results.length);
  for (const { endpointPage } of results.slice(0, 3)) expect((await fetch(endpointPage)).status).toBe(200);
}

test('a search finds the endpoints of a purpose, and the limit and the floor hold', async () => {
  test.setTimeout(EMBEDDING_TIMEOUT_MS + 60_000);
  const query = 'currency exchange rates';
  const find = async () => (await search({ query })).matches.map(({ resource }) => new URL(resource).host);
  await expect.poll(find, { timeout: EMBEDDING_TIMEOUT_MS }).toContain('fxline.sandbox.test');
  const all = await search({ query });
  await expectRanked(all.matches, 25);
  expect(all.count).toBe(all.matches.length);
  const first = await search({ query, limit: 1 });
  expect(first.matches).toEqual(all.matches.slice(0, 1));
});

test('alternatives have a better score and another host, and an empty list is a valid result', async () => {
  test.setTimeout(EMBEDDING_TIMEOUT_MS + 60_000);
  const resource = 'https://unknown.example/v1/rates/latest';
  const find = async () =>
    (await buy<Alternatives>('/v1/similar', { resource, minScoreDelta: 0, limit: 25 })).count;
  await expect.poll(find, { timeout: EMBEDDING_TIMEOUT_MS }).toBeGreaterThan(0);
  const found = await buy<Alternatives>('/v1/similar', { resource, minScoreDelta: 0, limit: 25 });
  await expectRanked(found.alternatives, 25);
  const [best] = found.alternatives;
  const subject = best?.resource ?? '';
  const better = await buy<Alternatives>('/v1/similar', { resource: subject, minScoreDelta: 1 });
  await expectRanked(better.alternatives, 5);
  for (const { score, recommendation, resource: other } of better.alternatives) {
    expect(score).toBeGreaterThanOrEqual((better.subject.score ?? 0) + 1);
    expect(recommendation).not.toBe('avoid');
    expect(new URL(other).host).not.toBe(new URL(subject).host);
  }
  const none = await buy<Alternatives>('/v1/similar', { resource: subject, minScoreDelta: 100 });
  expect(none).toMatchObject({ count: 0, alternatives: [] });
});
