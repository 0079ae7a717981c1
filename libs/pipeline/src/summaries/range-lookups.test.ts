import { generateKeyPairSync, webcrypto } from 'node:crypto';
import { HOUR_MS } from '@touchstone/common';
import { endpointSummariesSchema } from '@touchstone/contract';
import { createGuard, type Decision, type Guard } from '@touchstone/guard';
import { readSigningKeys, signDocument } from '@touchstone/trust';
import { hashHost } from '@touchstone/x402/range-keys';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidRequestError } from '../problem.ts';
import { BASE, toEndpointId } from '../testing/reports.ts';
import { storeEndpoint, storeEndpoints } from '../testing/store-endpoint.ts';
import { useWorld } from '../testing/world.ts';
import { createEndpointSummary } from './create-endpoint-summary.ts';
import { createRangeSummaries } from './create-range-summaries.ts';

const world = useWorld();
const { subtle } = webcrypto;
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const keys = await readSigningKeys(
  JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })),
  { baseUrl: BASE, subtle },
);

/** Answers look-ups as the service does, and keeps their paths. */
function createService(paths: string[] = []): typeof fetch {
  const context = () => ({ ...world.context, baseUrl: BASE, vantage: 'Test lab', now: () => world.time });
  const create = ({ pathname, searchParams }: URL) => {
    if (pathname !== '/v1/x402-summary')
      return createRangeSummaries(context(), pathname.split('/').at(-1) ?? '');
    const [resource = '', payTo = null, network = null] = ['resource', 'payTo', 'network'].map((name) =>
      searchParams.get(name),
    );
    return createEndpointSummary(context(), { resource, endpointId: null, payTo, network });
  };
  return async (input) => {
    // The guard passes a URL.
    const url = input as URL;
    paths.push(url.pathname);
    try {
      const document = await create(url);
      if (document === null) throw new Error('A look-up by URL always has a summary.');
      return Response.json(await signDocument(document, keys.signing));
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      const headers = { 'content-type': 'application/problem+json' };
      return new Response(JSON.stringify({ detail: error.message }), { status: 400, headers });
    }
  };
}

function createTestGuard(lookups: 'exact' | 'range', fetch = createService()): Guard {
  return createGuard({ service: BASE, keys: keys.published.keys, fetch, lookups, now: () => world.time });
}

