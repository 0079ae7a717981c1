import { endpointSummarySchema, toSchemaUrl, type EndpointSummary } from '@touchstone/contract';
import { connect, StoreError, type Snapshot } from '@touchstone/store';
import { describe, expect, it } from 'vitest';
import { discover } from '../discovery/discover.ts';
import { InvalidRequestError } from '../problem.ts';
import { createCountingFetch } from '../testing/counting-fetch.ts';
import { BASE, probeAndScore, readStoredReport, toEndpointId } from '../testing/reports.ts';
import { storeEndpoint, storeEndpoints } from '../testing/store-endpoint.ts';
import { challenge, useWorld, item, type Offer } from '../testing/world.ts';
import { createEndpointSummary, type SummaryRequest } from './create-endpoint-summary.ts';

const world = useWorld();
const NETWORK = 'eip155:8453';
const FIRST = `0x${'a'.repeat(40)}`;
const SECOND = `0x${'b'.repeat(40)}`;

const toUrl = (path: string): string => world.toUrl(path);

/** Reads a summary, and checks that it matches its schema, which allows no unknown members. */
async function read(
  request: Partial<SummaryRequest>,
  db = world.context.db,
): Promise<EndpointSummary | null> {
  const context = { db, baseUrl: BASE, vantage: 'Test lab', now: () => world.time };
  const all = { resource: null, endpointId: null, payTo: null, network: null, ...request };
  const summary = await createEndpointSummary(context, all);
  if (summary !== null) expect(endpointSummarySchema.parse(summary)).toEqual(summary);
  return summary;
}

const offer = (path: string, given: Offer): unknown =>
  world.handlers.set(path, (response, url) => challenge(response, url, given));

/** Lists an endpoint that responds with an offer, probes it and scores it. */
async function list(path: string, given: Offer = {}): Promise<string> {
  world.items = [...world.items, item(toUrl(path))];
  offer(path, given);
  await discover(world.context);
  await probeAndScore(world, 1);
  return toUrl(path);
}

describe('the summary of an endpoint', () => {
  it('has the content of its page and the figures of its report', async () => {
    const resource = await list('/v1', { payTo: FIRST });
    await probeAndScore(world, 3);
    const report = await readStoredReport(world, resource);
    const summary = await read({ resource });
    expect(summary).toMatchObject({
      $schema: toSchemaUrl('endpoint-summary', BASE),
      generatedAt: new Date(world.time).toISOString(),
      requested: { resource, payTo: null, network: null },
      match: 'exact',
      payTo: null,
      signature: null,
    });
    const { score, grade, recommendation, confidence, description, endpointPage } = report;
    expect(summary?.endpoint).toMatchObject({
      ...{ resource, score, grade, recommendation, confidence, description, endpointPage },
      endpointId: toEndpointId(resource),
      templated: false,
      probes30d: 4,
      vantage: 'Test lab',
      amountUsd: '0.010000',
      priceRange30d: { lowUsd: '0.010000', highUsd: '0.010000' },
      network: NETWORK,
      listing: { status: 'listed', source: 'directory', delistedAt: null },
      lastProbedAt: new Date(world.time).toISOString(),
    });
    expect(summary?.endpoint?.payOn).toMatchObject([
      { scheme: 'exact', amount: '10000', assetSymbol: 'USDC', payTo: '0xaaaa…aaaa', canonicalUsdc: true },
    ]);
    expect(JSON.stringify(summary)).not.toContain(FIRST);
  });

  it('is found by its id, with the URL of the catalog as the requested one', async () => {
    const resource = await list('/by-id', { payTo: FIRST });
    const byId = await read({ endpointId: toEndpointId(resource), payTo: FIRST });
    expect(byId).toEqual(await read({ resource, payTo: FIRST }));
    expect(await read({ endpointId: 'unknownnnn' })).toBeNull();
  });

  it('has no price range before the first price', async () => {
    const resource = toUrl('/unscored');
    const unknown = { lowestPriceUsd30d: null, highestPriceUsd30d: null };
    await storeEndpoint(world.context.db, world.time, { resource, ...unknown });
    expect((await read({ resource }))?.endpoint?.priceRange30d).toBeNull();
  });
});

