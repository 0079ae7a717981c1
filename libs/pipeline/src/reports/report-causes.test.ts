import { formatMinute } from '@touchstone/common';
import { describe, expect, it } from 'vitest';
import { discover } from '../discovery/discover.ts';
import {
  createTestReportContext,
  expectReport,
  expectValidReport,
  probeAndScore,
  readStoredReport,
} from '../testing/reports.ts';
import { challenge, useWorld, item } from '../testing/world.ts';
import { createTrustReport } from './trust-report.ts';

const world = useWorld();
const url = (path: string): string => world.toUrl(path);
const advance = (halfHours: number, every = 1) => probeAndScore(world, halfHours, every);
const readReport = (resource: string) => readStoredReport(world, resource);

describe('a report', () => {
  it('names the last failure, its start and its causes', async () => {
    const resource = url('/flaky');
    world.items = [item(resource)];
    world.handlers.set('/flaky', challenge);
    await discover(world.context);
    await advance(2);
    world.handlers.set('/flaky', (response) => response.writeHead(503).end());
    await advance(1);
    const since = world.time;
    world.handlers.set('/flaky', (response) => response.writeHead(410).end());
    await advance(2);
    const failing = await readReport(resource);
    expectValidReport(failing);
    expect(failing.lastFailure).toEqual({
      at: new Date(world.time).toISOString(),
      phase: 'response',
      httpStatus: 410,
      error: 'http-410',
      detail: 'HTTP 410 Gone.',
      since: new Date(since).toISOString(),
      causes30d: { 'http-410': 2, 'http-503': 1 },
    });
    await advance(52, 2);
    const down = await readReport(resource);
    expect(down.recommendation).toBe('avoid');
    expect(down.reasons[0]).toBe(
      `No successful probe since ${formatMinute(since)} (latest failure: HTTP 410 Gone).`,
    );
    expect(down.flags['down-now']).toMatchObject({
      since: new Date(since).toISOString(),
      evidence: { error: 'http-410', httpStatus: 410 },
    });
    world.handlers.set('/flaky', challenge);
    await advance(1);
    const recovered = await readReport(resource);
    expectValidReport(recovered);
    expect(recovered.lastFailure).toMatchObject({ error: 'http-410', since: new Date(since).toISOString() });
    expect(recovered.stats.downSince).toBeNull();
  });

  it.each([
    ['redirects', { location: 'http://[invalid' }, 308, 'redirect'],
    ['is gone', {}, 410, 'http-410'],
  ])('dates the latest failure at its live probe when the endpoint still %s', async (...row) => {
    const [path, headers, status, error] = row;
    const resource = url(`/${error}`);
    world.items = [item(resource)];
    world.handlers.set(`/${error}`, (response) => response.writeHead(status, headers).end(path));
    await discover(world.context);
    await advance(2);
    const since = new Date(world.time - 30 * 60_000).toISOString();
    world.time += 10 * 60_000;
    const report = expectReport(await createTrustReport(createTestReportContext(world), { resource }));
    const at = new Date(world.time).toISOString();
    expect(report).toMatchObject({
      freshness: { live: true, probedAt: at },
      lastFailure: { at, since, error, httpStatus: status, causes30d: { [error]: 2 } },
      stats: { lastProbedAt: at, probes30d: 2 },
    });
    // The next report uses the stored data.
    const stored = await readReport(resource);
    expectValidReport(stored);
    expect(stored).toMatchObject({ lastFailure: { at }, stats: { lastProbedAt: at } });
  });

  it('says why a challenge without payment options cannot be paid', async () => {
    const resource = url('/empty');
    world.items = [item(resource)];
    world.handlers.set('/empty', (response) => response.writeHead(402).end('<h1>Pay first</h1>'));
    await discover(world.context);
    await advance(2);
    const report = await readStoredReport(world, resource);
    expectValidReport(report);
    expect(report.stats.latestChallenge?.notPayableReason).toMatch(/PAYMENT-REQUIRED/);
    expect(report.reasons).toEqual([
      `No payment challenge was ever payable: ${report.stats.latestChallenge?.notPayableReason?.slice(0, -1)} (failed rule envelope-present).`,
    ]);
  });

  it('shows the values before and after a change of payment terms', async () => {
    const resource = url('/moved');
    world.items = [item(resource)];
    world.handlers.set('/moved', challenge);
    await discover(world.context);
    await advance(1);
    const payTo = `0x${'4'.repeat(40)}`;
    world.handlers.set('/moved', (response, at) => challenge(response, at, { payTo, amount: '20000' }));
    await advance(1);
    const report = await readReport(resource);
    expectValidReport(report);
    const changedAt = new Date(world.time).toISOString();
    expect(report.flags['payto-changed-recently']).toMatchObject({
      since: changedAt,
      evidence: { changedAt, after: payTo, network: 'eip155:8453' },
    });
    expect(report.flags['payto-changed-recently']?.evidence['before']).toMatch(/^0x/);
    expect(report.stats.changes.events).toContainEqual({
      kind: 'price_change',
      at: changedAt,
      before: '$0.01',
      after: '$0.02',
    });
  });
});