const NETWORKS = ['eip155:8453', 'eip155:1', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'] as const;
const WALLETS = [`0x${'aB'.repeat(20)}`, `0x${'ab'.repeat(20)}`, `0x${'22'.repeat(20)}`, 'SoLaNa', 'solana'];
const anyWallet = fc.constantFrom(...WALLETS);
const anyOption = fc.record({
  network: fc.constantFrom(...NETWORKS),
  asset: fc.constantFrom(USDC, '0xother'),
  payTo: anyWallet,
});
const anyOptions = fc.array(anyOption, { maxLength: 3 });
interface Option {
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
}

const anyWorld = fc.uniqueArray(
  fc.record({
    host: fc.constantFrom('a', 'b'),
    path: fc.constantFrom(
      ...['/x', '/y', '/x?q=1', '/x?q=2', '/{id}', '/x/{id}', '/x/:id', '/{a}/{b}?q={c}', '/x%2Fy'],
    ),
    public: fc.constantFrom(true, true, true, false),
    snapshot: fc.record({
      listingStatus: fc.constantFrom('listed' as const, 'listed' as const, 'delisted' as const),
      listingSource: fc.constantFrom('directory' as const, 'directory' as const, 'adopted' as const),
      recommendation: fc.constantFrom(
        ...(['proceed', 'caution', 'avoid', 'unverified', 'parameterize', 'free'] as const),
      ),
      score: fc.integer({ min: 0, max: 100 }),
      amountUsd: fc.option(fc.constantFrom('0.01', '0.5')),
      highestPriceUsd30d: fc.option(fc.constantFrom('0.01', '0.05')),
      lastProbedAt: fc.constantFrom(null, '2026-01-01T00:00:00.000Z'),
      payOn: anyOptions.map((options) => options.map(toPayOn)),
    }),
    isProvisional: fc.boolean(),
    terms: fc.option(anyOptions),
    changes: fc.array(
      fc.record({ before: anyOptions, after: anyOptions, hoursAgo: fc.integer({ min: 0, max: 260 }) }),
      {
        maxLength: 3,
      },
    ),
    variation: fc.option(fc.constant('continues')),
  }),
  { minLength: 3, maxLength: 12, selector: ({ host, path }) => `${host}${path}` },
);
type AnyEndpoint = ReturnType<typeof anyWorld.generate>['value'][number];

const anyPayment = fc.record({
  url: fc
    .tuple(
      fc.constantFrom('a', 'a', 'b', 'b', 'A', 'opted', 'unknown'),
      fc.constantFrom('', '', '', ':443', ':8443', '.'),
      fc.constantFrom(
        '/x',
        '/y',
        '/x?q=1',
        '/7',
        '/x/7',
        '/x/7?secret=1',
        '/x/7/8',
        '/x%2fy',
        '/{id}',
        '/z/z/z',
      ),
    )
    .map(([host, port, path]) => ({ host, rest: `${port}${path}` })),
  network: fc.constantFrom(...NETWORKS, ...NETWORKS, 'base', '8453', 'nonsense'),
  asset: fc.constantFrom(USDC, USDC.toLowerCase(), '0xother'),
  amount: fc.constantFrom('10000', '50000', '900000'),
  payTo: anyWallet,
});

function toPayOn(option: Option) {
  const token = { assetSymbol: 'USDC', decimals: 6, amount: '10000', amountUsd: '0.01' };
  return { scheme: 'exact', ...option, ...token };
}

function toTerms(options: readonly Option[]) {
  const payTo = Object.fromEntries(
    options.map((option) => [`${option.network}|${option.asset}`, [option.payTo]]),
  );
  return { version: 2, options: options.map(toPayOn), prices: {}, payTo };
}

/** Stores a world of endpoints on the hosts `a` and `b` of a domain. The provider of the host `opted` opted out. */
async function storeWorld(domain: string, endpoints: readonly AnyEndpoint[]): Promise<void> {
  const { db } = world.context;
  const toUrl = ({ host, path }: AnyEndpoint) => `https://${host}.${domain}${path}`;
  const ids = await storeEndpoints(
    db,
    world.time,
    endpoints.map((one) => ({ ...one.snapshot, public: one.public, resource: toUrl(one) })),
  );
  const toIso = (hoursAgo: number) => new Date(world.time - hoursAgo * HOUR_MS).toISOString();
  for (const [index, endpointId] of ids.entries()) {
    const one = endpoints[index];
    if (one === undefined) continue;
    const { terms, changes, variation } = one;
    if (one.isProvisional)
      await db
        .from('endpoints')
        .update({ provisional_until: toIso(-1) })
        .eq('id', endpointId)
        .throwOnError();
    if (terms !== null) {
      const state = { endpoint_id: endpointId, last_probed_at: toIso(1), terms: toTerms(terms) };
      await db.from('endpoint_states').upsert(state).throwOnError();
    }
    const rows = changes.map(({ before, after, hoursAgo }, step) => ({
      // One endpoint has at most one change of a kind at a time.
      ...{ endpoint_id: endpointId, at: toIso(3 * hoursAgo + step), kind: 'payto_change', variation },
      ...{ before: toTerms(before), after: toTerms(step === 0 ? (terms ?? after) : after) },
    }));
    await db.from('changes').insert(rows).throwOnError();
  }
  const optOut = { host: `opted.${domain}`, claim_id: domain, opted_out_at: toIso(1) };
  await db.from('opt_outs').insert(optOut).throwOnError();
}

/**
 * Returns what a decision states, without what only a look-up by URL states: the words in the URL of the page, repeated
 * tokens, and when a replaced recipient had replaced another one.
 */
function toComparable({ action, reasons, summary }: Decision) {
  const { payTo = null, endpoint = null, unknownHost, ...rest } = summary ?? {};
  return {
    action,
    reasons: reasons.map(({ code, action: strictness }) => ({ code, action: strictness })),
    ...rest,
    payTo: payTo?.current === false ? { ...payTo, changedAt: null, before: null } : payTo,
    endpoint: endpoint && {
      ...{ ...endpoint, endpointPage: toEndpointId(endpoint.resource) },
      payOn: new Map(endpoint.payOn.map((token) => [`${token.network} ${token.asset}`, token])),
    },
    knownEndpoints: unknownHost?.knownEndpoints,
  };
}

describe('a look-up by range', () => {
  it('leads to the same decisions as a look-up by URL', async () => {
    let worlds = 0;
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        anyWorld,
        fc.array(anyPayment, { minLength: 30, maxLength: 30 }),
        async (endpoints, payments) => {
          const domain = `range${String((worlds += 1))}.example.com`;
          await storeWorld(domain, endpoints);
          const [exact, range] = [createTestGuard('exact'), createTestGuard('range')];
          for (const { url, ...terms } of payments) {
            const payment = { url: `https://${url.host}.${domain}${url.rest}`, ...terms };
            const expected = toComparable(await exact.check(payment));
            expect(toComparable(await range.check(payment)), JSON.stringify(payment)).toEqual(expected);
            for (const { code } of expected.reasons) seen.add(code);
            seen.add(String(expected.match));
          }
        },
      ),
      // The seed is fixed, so that the worlds contain each of the cases below.
      { numRuns: 8, seed: 7, endOnFailure: true },
    );
    const covered = [
      'exact',
      'path',
      'template',
      'not-accepted',
      'opted-out',
      'unknown-endpoint',
      'pay-to-mismatch',
    ];
    expect([...seen]).toEqual(expect.arrayContaining([...covered, 'pay-to-replaced', 'pay-to-changed']));
  });

  it('sends one prefix of the hash of a host for all its endpoints, and nothing else', async () => {
    const host = 'api.private-lookup.example.com';
    await storeEndpoint(world.context.db, world.time, { resource: `https://${host}/a` });
    const paths: string[] = [];
    const guard = createTestGuard('range', createService(paths));
    const payment = { network: NETWORKS[0], asset: USDC, amount: '10000', payTo: WALLETS[1] ?? '' };
    for (const path of ['/a', '/a?key=1', '/b', '/c/d'])
      await guard.check({ ...payment, url: `https://${host}${path}` });
    expect(paths).toEqual([`/v1/summaries/${(await hashHost(subtle, host)).slice(0, 1)}`]);
  });
});