describe('the payTo of a summary', () => {
  it('is current, then replaced, and current again after a swap back', async () => {
    const resource = await list('/swap', { payTo: FIRST });
    const readBoth = async () => [
      (await read({ resource, payTo: FIRST.toUpperCase().replace('0X', '0x'), network: NETWORK }))?.payTo,
      (await read({ resource, payTo: SECOND }))?.payTo,
    ];
    const isCurrent = { observed: true, current: true };
    const wasReplaced = { observed: true, current: false };
    expect(await readBoth()).toMatchObject([isCurrent, { observed: false, current: false }]);
    offer('/swap', { payTo: SECOND });
    await probeAndScore(world, 1);
    expect(await readBoth()).toMatchObject([wasReplaced, isCurrent]);
    offer('/swap', { payTo: FIRST });
    await probeAndScore(world, 1);
    expect(await readBoth()).toMatchObject([isCurrent, wasReplaced]);
  });

  it('names the address and the network as requested, also a version 1 name', async () => {
    const resource = await list('/v1-name', { payTo: FIRST });
    expect((await read({ resource, payTo: FIRST, network: 'base' }))?.payTo).toEqual({
      ...{ address: FIRST, network: 'base', observed: true, current: true, varies: false },
      ...{ changedAt: null, before: null },
    });
    for (const network of ['8453', 'EIP155:8453'])
      expect((await read({ resource, payTo: FIRST, network }))?.payTo).toMatchObject({
        network,
        observed: true,
      });
    await expect(read({ resource, payTo: FIRST, network: 'basechain' })).rejects.toThrow(
      /^`network` must be a CAIP-2 id such as eip155:8453, .*; received "basechain"\.$/,
    );
    const other = await read({ resource, payTo: FIRST, network: 'base-sepolia' });
    expect(other).toMatchObject({ requested: { network: 'base-sepolia' }, payTo: { observed: false } });
  });
});

