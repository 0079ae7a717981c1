import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { connect } from '@touchstone/store';
import { discover } from '../discovery/discover.ts';
import type { ReportContext, ReportMade } from './report-context.ts';
import { claimAndProbe } from '../probing/probe-due.ts';
import { toEndpointId, listAndProbe, createTestReportContext, expectReport } from '../testing/reports.ts';
import { serveOverTls } from '../testing/secure.ts';
import { challenge, createWorld, item, type World } from '../testing/world.ts';
import { createTrustReport } from './trust-report.ts';

const keys = createKeys();
const MINUTE = 60_000;
let database: EmbeddedDatabase;
let world: World;
let secure: Awaited<ReturnType<typeof serveOverTls>>;
let context: ReportContext;
let tests = 0;

beforeAll(async () => {
  database = await startMigrated({ keys });
});
afterAll(() => database.close());
beforeEach(async () => {
  tests += 1;
  world = await createWorld({ url: database.url, secret: keys.secret }, Date.UTC(2026, 0, tests));
  world.handlers.set('/paid', challenge);
  secure = await serveOverTls(world, [getHost()]);
  context = createTestReportContext(world, { prober: secure.prober });
});
afterEach(async () => {
  await secure.close();
  await world.close();
});

const getHost = (): string => `u${tests}.example.com`;
const url = (path = '/paid'): string => `https://${getHost()}${path}`;

async function buy(by: ReportContext = context): Promise<ReportMade> {
  const outcome = await createTrustReport(by, { resource: url() });
  expectReport(outcome);
  if (outcome.kind === 'problem') throw new Error(outcome.detail);
  return outcome;
}

/** Creates the context of another process, which shares only the database with this one. */
const createOtherContext = (): ReportContext => ({
  ...context,
  db: connect({ url: database.url, key: keys.secret }),
});

const TABLES = [
  'endpoint_states',
  'schedules',
  'observations',
  'daily_rollups',
  'changes',
  'snapshots',
  'daily_scores',
  'leases',
  'scoring_queue',
] as const;

/** Lists the tables with rows of the endpoint. */
async function listTables(id: string): Promise<string[]> {
  const { db } = world.context;
  const found: string[] = [];
  const { count } = await db.from('endpoints').select('*', { count: 'exact', head: true }).eq('id', id);
  if (count !== 0) found.push('endpoints');
  for (const table of TABLES) {
    const rows = await db.from(table).select('*', { count: 'exact', head: true }).eq('endpoint_id', id);
    if (rows.count !== 0) found.push(table);
  }
  return found;
}

describe('an adoption', () => {
  it('is undone completely when its report is not paid', async () => {
    world.handlers.set('/paid', (response) => response.writeHead(503).end());
    const { report, undo } = await buy();
    expect(await listTables(report.endpointId)).toEqual(
      expect.arrayContaining(['endpoints', 'observations', 'snapshots', 'schedules', 'leases']),
    );
    world.changedIds.length = 0;
    await undo?.();
    expect(await listTables(report.endpointId)).toEqual([]);
    expect(world.changedIds).toEqual([report.endpointId]);
    // A second undo does not delete an adoption by another request.
    const next = await buy();
    expect(next.report.stats.probes).toBe(1);
    await undo?.();
    expect(await listTables(report.endpointId)).toContain('endpoints');
  });

  it('stays when another process sold a report on the endpoint', async () => {
    const first = await buy();
    const second = await buy(createOtherContext());
    await first.undo?.();
    expect(await listTables(second.report.endpointId)).toContain('endpoints');
    await second.undo?.();
    expect(await listTables(second.report.endpointId)).toEqual([]);
  });

  it('stays when two processes adopt at once and one is paid', async () => {
    const [first, second] = await Promise.all([buy(), buy(createOtherContext())]);
    expect([first.undo, second.undo]).not.toContain(null);
    await second.undo?.();
    await second.undo?.();
    expect(await listTables(first.report.endpointId)).toContain('endpoints');
    await first.undo?.();
    expect(await listTables(first.report.endpointId)).toEqual([]);
  });

  it('stays when two requests share one probe and one is paid', async () => {
    const [first, second] = await Promise.all([buy(), buy()]);
    expect(world.requestedUrls).toHaveLength(1);
    await first.undo?.();
    await first.undo?.();
    expect(await listTables(second.report.endpointId)).toContain('endpoints');
    await second.undo?.();
    expect(await listTables(second.report.endpointId)).toEqual([]);
  });

  it('stays when a directory has listed the endpoint in the meantime', async () => {
    const { report, undo } = await buy();
    world.items = [item(url())];
    await discover(world.context);
    await undo?.();
    expect(await listTables(report.endpointId)).toEqual(expect.arrayContaining(['endpoints', 'snapshots']));
  });

  it('is repeated when it is undone during the next purchase', async () => {
    const first = await buy();
    const prober: ReportContext['prober'] = async (target) => {
      await first.undo?.();
      return secure.prober(target);
    };
    const second = await buy({ ...createOtherContext(), prober });
    expect(await listTables(second.report.endpointId)).toContain('endpoints');
  });

  it('cannot be undone after some minutes', async () => {
    const { report, undo } = await buy();
    world.time += 30 * MINUTE;
    await claimAndProbe({ ...world.context, prober: secure.prober });
    expect((await buy()).undo).toBeNull();
    await undo?.();
    expect(await listTables(report.endpointId)).toContain('endpoints');
  });

  it('is undone when the report fails', async () => {
    const failing = { ...context, onChanged: () => Promise.reject(new Error('no pages')) };
    await expect(createTrustReport(failing, { resource: url() })).rejects.toThrow('no pages');
    expect(await listTables(toEndpointId(url()))).toEqual([]);
  });

  it('is not undone for a known endpoint', async () => {
    await listAndProbe(world, `http://${getHost()}/paid`);
    const outcome = await createTrustReport(createTestReportContext(world), {
      resource: `http://${getHost()}/paid`,
    });
    expect(outcome).toMatchObject({ kind: 'report', undo: null });
  });
});
