import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '@touchstone/common';
import type { TrustReport } from '@touchstone/contract';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { refusePayment } from '@touchstone/store';
import { discover } from '../discovery/discover.ts';
import { deleteUnpaidAdoptions } from './expire-adoptions.ts';
import type { ReportContext } from './report-context.ts';
import { toEndpointId, listAndProbe, createTestReportContext, expectReport } from '../testing/reports.ts';
import { serveOverTls } from '../testing/secure.ts';
import { challenge, createWorld, item, type World } from '../testing/world.ts';
import { createTrustReport } from './trust-report.ts';

const keys = createKeys();
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
  // Deletes all endpoints, so that provisional adoptions do not expire in the next test.
  const { error } = await world.context.db.from('endpoints').delete().neq('id', '');
  expect(error).toBeNull();
  await secure.close();
  await world.close();
});

const getHost = (): string => `u${tests}.example.com`;
const url = (path = '/paid'): string => `https://${getHost()}${path}`;

async function buy(): Promise<TrustReport> {
  return expectReport(await createTrustReport(context, { resource: url() }));
}

type PaymentRow = Partial<{ state: string; settled_at: string; result: string; lease_until: string }>;

/** Stores a payment for a report on the endpoint, as the seller does before it makes the report. */
async function storePayment(row: PaymentRow): Promise<void> {
  const { error } = await world.context.db.from('payments').insert({
    network: 'eip155:8453',
    asset: '0xa',
    payer: `0x${tests}`,
    nonce: `nonce-${tests}`,
    route: 'POST /v1/x402-trust',
    request_hash: 'r',
    payment_hash: 'p',
    resource: url(),
    pay_to: '0xb',
    amount: 5_000,
    valid_before: toTime(world.time + HOUR_MS),
    state: 'working',
    owner: 'request',
    lease_until: toTime(world.time + MINUTE_MS),
    created_at: toTime(world.time),
    ...row,
  });
  expect(error).toBeNull();
}

const setPayment = async (row: PaymentRow): Promise<void> => {
  const { error } = await world.context.db.from('payments').update(row).eq('nonce', `nonce-${tests}`);
  expect(error).toBeNull();
};

/** Advances the time by a number of minutes and runs the job. Returns the number of deleted endpoints. */
async function expireAfter(minutes: number): Promise<number> {
  world.time += minutes * MINUTE_MS;
  return (await deleteUnpaidAdoptions(world.context)).deleted;
}

const toTime = (ms: number): string => new Date(ms).toISOString();

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

