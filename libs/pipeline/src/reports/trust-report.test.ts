import { readDeclaredMethod } from '@touchstone/x402';
import { beforeEach, describe, expect, it } from 'vitest';
import { recheckMisses } from '../probing/probe-due.ts';
import { createCountingFetch } from '../testing/counting-fetch.ts';
import {
  readFigures,
  readStoredReport,
  toEndpointId,
  listAndProbe,
  createTestReportContext,
  expectReport,
} from '../testing/reports.ts';
import { challenge, useWorld } from '../testing/world.ts';
import { createTrustReport } from './trust-report.ts';

const world = useWorld();
const MINUTE = 60_000;

beforeEach(async () => {
  world.handlers.set('/paid', challenge);
});

const url = (path: string): string => world.toUrl(path);

async function readSnapshot(id: string) {
  const { data } = await world.context.db
    .from('snapshots')
    .select('score, grade, recommendation, error_flags')
    .eq('endpoint_id', id)
    .single();
  return data;
}

describe('a report on an endpoint of the catalog', () => {
  it('is made from a live probe, and agrees with its page', async () => {
    const id = await listAndProbe(world, url('/paid'));
    world.time += 10 * MINUTE;
    const calls: string[] = [];
    const db = world.connect(createCountingFetch(calls));
    const resource = `HTTP://${world.host.toUpperCase()}:80/paid#part`;
    const report = expectReport(
      await createTrustReport(createTestReportContext(world, { db }), { resource }),
    );
    expect(world.requestedUrls).toEqual([url('/paid')]);
    expect(report).toMatchObject({
      resource,
      endpointId: id,
      freshness: {
        ...{
          live: true,
          probedAt: new Date(world.time).toISOString(),
          outcome: 'challenged',
          httpStatus: 402,
        },
        confirms: true,
        detail: 'The endpoint sent a payment challenge (HTTP 402) with the stored payment terms.',
      },
      // The live probe renews the times of the stored challenge, and adds no observation.
      advertised: { observedAt: new Date(world.time).toISOString() },
      compliance: { observedAt: new Date(world.time).toISOString() },
      stats: { probes30d: 1, up30d: 1, lastUpAt: new Date(world.time).toISOString() },
    });
    expect(report.freshness.liveProbeMs).toBeGreaterThanOrEqual(0);
    const { score, grade, recommendation } = report;
    expect(await readSnapshot(id)).toMatchObject({ score, grade, recommendation });
    const { stats, freshness } = await readStoredReport(world, url('/paid'));
    const { probedAt } = report.freshness;
    expect([stats.lastProbedAt, freshness.probedAt]).toEqual([probedAt, probedAt]);
    // The first of these database calls runs at the same time as the verification of the payment.
    expect(calls.length).toBeLessThanOrEqual(7);
  });

  it('shows a new wallet and price at once, refreshes its page, and does not count in uptime', async () => {
    const id = await listAndProbe(world, url('/paid'));
    const thief = `0x${'3'.repeat(40)}`;
    world.handlers.set('/paid', (response, at) => challenge(response, at, { payTo: thief, amount: '90000' }));
    world.time += MINUTE;
    const report = expectReport(
      await createTrustReport(createTestReportContext(world), { resource: url('/paid') }),
    );
    expect(report).toMatchObject({
      advertised: { payTo: thief, amountUsd: '0.090000' },
      recommendation: 'avoid',
      freshness: {
        confirms: false,
        detail: expect.stringContaining('price changed from $0.01 to $0.09') as string,
      },
    });
    expect(world.changedIds).toEqual([id]);
    expect(report.flags).toHaveProperty('payto-changed-recently');
    expect(await readFigures(world, id)).toMatchObject({
      probes: 1,
      rechecks: 1,
      scored: 1,
      observations: 2,
    });
    expect(await readSnapshot(id)).toMatchObject({ recommendation: 'avoid', error_flags: 1 });
  });

  it('schedules a recheck of a miss before the endpoint counts as down', async () => {
    const id = await listAndProbe(world, url('/paid'));
    world.handlers.set('/paid', (response) => response.writeHead(500).end());
    world.time += 10 * MINUTE;
    const context = createTestReportContext(world);
    const report = expectReport(await createTrustReport(context, { resource: url('/paid') }));
    expect(report.stats).toMatchObject({ probes30d: 1, up30d: 1 });
    const reason = 'HTTP 500 Internal Server Error';
    expect(report.freshness).toMatchObject({ outcome: 'server-error', httpStatus: 500, confirms: false });
    expect(report.freshness.detail).toContain(reason);
    expect(report.reasons.join(' ')).toContain(reason);
    // The challenge of the scheduled probe was payable. Its time tells that it is older than the failure.
    const observedAt = new Date(world.time - 10 * MINUTE).toISOString();
    expect(report.compliance).toMatchObject({ payable: true, observedAt });
    expect(report.advertised).toMatchObject({ observedAt });
    const readLiveness = async () =>
      (await world.context.db.from('endpoint_states').select('liveness, misses').eq('endpoint_id', id)).data;
    expect(await readLiveness()).toEqual([{ liveness: 'up', misses: 1 }]);
    // A second report finds the same failure. This failure does not count as a second miss.
    await createTrustReport(context, { resource: url('/paid') });
    expect(await readLiveness()).toEqual([{ liveness: 'up', misses: 1 }]);
    world.time += 50_000;
    expect(await recheckMisses(world.context)).toMatchObject({ claimed: 1 });
    expect(await readLiveness()).toEqual([{ liveness: 'down', misses: 2 }]);
  });

  it('shares its probe with concurrent reports', async () => {
    const id = await listAndProbe(world, url('/paid'));
    world.handlers.set('/paid', (response, at) => challenge(response, at, { amount: '90000' }));
    world.time += 10 * MINUTE;
    const context = createTestReportContext(world);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => createTrustReport(context, { resource: url('/paid') })),
    );
    const reports = outcomes.map(expectReport);
    expect(new Set(reports.map(({ freshness }) => JSON.stringify(freshness))).size).toBe(1);
    expect(world.requestedUrls).toHaveLength(1);
    expect(await readFigures(world, id)).toMatchObject({ observations: 2 });
  });

  it('uses the method that was challenged before, and the method that the challenge declares', async () => {
    await listAndProbe(world, url('/paid'));
    const targets: unknown[] = [];
    const prober = (target: Parameters<typeof world.context.prober>[0]) => {
      targets.push(target);
      return world.context.prober(target);
    };
    await world.context.db
      .from('endpoint_states')
      .update({ method: 'POST' })
      .eq('endpoint_id', toEndpointId(url('/paid')));
    await createTrustReport(createTestReportContext(world, { prober }), { resource: url('/paid') });
    expect(targets).toEqual([
      { url: url('/paid'), methods: ['POST', 'GET'], readDeclaredMethod, isUrgent: true },
    ]);
  });
});

describe('no report', () => {
  it.each([
    ['api.example.com/x', 'invalid-request'],
    ['ftp://api.example.com/x', 'invalid-request'],
    ['https://localhost/x', 'not-probeable'],
    ['https://[::1]/', 'not-probeable'],
    ['https://{tenant}.example.com/', 'template-unresolved'],
    ['https://%7Btenant%7D.example.com/', 'template-unresolved'],
  ])('is made on %s: %s', async (resource, code) => {
    const errors = code === 'invalid-request' ? { errors: [{ path: 'resource' }] } : {};
    const outcome = await createTrustReport(createTestReportContext(world), { resource });
    expect(outcome).toMatchObject({ kind: 'problem', code, ...errors });
  });

  it('is made on an endpoint removed at the request of its operator', async () => {
    const id = await listAndProbe(world, url('/paid'));
    await world.context.db
      .from('endpoints')
      .update({ removed_at: new Date(world.time).toISOString() })
      .eq('id', id);
    const outcome = await createTrustReport(createTestReportContext(world), { resource: url('/paid') });
    expect(outcome).toMatchObject({ kind: 'problem', code: 'not-probeable' });
    expect(world.requestedUrls).toEqual([]);
  });
});