describe('the summaries of a range', () => {
  const context = () => ({ ...world.context, baseUrl: BASE, now: () => world.time });

  it('match their schema, and name neither payTo addresses nor hosts that opted out', async () => {
    const domain = 'schema-range.example.com';
    const payTo = `0x${'c1'.repeat(20)}`;
    const payOn = [toPayOn({ network: NETWORKS[0], asset: USDC, payTo })];
    const resource = `https://a.${domain}/`;
    await storeEndpoint(world.context.db, world.time, { resource, payOn });
    await storeWorld(domain, []);
    const [known, optedOut] = await Promise.all(
      ['a', 'opted'].map((host) => hashHost(subtle, `${host}.${domain}`)),
    );
    const ranges = await Promise.all(
      [known, optedOut].map((hash = '') => createRangeSummaries(context(), hash.slice(0, 3))),
    );
    for (const range of ranges) expect(endpointSummariesSchema.parse(range)).toEqual(range);
    expect(ranges[0]?.endpoints.map((endpoint) => endpoint.resource)).toEqual([resource]);
    expect(ranges[1]?.optOuts).toMatchObject([{ hostHash: optedOut }]);
    expect(JSON.stringify(ranges)).not.toContain('c1c1');
    expect(JSON.stringify(ranges)).not.toContain(`opted.${domain}`);
  });

  it('leave out the hosts with the most endpoints of a range with too many', async () => {
    const host = 'large-range.example.com';
    const paths = ['/a', '/b', '/c'];
    await storeEndpoints(
      world.context.db,
      world.time,
      paths.map((path) => ({ resource: `https://${host}${path}` })),
    );
    const hash = await hashHost(subtle, host);
    const neighbor = await findNeighbor(hash.slice(0, 3));
    await storeEndpoint(world.context.db, world.time, { resource: `https://${neighbor}/` });
    const read = async (maxEndpoints: number) => {
      const range = await createRangeSummaries(context(), hash.slice(0, 3), maxEndpoints);
      const hosts = range.endpoints.map(({ resource }) => new URL(resource).host);
      return [hosts.toSorted(), range.omittedHosts];
    };
    expect(await read(4)).toEqual([[host, host, host, neighbor], []]);
    expect(await read(3)).toEqual([[neighbor], [hash]]);
  });
});

/** Returns another host in a range. */
async function findNeighbor(prefix: string): Promise<string> {
  for (let index = 0; ; index += 1) {
    const host = `neighbor${String(index)}.example.com`;
    if ((await hashHost(subtle, host)).startsWith(prefix)) return host;
  }
}
