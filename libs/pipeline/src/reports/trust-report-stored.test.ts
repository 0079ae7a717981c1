import { beforeEach, describe, expect, it } from 'vitest';
import type { Probe } from '@touchstone/probe';
import { discover } from '../discovery/discover.ts';
import { createHostRateLimiter } from '../host-rate-limiter.ts';
import { createCountingFetch } from '../testing/counting-fetch.ts';
import { createTestReportContext, expectReport, listAndProbe, readFigures } from '../testing/reports.ts';
import { challenge, useWorld, item } from '../testing/world.ts';
import { createTrustReport } from './trust-report.ts';

const world = useWorld();
const MINUTE = 60_000;

beforeEach(async () => {
  world.handlers.set('/paid', challenge);
});

const url = (path: string): string => world.toUrl(path);
const startsWith = (text: string) => expect.stringMatching(`^${text}`) as string;

describe('a report without a live probe', () => {
  const failing = (change: Partial<Probe>) => () =>
    Promise.resolve<Probe>({
      url: '',
      method: 'GET',
      outcome: 'self-failure',
      httpStatus: null,
      phases: { resolve: null, connect: null, tls: null, processing: null, transfer: null },
      latencyMs: null,
      totalMs: 1,
      headers: [],
      body: null,
      bodyEnd: 'complete',
      redirects: [],
      interimStatuses: [],
      declaredMethod: null,
      remoteAddress: null,
      retryAfterSeconds: null,
      failure: { phase: 'connect', code: 'ENETUNREACH', message: 'no network' },
      ...change,
    });

  it('uses stored data after a self-inflicted failure, and says so', async () => {
    const id = await listAndProbe(world, url('/paid'));
    world.time += 10 * MINUTE;
    const before = await readFigures(world, id);
    const context = createTestReportContext(world, { prober: failing({}) });
    const report = expectReport(await createTrustReport(context, { resource: url('/paid') }));
    expect(report.freshness).toMatchObject({
      live: false,
      ageSeconds: 600,
      liveProbeMs: null,
      ...{ outcome: 'self-failure', httpStatus: null, confirms: null },
      detail:
        'The live probe failed because of this service, and not because of the endpoint. The report uses stored data.',
    });
    expect(await readFigures(world, id)).toEqual(before);
  });

  it('counts no miss while no canary responds', async () => {
    const id = await listAndProbe(world, url('/paid'));
    world.time += 10 * MINUTE;
    const before = await readFigures(world, id);
    const prober = failing({ outcome: 'timeout' });
    const canaries = { urls: ['https://canary.example.com/'], prober };
    const context = createTestReportContext(world, { prober, canaries });
    const report = expectReport(await createTrustReport(context, { resource: url('/paid') }));
    expect(report.freshness.outcome).toBe('self-failure');
    expect(await readFigures(world, id)).toEqual(before);
  });

  it('is made after the maximum wait without a response, and the late response counts for the next report', async () => {
    const id = await listAndProbe(world, url('/paid'));
    world.time += 10 * MINUTE;
    world.handlers.set('/paid', (response, at) => challenge(response, at, { amount: '90000' }));
    const reported = Promise.withResolvers<undefined>();
    const context = createTestReportContext(world, {
      maxLiveProbeMs: 50,
      prober: async (target) => {
        const probe = await world.context.prober(target);
        // If the report waited for the late response, the test would exceed its timeout.
        await reported.promise;
        return probe;
      },
    });
    const report = expectReport(await createTrustReport(context, { resource: url('/paid') }));
    reported.resolve(undefined);
    expect(report.freshness).toMatchObject({ live: false, outcome: null, ageSeconds: 600 });
    expect(report.stats.probes30d).toBe(1);
    await expect.poll(async () => (await readFigures(world, id)).observations, { timeout: 30_000 }).toBe(2);
  });

  it('uses stored data for hosts that are not probed, even before the first score', async () => {
    const elsewhere = `https://t.example.org/paid`;
    world.items = [item(elsewhere)];
    await discover(world.context);
    const report = expectReport(
      await createTrustReport(createTestReportContext(world), { resource: elsewhere }),
    );
    expect(report).toMatchObject({
      freshness: {
        live: false,
        probedAt: null,
        ageSeconds: null,
        detail: startsWith('This service may not'),
      },
      recommendation: 'unverified',
    });
    expect(world.requestedUrls).toEqual([]);
  });

  it('is made for a listed template, and not for an unlisted one', async () => {
    const template = url('/items/{id}');
    await listAndProbe(world, template);
    const calls: string[] = [];
    const context = createTestReportContext(world, { db: world.connect(createCountingFetch(calls)) });
    const report = expectReport(await createTrustReport(context, { resource: url('/items/%7Bid%7D') }));
    expect(report).toMatchObject({
      templated: true,
      freshness: { live: false, detail: startsWith('A URL with') },
    });
    expect(calls).toEqual(['report_subject']);
    for (const path of ['/other/{id}', '/other/:id', '/other/%7bid%7D']) {
      const outcome = await createTrustReport(context, { resource: `https://${world.host}${path}` });
      expect(outcome).toMatchObject({ kind: 'problem', code: 'template-unresolved' });
    }
    expect(world.requestedUrls).toEqual([]);
  });

  it('does not probe a paused host', async () => {
    await listAndProbe(world, url('/paid'));
    world.handlers.set('/paid', (response) => response.writeHead(429, { 'retry-after': '600' }).end());
    const context = createTestReportContext(world, { rateLimiter: createHostRateLimiter() });
    expect(expectReport(await createTrustReport(context, { resource: url('/paid') })).freshness.live).toBe(
      true,
    );
    const next = expectReport(await createTrustReport(context, { resource: url('/paid') }));
    expect(next.freshness).toMatchObject({ live: false, detail: startsWith('The host requested a pause') });
    expect(world.requestedUrls).toHaveLength(1);
  });

  it('is made during the time-lapse', async () => {
    await listAndProbe(world, url('/paid'));
    const context = createTestReportContext(world, { mayProbe: () => Promise.resolve(false) });
    const report = expectReport(await createTrustReport(context, { resource: url('/paid') }));
    expect(report.freshness).toMatchObject({ live: false, detail: startsWith('This service may not') });
    expect(world.requestedUrls).toEqual([]);
  });
});
