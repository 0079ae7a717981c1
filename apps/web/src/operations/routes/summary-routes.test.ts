import { generateKeyPairSync } from 'node:crypto';
import { endpointSummariesSchema, endpointSummarySchema } from '@touchstone/contract';
import { verifySignature } from '@touchstone/trust';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { SNAPSHOT_ROW } from '../../testing/database-rows.ts';
import { OPTED_OUT_ID, REMOVED_ID, useTestDatabase } from '../../testing/test-database.ts';

const SLUG = SNAPSHOT_ROW.slug;
const RESOURCE = encodeURIComponent(SNAPSHOT_ROW.resource);
const { database, getModules } = useTestDatabase(async () => {
  const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  vi.stubEnv('REPORT_SIGNING_KEYS', JSON.stringify(key));
  return {
    ...(await import('./summary-routes.ts')),
    ...(await import('../../platform/config/configured-keys.ts')),
  };
});
beforeEach(() => database.reset());

const find = (query: string) =>
  Promise.resolve(
    getModules().summaryRoute.GET(new Request(`https://touchstone.example/v1/x402-summary?${query}`)),
  );

const read = (path: string) =>
  Promise.resolve(getModules().endpointSummaryRoute.GET(new Request(`https://touchstone.example${path}`)));

describe('/v1/x402-summary', () => {
  it('responds with a signed summary that caches may store for a minute', async () => {
    const response = await find(`resource=${RESOURCE}&payTo=0xAb&network=eip155%3A8453`);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=60');
    expect(response.headers.get('ratelimit-policy')).toMatch(/^"summary";/);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const summary = endpointSummarySchema.parse(await response.json());
    expect(summary).toMatchObject({
      requested: { resource: SNAPSHOT_ROW.resource, payTo: '0xAb', network: 'eip155:8453' },
      match: 'exact',
      payTo: {
        address: '0xAb',
        network: 'eip155:8453',
        observed: false,
        current: false,
        varies: false,
        ...{ changedAt: null, before: null },
      },
      endpoint: { endpointId: 'xvdduuxtfa', grade: 'A', priceRange30d: null },
    });
    const keys = await getModules().getSigningKeys();
    const check = await verifySignature(summary, keys?.published ?? { keys: [] }, globalThis.crypto.subtle);
    expect(check.outcome).toBe('valid');
  });

  it('signs the statement that an endpoint is unknown', async () => {
    const response = await find('resource=https%3A%2F%2Funknown.example%2F&payTo=0xAb');
    expect(response.status).toBe(200);
    expect(endpointSummarySchema.parse(await response.json())).toMatchObject({
      requested: { resource: 'https://unknown.example/', payTo: '0xAb', network: null },
      ...{ match: null, payTo: null, endpoint: null },
      signature: { algorithm: 'Ed25519' },
    });
  });

  it.each([
    ['', 'resource'],
    [`resource=${RESOURCE}&network=a&network=b`, 'network'],
    [`resource=${RESOURCE}&network=eip155:base`, 'network'],
    ['resource=https://api.example.com/x?a=1&b=2', 'b'],
    ['resource=https://api.example.com/x?a=1&network=de', 'network'],
  ])('refuses the query %s, names the mistake, and does not read the database', async (query, path) => {
    const response = await find(query);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const code = 'invalid-request';
    expect(await response.json()).toMatchObject({
      ...{ status: 400, code, instance: '/v1/x402-summary', errors: [{ path }] },
    });
    expect(database.listCalls()).toEqual([]);
  });
});

it('says that a URL before other parameters must be percent-encoded', async () => {
  const response = await find('resource=https://api.example.com/x?a=1&network=de');
  expect(await response.json()).toMatchObject({
    detail: expect.stringContaining(
      'If the URL in `resource` contains "&", percent-encode the URL.',
    ) as unknown,
  });
});

describe('/v1/summaries/{prefix}', () => {
  const readRange = (prefix: string) =>
    Promise.resolve(
      getModules().rangeSummariesRoute.GET(new Request(`https://touchstone.example/v1/summaries/${prefix}`)),
    );

  it('responds with signed summaries that caches may store for a minute', async () => {
    const response = await readRange('d0');
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=60');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('ratelimit-policy')).toMatch(/^"range-summaries";/);
    const range = endpointSummariesSchema.parse(await response.json());
    expect(range).toMatchObject({ prefix: 'd0', endpoints: [], signature: { algorithm: 'Ed25519' } });
  });

  it('are read once for concurrent and repeated requests', async () => {
    const responses = [...(await Promise.all([readRange('d1'), readRange('d1')])), await readRange('d1')];
    const texts = await Promise.all(responses.map((response) => response.text()));
    expect(texts[0]).toContain('"prefix":"d1"');
    expect(new Set(texts).size).toBe(1);
    expect(database.listCalls()).toEqual(['endpoint_summaries']);
  });

  it.each(['', 'd012', 'D0', 'zz'])('refuses the prefix %s', async (prefix) => {
    const response = await readRange(prefix);
    expect(await response.json()).toMatchObject({ status: 400, errors: [{ path: 'prefix' }] });
    expect(database.listCalls()).toEqual([]);
  });
});

describe('/endpoint/{slug}.json', () => {
  it('responds with the same summary as for the URL of the endpoint', async () => {
    const response = await read(`/endpoint/${SLUG}.json?payTo=0xAb`);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=60');
    const found = await find(`resource=${RESOURCE}&payTo=0xAb`);
    const [bySlug, byUrl] = [await response.json(), await found.json()].map((body) => {
      const { requested, match, payTo, endpoint } = endpointSummarySchema.parse(body);
      return { requested, match, payTo, endpoint };
    });
    expect(bySlug).toEqual(byUrl);
  });

  it('redirects another slug to the canonical one and keeps the query', async () => {
    const response = await read('/endpoint/old-words-xvdduuxtfa.json?payTo=0xAb');
    expect(response.status).toBe(308);
    expect(response.headers.get('location')).toBe(`/endpoint/${SLUG}.json?payTo=0xAb`);
  });

  it.each([
    [`/endpoint/any-words-${REMOVED_ID}.json`, { status: 410, code: 'resource-removed', title: 'Gone' }],
    [
      `/endpoint/any-words-${OPTED_OUT_ID}.json`,
      {
        ...{ status: 410, code: 'resource-removed' },
        detail: expect.stringContaining('opted out of probing and listing on 20') as string,
      },
    ],
    ['/endpoint/nothing-here-aaaaaaaaaa.json', { status: 404, code: 'unknown-resource' }],
    ['/endpoint/no-slug.json', { status: 404, code: 'unknown-resource' }],
    [`/endpoint/${SLUG}.json?network=`, { status: 400, errors: [{ path: 'network' }] }],
    [`/endpoint/${SLUG}.json?network=basechain`, { status: 400, errors: [{ path: 'network' }] }],
  ])('responds to %s with a problem that no cache stores', async (path, problem) => {
    const response = await read(path);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({ ...problem, instance: path.split('?')[0] });
  });
});