/** Lists the tables that contain rows of the endpoint. */
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
  it('is deleted completely after 15 minutes when its report was not paid', async () => {
    const { endpointId } = await buy();
    // The second live probe is the first miss, so a recheck is leased.
    world.handlers.set('/paid', (response) => response.writeHead(503).end());
    world.time += MINUTE_MS;
    await buy();
    await storePayment({ state: 'failed' });
    expect(await listTables(endpointId)).toEqual(
      expect.arrayContaining(['endpoints', 'observations', 'snapshots', 'schedules', 'leases']),
    );
    expect(await expireAfter(14)).toBe(0);
    expect(await listTables(endpointId)).toContain('endpoints');
    world.changedTags.length = 0;
    expect(await expireAfter(1)).toBe(1);
    expect(await listTables(endpointId)).toEqual([]);
    expect(world.changedIds).toEqual([endpointId]);
    expect(world.changedTags).toContain(`provider:${getHost()}`);
    expect(await expireAfter(15)).toBe(0);
  });

  it('starts again with the next report after it was deleted', async () => {
    await buy();
    expect(await expireAfter(15)).toBe(1);
    const next = await buy();
    expect(next.stats.probes30d).toBe(1);
    expect(next.flags).toHaveProperty('first-contact');
  });

  it.each(['settled', 'disputed'])('stays when its payment is %s', async (state) => {
    const { endpointId } = await buy();
    await storePayment({ state, settled_at: toTime(world.time), result: '{}' });
    expect(await expireAfter(15)).toBe(0);
    await setPayment({ state: 'settled', settled_at: toTime(world.time) });
    expect(await expireAfter(60)).toBe(0);
    expect(await listTables(endpointId)).toContain('endpoints');
  });

  it('stays when another buyer paid for a report on it in the meantime', async () => {
    const { endpointId } = await buy();
    world.time += 14 * MINUTE_MS;
    await buy();
    await storePayment({ state: 'settled', settled_at: toTime(world.time), result: '{}' });
    expect(await expireAfter(1)).toBe(0);
    expect(await listTables(endpointId)).toContain('endpoints');
  });

  it('is not deleted while another buyer purchases a report on it', async () => {
    const { endpointId } = await buy();
    world.time += 14 * MINUTE_MS;
    await buy();
    expect(await expireAfter(1)).toBe(0);
    expect(await listTables(endpointId)).toContain('endpoints');
    expect(await expireAfter(14)).toBe(1);
  });

  it('ends at once when its payment is refused', async () => {
    await buy();
    await storePayment({ state: 'settling', result: '{}' });
    const key = { network: 'eip155:8453', asset: '0xa', payer: `0x${tests}`, nonce: `nonce-${tests}` };
    expect(await refusePayment(world.context.db, { ...key, owner: 'request' }, world.time)).toBe(true);
    expect(await expireAfter(0)).toBe(1);
  });

  it('is not kept by a payment from before the adoption', async () => {
    await buy();
    const before = toTime(world.time - HOUR_MS);
    await storePayment({ state: 'settled', settled_at: before, result: '{}' });
    expect(await expireAfter(15)).toBe(1);
  });

  it('waits while the settlement of its payment is unknown', async () => {
    const { endpointId } = await buy();
    await storePayment({ state: 'settling', result: '{}' });
    expect(await expireAfter(15)).toBe(0);
    expect(await expireAfter(15)).toBe(0);
    expect(await listTables(endpointId)).toContain('endpoints');
    await setPayment({ state: 'failed' });
    expect(await expireAfter(15)).toBe(1);
    expect(await listTables(endpointId)).toEqual([]);
  });

  it('waits for a request at work, and not for one whose process died', async () => {
    const { endpointId } = await buy();
    await storePayment({ state: 'working', lease_until: toTime(world.time + 16 * MINUTE_MS) });
    expect(await expireAfter(15)).toBe(0);
    expect(await listTables(endpointId)).toContain('endpoints');
    expect(await expireAfter(15)).toBe(1);
  });

  it('is not kept by a payment for another endpoint', async () => {
    await buy();
    await storePayment({ state: 'settled', settled_at: toTime(world.time), result: '{}' });
    const { error } = await world.context.db
      .from('payments')
      .update({ resource: url('/other') })
      .eq('nonce', `nonce-${tests}`);
    expect(error).toBeNull();
    expect(await expireAfter(15)).toBe(1);
  });

  it('stays when a directory has listed the endpoint in the meantime', async () => {
    const { endpointId } = await buy();
    world.items = [item(url())];
    await discover(world.context);
    expect(await expireAfter(15)).toBe(0);
    expect(await listTables(endpointId)).toEqual(expect.arrayContaining(['endpoints', 'snapshots']));
  });

  it('is provisional although its report failed', async () => {
    const failing = { ...context, onChanged: () => Promise.reject(new Error('no pages')) };
    await expect(createTrustReport(failing, { resource: url() })).rejects.toThrow('no pages');
    expect(await expireAfter(15)).toBe(1);
    expect(await listTables(toEndpointId(url()))).toEqual([]);
  });

  it('does not expire for an endpoint that a directory added', async () => {
    await listAndProbe(world, `http://${getHost()}/paid`);
    expect(await expireAfter(24 * 60)).toBe(0);
    expect(await listTables(toEndpointId(`http://${getHost()}/paid`))).toContain('endpoints');
  });
});
