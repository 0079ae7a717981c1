import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { connect } from '@touchstone/store';
import { discover } from './discover.ts';
import type { ReportContext, ReportMade } from './report-context.ts';
import { sweep } from './sweep.ts';
import { idOf, makeKnown, reportContextOf, soundReport } from './testing/reports.ts';
import { serveSecurely } from './testing/secure.ts';
import { challenge, createWorld, item, type World } from './testing/world.ts';
import { trustReport } from './trust-report.ts';

const keys = createKeys();
const MINUTE = 60_000;
let database: EmbeddedDatabase;
let world: World;
let secure: Awaited<ReturnType<typeof serveSecurely>>;
let context: ReportContext;
let tests = 0;

beforeAll(async () => {
  database = await startMigrated({ keys });
});
afterAll(() => database.close());
beforeEach(async () => {
  tests += 1;
  world = await createWorld({ url: database.url, secret: keys.secret }, Date.UTC(2026, 0, tests));
  world.answers.set('/paid', challenge);
  secure = await serveSecurely(world, [host()]);
  context = reportContextOf(world, { prober: secure.prober });
});
afterEach(async () => {
  await secure.close();
  await world.close();
});

const host = (): string => `u${tests}.example.com`;
const url = (path = '/paid'): string => `https://${host()}${path}`;

async function buy(by: ReportContext = context): Promise<ReportMade> {
  const outcome = await trustReport(by, { resource: url() });
  soundReport(outcome);
  if (outcome.kind === 'problem') throw new Error(outcome.detail);
  return outcome;
}

/** The same as in another process, which shares nothing with this one but the database. */
const elsewhere = (): ReportContext => ({
  ...context,
  db: connect({ url: database.url, key: keys.secret }),
});

const PLACES = [
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

/** The tables that know anything of the endpoint. */
async function placesOf(id: string): Promise<string[]> {
  const { db } = world.context;
  const found: string[] = [];
  const { count } = await db.from('endpoints').select('*', { count: 'exact', head: true }).eq('id', id);
  if (count !== 0) found.push('endpoints');
  for (const place of PLACES) {
    const rows = await db.from(place).select('*', { count: 'exact', head: true }).eq('endpoint_id', id);
    if (rows.count !== 0) found.push(place);
  }
  return found;
}

describe('an adoption', () => {
  it('is undone without a trace where its report is not paid for', async () => {
    world.answers.set('/paid', (response) => response.writeHead(503).end());
    const { report, undo } = await buy();
    expect(await placesOf(report.endpointId)).toEqual(
      expect.arrayContaining(['endpoints', 'observations', 'snapshots', 'schedules', 'leases']),
    );
    world.changed.length = 0;
    await undo?.();
    expect(await placesOf(report.endpointId)).toEqual([]);
    expect(world.changed).toEqual([report.endpointId]);
    // Undone again it is nothing that others brought meanwhile.
    const next = await buy();
    expect(next.report.stats.probes).toBe(1);
    await undo?.();
    expect(await placesOf(report.endpointId)).toContain('endpoints');
  });

  it('stays where another process sold a report on it before that', async () => {
    const first = await buy();
    const second = await buy(elsewhere());
    await first.undo?.();
    expect(await placesOf(second.report.endpointId)).toContain('endpoints');
    await second.undo?.();
    expect(await placesOf(second.report.endpointId)).toEqual([]);
  });

  it('stays where two processes brought it at once and one is paid', async () => {
    const [first, second] = await Promise.all([buy(), buy(elsewhere())]);
    expect([first.undo, second.undo]).not.toContain(null);
    await second.undo?.();
    await second.undo?.();
    expect(await placesOf(first.report.endpointId)).toContain('endpoints');
    await first.undo?.();
    expect(await placesOf(first.report.endpointId)).toEqual([]);
  });

  it('stays where two share one probe and one is paid', async () => {
    const [first, second] = await Promise.all([buy(), buy()]);
    expect(world.asked).toHaveLength(1);
    await first.undo?.();
    await first.undo?.();
    expect(await placesOf(second.report.endpointId)).toContain('endpoints');
    await second.undo?.();
    expect(await placesOf(second.report.endpointId)).toEqual([]);
  });

  it('stays where a directory lists it by now', async () => {
    const { report, undo } = await buy();
    world.items = [item(url())];
    await discover(world.context);
    await undo?.();
    expect(await placesOf(report.endpointId)).toEqual(expect.arrayContaining(['endpoints', 'snapshots']));
  });

  it('is made anew where it is undone while the next one is bought', async () => {
    const first = await buy();
    const prober: ReportContext['prober'] = async (target) => {
      await first.undo?.();
      return secure.prober(target);
    };
    const second = await buy({ ...elsewhere(), prober });
    expect(await placesOf(second.report.endpointId)).toContain('endpoints');
  });

  it('is over after some minutes, and cannot be undone', async () => {
    const { report, undo } = await buy();
    world.time += 30 * MINUTE;
    await sweep({ ...world.context, prober: secure.prober });
    expect((await buy()).undo).toBeNull();
    await undo?.();
    expect(await placesOf(report.endpointId)).toContain('endpoints');
  });

  it('leaves nothing where the report fails on our side', async () => {
    const failing = { ...context, onChanged: () => Promise.reject(new Error('no pages')) };
    await expect(trustReport(failing, { resource: url() })).rejects.toThrow('no pages');
    expect(await placesOf(idOf(url()))).toEqual([]);
  });

  it('of what is known has nothing to undo', async () => {
    await makeKnown(world, `http://${host()}/paid`);
    const outcome = await trustReport(reportContextOf(world), { resource: `http://${host()}/paid` });
    expect(outcome).toMatchObject({ kind: 'report', undo: null });
  });
});
