import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '@touchstone/common';
import type { TrustReport } from '@touchstone/contract';
import { refusePayment } from '@touchstone/store';
import { discover } from '../discovery/discover.ts';
import { deleteUnpaidAdoptions } from './adopt.ts';
import type { ReportContext } from './report-context.ts';
import { toEndpointId, listAndProbe, createTestReportContext, expectReport } from '../testing/reports.ts';
import { serveOverTls } from '../testing/secure.ts';
import { challenge, useWorld, item } from '../testing/world.ts';
import { createTrustReport } from './trust-report.ts';

const world = useWorld();
let secure: Awaited<ReturnType<typeof serveOverTls>>;
let context: ReportContext;

beforeAll(async () => {
  secure = await serveOverTls(world);
});
beforeEach(async () => {
  // The job deletes the unpaid adoptions of all tests, so the adoptions of earlier tests are deleted first.
  await world.clear();
  world.handlers.set('/paid', challenge);
  context = createTestReportContext(world, { prober: secure.prober });
});
afterAll(() => secure.close());

const url = (path = '/paid'): string => `https://${world.host}${path}`;

async function buy(): Promise<TrustReport> {
  return expectReport(await createTrustReport(context, { resource: url() }));
}

type PaymentRow = Partial<Record<'state' | 'settled_at' | 'result' | 'lease_until' | 'resource', string>>;

/** Stores a payment for a report on the endpoint, as the seller does before it makes the report. */
async function storePayment(row: PaymentRow): Promise<void> {
  const requested = { route: 'POST /v1/x402-trust', request_hash: 'r', payment_hash: 'p', resource: url() };
  const terms = { pay_to: '0xb', amount: 5_000, valid_before: toTime(world.time + HOUR_MS) };
  const lease = { state: 'working', owner: 'request', lease_until: toTime(world.time + MINUTE_MS) };
  const payment = { ...getKey(), ...requested, ...terms, ...lease, created_at: toTime(world.time), ...row };
  await world.context.db.from('payments').insert(payment).throwOnError();
}

const getKey = () => ({ network: 'eip155:8453', asset: '0xa', payer: '0x1', nonce: `nonce-${world.host}` });

const setPayment = async (row: PaymentRow): Promise<void> => {
  await world.context.db.from('payments').update(row).eq('nonce', getKey().nonce).throwOnError();
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
    expect(world.changedTags).toContain(`provider:${world.host}`);
    expect(await expireAfter(15)).toBe(0);
    // The next report adopts the endpoint again, without the deleted probes.
    world.handlers.set('/paid', challenge);
    expect((await buy()).stats.probes30d).toBe(1);
  });

  it.each([
    ['its payment is settled', 'settled', 0],
    ['its payment is disputed', 'disputed', 0],
    ['another buyer paid for a report on it in the meantime', 'settled', 14],
  ])('stays when %s', async (_, state, minutes) => {
    const { endpointId } = await buy();
    world.time += minutes * MINUTE_MS;
    if (minutes > 0) await buy();
    await storePayment({ state, settled_at: toTime(world.time), result: '{}' });
    expect(await expireAfter(15 - minutes)).toBe(0);
    await setPayment({ state: 'settled', settled_at: toTime(world.time) });
    expect(await expireAfter(60)).toBe(0);
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
    const refused = { ...getKey(), owner: 'request' };
    expect(await refusePayment(world.context.db, refused, world.time)).toBe(true);
    expect(await expireAfter(0)).toBe(1);
  });

  it.each([
    ['from before the adoption', () => ({ settled_at: toTime(world.time - HOUR_MS) })],
    ['for another endpoint', () => ({ settled_at: toTime(world.time), resource: url('/other') })],
  ])('is not kept by a payment %s', async (_, getRow) => {
    await buy();
    await storePayment({ state: 'settled', result: '{}', ...getRow() });
    expect(await expireAfter(15)).toBe(1);
  });

  it('waits while the settlement of its payment is unknown', async () => {
    const { endpointId } = await buy();
    await storePayment({ state: 'settling', result: '{}' });
    for (let count = 0; count < 2; count += 1) expect(await expireAfter(15)).toBe(0);
    expect(await listTables(endpointId)).toContain('endpoints');
    await setPayment({ state: 'failed' });
    expect(await expireAfter(15)).toBe(1);
  });

  it('waits for a request at work, and not for one whose process died', async () => {
    await buy();
    await storePayment({ state: 'working', lease_until: toTime(world.time + 16 * MINUTE_MS) });
    expect(await expireAfter(15)).toBe(0);
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
    await listAndProbe(world, `http://${world.host}/paid`);
    expect(await expireAfter(24 * 60)).toBe(0);
    expect(await listTables(toEndpointId(`http://${world.host}/paid`))).toContain('endpoints');
  });
});
