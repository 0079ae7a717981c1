import { describe, expect, it } from 'vitest';
import type { TrustReport } from '@touchstone/contract';
import {
  toTestAddress,
  BLOCK_SECONDS,
  createFakeChain,
  GENESIS_SECONDS,
  serveRpc,
} from '@touchstone/chain/testing';
import { createChainSources } from '../chain-source.ts';
import type { ReportOptions } from '@touchstone/trust';
import { RULES } from '@touchstone/x402';
import { discover } from '../discovery/discover.ts';
import { scoreChanged } from '../scoring/score-changed.ts';
import { settle } from '../settlement/settle.ts';
import { claimAndProbe } from '../probing/probe-due.ts';
import { createFailingFetch } from '../testing/failing-fetch.ts';
import { BASE, expectValidReport, probeAndScore, readStoredReport } from '../testing/reports.ts';
import { challenge, useWorld, item } from '../testing/world.ts';

const world = useWorld();
const HALF_HOUR = 30 * 60_000;

const url = (path: string): string => world.toUrl(path);

const advance = (halfHours: number, every = 1) => probeAndScore(world, halfHours, every);

const readReport = (resource: string, options: Pick<ReportOptions, 'detail'> = {}) =>
  readStoredReport(world, resource, options);

describe('a report on stored data', () => {
  it('contains the observed data and, as a full report, the passed rules with their requirements', async () => {
    const good = url('/good');
    world.items = [item(good, { serviceName: 'Skies' })];
    world.handlers.set('/good', challenge);
    await discover(world.context);
    await advance(6);
    const report = await readReport(good);
    expectValidReport(report);
    expect(report).toMatchObject({
      resource: good,
      serviceName: 'Skies',
      freshness: {
        live: false,
        detail: 'No live probe was requested. The report uses stored data.',
        ageSeconds: 60,
      },
      listing: { status: 'listed', source: 'directory', delistedAt: null },
      advertised: {
        amount: '10000',
        amountUsd: '0.010000',
        network: 'eip155:8453',
        decimals: 6,
        observedAt: new Date(world.time).toISOString(),
        amountRange30d: { lowUsd: '0.010000', highUsd: '0.010000' },
      },
      settlement: { network: 'eip155:8453', volumeUsd30d: null, payers30d: null, throughBlock: null },
      lastFailure: null,
      related: null,
      stats: {
        probes30d: 6,
        scoredProbes30d: 6,
        up30d: 6,
        last24h: { scored: 6, up: 6 },
        last7d: { scored: 6, up: 6 },
        envelopes: { checked: 6 },
        latency: { maxErrorPercent: 16, vantage: 'Test lab' },
        settledVolumeUsd30d: null,
        lastProbedAt: new Date(world.time).toISOString(),
        lastScoredAt: new Date(world.time).toISOString(),
      },
      signature: null,
    });
    expect(report.endpointPage.startsWith(`${BASE}/endpoint/`)).toBe(true);
    expect(report.breakdown.uptime).toBe(100);
    expect(report.breakdown.activity).toBeNull();
    expect(report.stats.avgLatencyMs).toBeGreaterThan(0);
    const { compliance } = report;
    expect(compliance).toMatchObject({ payable: true, observedAt: new Date(world.time).toISOString() });
    expect(compliance?.passed).toContain('http-status-402');
    expect(compliance?.passed.length).toBeGreaterThan(30);
    const counted = [...(compliance?.passed ?? []), ...(compliance?.failed ?? [])].length;
    expect(counted + (compliance?.skippedCount ?? 0)).toBe(RULES.length);
    // Agents read the report in their context window.
    expect(JSON.stringify(report).length).toBeLessThan(8_000);

    const full = await readReport(good, { detail: 'full' });
    expectValidReport(full);
    expect(full.compliance?.passedChecks?.map(({ id }) => id)).toEqual(full.compliance?.passed);
    const { passedChecks: _, ...others } = full.compliance ?? {};
    expect(compliance).toEqual(others);
  });

  it('is valid for down, free, blocked, templated, never probed, changed and hostile endpoints', async () => {
    const swapped = (response: Parameters<typeof challenge>[0], at: string): void =>
      challenge(response, at, { payTo: `0x${'3'.repeat(40)}`, amount: '99000000' });
    world.handlers.set('/swap', challenge);
    world.handlers.set('/down', (response) => response.writeHead(503).end());
    world.handlers.set('/free', (response) => response.writeHead(200).end('{"a":1}'));
    world.handlers.set('/blocked', (response) => response.writeHead(403).end());
    const hostile = '</script><script>alert(1)</script>\u202e\u0000 ' + 'x'.repeat(9000);
    const never = `https://never.example.org/`;
    const paths = ['/swap', '/down', '/free', '/blocked', '/items/{id}'];
    world.items = [
      ...paths.map((path) => item(url(path), { serviceName: hostile, description: hostile })),
      item(never),
    ];
    await discover(world.context);
    await advance(3);
    world.handlers.set('/swap', swapped);
    await advance(52, 2);
    const resources = [...paths.map(url), never];
    for (const resource of resources) expectValidReport(await readReport(resource));
    const taken = await readReport(url('/swap'));
    expect(taken.flags).toHaveProperty('payto-changed-recently');
    expect(taken.stats).toMatchObject({
      changes: { price: 1, payTo: 1 },
      payToVaries: false,
      payToDistinct30d: 2,
    });
    expect((await readReport(url('/down'))).caps.map(({ rule }) => rule)).toContain('down-now');
  });

  it('omits a challenge that is not stored yet instead of showing an earlier one', async () => {
    const torn = url('/torn');
    world.items = [item(torn)];
    world.handlers.set('/torn', (response, at) => challenge(response, at, { amount: '-5' }));
    await discover(world.context);
    await advance(1);
    const listFailures = ({ compliance }: TrustReport) => compliance?.failed.map(({ id }) => id);
    const before = listFailures(await readReport(torn)) ?? [];
    expect(before).toContain('v2-amount-string');

    // Simulates a worker that is killed after it recorded the observations and before it stored the new challenge.
    world.handlers.set('/torn', challenge);
    world.time += HALF_HOUR;
    const fetch = createFailingFetch(['store_challenges']);
    const dyingDb = world.connect(fetch);
    expect(await claimAndProbe({ ...world.context, db: dyingDb })).toMatchObject({ unstoredChallenges: 1 });
    await scoreChanged(world.context);
    const report = await readReport(torn);
    expectValidReport(report);
    expect(report.advertised?.amount).toBe('10000');
    expect(report.compliance).toBeNull();

    await advance(1);
    expect(listFailures(await readReport(torn))?.length).toBeLessThan(before.length);
  });
});