describe('a URL outside the catalog', () => {
  it('has the summary of the endpoint with another query, with its wallets', async () => {
    await list('/weather?city=paris', { payTo: FIRST });
    const resource = toUrl('/weather?city=berlin');
    const calls: string[] = [];
    const db = world.connect(createCountingFetch(calls));
    expect(await read({ resource, payTo: FIRST }, db)).toMatchObject({
      requested: { resource, payTo: FIRST },
      match: 'path',
      payTo: { observed: true, current: true },
      endpoint: { resource: toUrl('/weather?city=paris') },
    });
    expect(calls).toEqual(['endpoint_summary', 'endpoint_summary']);
  });

  it('has the summary of the URL template that it fills', async () => {
    const template = toUrl('/items/{id}');
    await storeEndpoint(world.context.db, world.time, { resource: template });
    const summary = await read({ resource: toUrl('/items/7') });
    expect(summary).toMatchObject({ match: 'template', endpoint: { resource: template, templated: true } });
    expect(await read({ resource: template })).toMatchObject({ match: 'exact' });
  });

  it('has the summary of the strictest endpoint with the same path', async () => {
    const [decoy, real, template] = ['/pay?decoy=1', '/pay?real=1', '/{any}'].map(toUrl);
    const store = (resource = '', change: Partial<Snapshot> = {}) =>
      storeEndpoint(world.context.db, world.time, { resource, ...change });
    await store(decoy, { confidence: 0.95, score: 90, recommendation: 'proceed' });
    await store(template, { confidence: 0.99, score: 95, recommendation: 'parameterize' });
    await store(real, { confidence: 0.9, score: 20, grade: 'F', recommendation: 'avoid' });
    const adopted = { score: 10, recommendation: 'avoid', listingSource: 'adopted' } as const;
    await store(toUrl('/pay?adopted=1'), adopted);
    await store(toUrl('/new?adopted=1'), adopted);
    expect(await read({ resource: toUrl('/pay') })).toMatchObject({
      match: 'path',
      endpoint: { resource: real, recommendation: 'avoid' },
    });
    expect(await read({ resource: toUrl('/new') })).toMatchObject({ match: 'template' });
  });

  it('is not hidden by more endpoints than are compared', async () => {
    const resource = toUrl('/many?real=1');
    const decoys = Array.from({ length: 201 }, (_, n) => ({ resource: toUrl(`/many?decoy=${n}`) }));
    await storeEndpoints(world.context.db, world.time, [
      ...decoys,
      { resource, score: 20, recommendation: 'avoid' },
    ]);
    expect(await read({ resource: toUrl('/many') })).toMatchObject({ endpoint: { resource } });
  });

  it('has a summary without an endpoint', async () => {
    const resource = toUrl('/unknown');
    const nothing = { match: null, payTo: null, endpoint: null };
    expect(await read({ resource, payTo: FIRST })).toMatchObject({ requested: { resource }, ...nothing });
  });

  it('has the facts about its host, which may imitate a host that was observed for a week', async () => {
    const calls: string[] = [];
    const db = world.connect(createCountingFetch(calls));
    const store = (resource: string, change: Partial<Snapshot> = {}) =>
      storeEndpoint(world.context.db, world.time, { resource, daysTracked: 7, ...change });
    await store('https://api.known-host.com/a');
    await store('https://fresh-host.com/a', { daysTracked: 6 });
    await store('https://avoid-host.com/a', { errorFlags: 1 });
    await store('https://bought-host.com/a', { listingSource: 'adopted' });
    const readHost = async (resource: string) => (await read({ resource }, db))?.unknownHost;
    expect(await readHost('https://api.known-host.com/b')).toEqual({ knownEndpoints: 1, resembles: null });
    const imitation = { knownEndpoints: 0, resembles: 'api.known-host.com' };
    expect(await readHost('https://known-hosts.com/')).toEqual(imitation);
    await store('https://known-host1.com/a', { daysTracked: 1 });
    await store('https://knovvn-host.com/a', { daysTracked: 1 });
    const listed = { knownEndpoints: 1, resembles: 'api.known-host.com' };
    expect(await readHost('https://knovvn-host.com/b')).toEqual(listed);
    expect(await readHost('https://known-host1.com/b')).toEqual({ ...listed, resembles: null });
    const unknown = { knownEndpoints: 0, resembles: null };
    for (const host of ['bought-host.com', 'bought-hosts.com', 'fresh-hosts.com', 'avoid-hosts.com'])
      expect(await readHost(`https://${host}/`)).toEqual(unknown);
    expect(await readHost('https://api.known-host.com/a')).toBeNull();
    expect(calls.filter((call) => call === 'imitable_hosts')).toHaveLength(1);
  });

  it('has no summary if its endpoint was removed on request', async () => {
    const resource = toUrl('/removed');
    const id = await storeEndpoint(world.context.db, world.time, { resource, public: false });
    expect(await read({ resource, payTo: FIRST })).toMatchObject({ payTo: null, endpoint: null });
    expect(await read({ endpointId: id })).toBeNull();
  });
});

it('rejects a text that is not the URL of an endpoint', async () => {
  const error = await read({ resource: 'ftp://a.example/' }).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error).toMatchObject({
    explanation: { errors: [{ path: 'resource', message: expect.stringContaining('ftp') as string }] },
  });
});

it('throws when the database fails', async () => {
  const db = connect({ url: 'http://127.0.0.1:1', key: 'none' });
  await expect(read({ resource: toUrl('/') }, db)).rejects.toThrow(StoreError);
});
