import { generateKeyPairSync } from 'node:crypto';
import { endpointSummarySchema } from '@touchstone/contract';
import { verifySignature } from '@touchstone/trust';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { REMOVED_ID, SNAPSHOT_ROW, startSnapshotDatabase } from '../../testing/snapshot-database.ts';

const SLUG = SNAPSHOT_ROW.slug;
const RESOURCE = encodeURIComponent(SNAPSHOT_ROW.resource);
let database: Awaited<ReturnType<typeof startSnapshotDatabase>>;
let routes: typeof import('./summary-routes.ts');
let readSigningKeys: typeof import('../../config/signing-keys.ts').getSigningKeys;
beforeAll(async () => {
  // The database client, the limiters and the keys of other test files in this process must not be used.
  vi.resetModules();
  database = await startSnapshotDatabase();
  const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  vi.stubEnv('REPORT_SIGNING_KEYS', JSON.stringify(key));
  routes = await import('./summary-routes.ts');
  ({ getSigningKeys: readSigningKeys } = await import('../../config/signing-keys.ts'));
});
beforeEach(() => {
  database.reset();
});
afterAll(() => database.close());

const find = (query: string) =>
  Promise.resolve(
    routes.summaryRoute.GET(new Request(`https://touchstone.example/v1/x402-summary?${query}`)),
  );

const read = (path: string) =>
  Promise.resolve(routes.endpointSummaryRoute.GET(new Request(`https://touchstone.example${path}`)));

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
      payTo: { address: '0xAb', network: 'eip155:8453', observed: false, current: false },
      endpoint: { endpointId: 'xvdduuxtfa', grade: 'A', priceRange30d: null },
    });
    const keys = await readSigningKeys();
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
    ['resource=weather', 'resource'],
    ['resource=http%3A%2F%2Flocalhost%2F', 'resource'],
    [`resource=${RESOURCE}&resource=${RESOURCE}`, 'resource'],
    [`resource=${RESOURCE}&payTo=`, 'payTo'],
    [`resource=${RESOURCE}&payTo=0x1%20`, 'payTo'],
    [`resource=${RESOURCE}&network=${'n'.repeat(2_000)}`, 'network'],
    [`resource=${RESOURCE}&network=a&network=b`, 'network'],
    ['resource=https://api.example.com/x?a=1&b=2', ''],
  ])('refuses the query %s and names the mistake', async (query, path) => {
    const response = await find(query);
    expect(response.status).toBe(400);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({
      code: 'invalid-request',
      instance: '/v1/x402-summary',
      errors: [{ path }],
    });
    expect(database.listCalls()).toEqual([]);
  });

  it('accepts GET and HEAD only', async () => {
    const response = await routes.summaryRoute.POST(
      new Request('https://touchstone.example/v1/x402-summary', { method: 'POST' }),
    );
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
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

  it('responds with 410 to the slug of an endpoint that was removed on request', async () => {
    const response = await read(`/endpoint/any-words-${REMOVED_ID}.json`);
    expect(response.status).toBe(410);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({ code: 'resource-removed', title: 'Gone' });
  });

  it.each(['/endpoint/nothing-here-aaaaaaaaaa.json', '/endpoint/no-slug.json'])(
    'responds to %s with a problem',
    async (path) => {
      const response = await read(path);
      expect(response.status).toBe(404);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.json()).toMatchObject({ code: 'unknown-resource', instance: path });
    },
  );

  it('refuses an invalid query', async () => {
    const response = await read(`/endpoint/${SLUG}.json?network=`);
    expect(await response.json()).toMatchObject({ code: 'invalid-request', errors: [{ path: 'network' }] });
  });
});