describe('settlement figures', () => {
  it('are in the report and in the score, with the endpoints that share the wallet', async () => {
    const head = 20_000;
    const now = (GENESIS_SECONDS + head * BLOCK_SECONDS) * 1000;
    const shop = `0x${'5'.repeat(40)}` as const;
    world.time = now - 2 * HALF_HOUR;
    world.handlers.set('/paid', (response, at) => challenge(response, at, { payTo: shop }));
    const elsewhere = world.toUrl('/paid', 'other');
    world.items = [item(url('/paid')), item(elsewhere)];
    await discover(world.context);
    await advance(1);
    expect((await readReport(url('/paid'))).settlement).toMatchObject({ payTo: shop, volumeUsd30d: null });

    const chain = createFakeChain({ head });
    const [ann, bob] = [toTestAddress(70), toTestAddress(71)];
    chain.add(
      { block: 10, from: ann, to: shop, amount: 30_000_000n, signed: true },
      { block: 11, from: bob, to: shop, amount: 10_000_000n, signed: true },
    );
    const server = await serveRpc(chain);
    const chains = createChainSources(new Map([['eip155:8453', [server.url]]]));
    await settle({ ...world.context, chains });
    await server.close();
    await advance(1);
    const report = await readReport(url('/paid'));
    expectValidReport(report);
    expect(report.settlement).toMatchObject({
      payTo: shop,
      network: 'eip155:8453',
      volumeUsd30d: '40.000000',
      topPayerShare: 0.75,
    });
    expect(report.stats).toMatchObject({ settledVolumeUsd30d: '40.000000', distinctPayers30d: 2 });
    expect(report.settlement?.sharedWith).toContain(elsewhere);
    expect(report.stats.payToSharedWith).toBe(1);
    expect(report.breakdown.activity).toBeGreaterThan(0);
    expect(report.confidenceDetail.economic).toBe(1);
  });
});
