import { formatMinute } from '@touchstone/common';
import { describe, expect, it } from 'vitest';
import { discover } from '../discovery/discover.ts';
import { expectValidReport, probeAndScore, readStoredReport } from '../testing/reports.ts';
import { challenge, useWorld, item } from '../testing/world.ts';

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
