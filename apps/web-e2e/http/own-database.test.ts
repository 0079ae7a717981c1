import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pay, readBuyerAddress } from '../support/payment/buyer.ts';
import { countTransfersFrom } from '../support/payment/chain.ts';
import { createServiceVariables, startService, type RunningService } from '../support/service.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const RESOURCE = 'https://skyfall.sandbox.test/v2/current';

// Test of a service without an embedder. Its database belongs to the operator, and runs on PostgreSQL if PostgreSQL is
// installed.
let dataDir: string;
let database: EmbeddedDatabase;
let service: RunningService;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'touchstone-own-database-'));
  const keys = createKeys();
  database = await startMigrated({ keys });
  service = await startService({
    ...{ DATA_DIR: dataDir, SANDBOX_DAYS: '0', EMBEDDER: 'none', SUPABASE_URL: database.url },
    ...{ SUPABASE_PUBLISHABLE_KEY: keys.publishable, SUPABASE_SECRET_KEY: keys.secret },
  });
  await service.waitForOutput('schedule', 110_000);
});
afterAll(async () => {
  await service.stop();
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const buy = (path: string, body: Readonly<Record<string, unknown>>): Promise<Response> =>
  pay(path, body, { url: service.url, dataDir });

it('uses the configured database, and creates none', () => {
  expect(service.output()).toContain(`database    ${database.url}`);
  expect(readdirSync(dataDir)).not.toContain('db');
});

it.each([
  ['/v1/semantic-search', { query: 'exchange rates of currencies' }],
  ['/v1/similar', { resource: RESOURCE }],
])('charges nothing for %s, which needs an embedder', async (path, body) => {
  const response = await buy(path, body);
  expect([response.status, response.headers.has('payment-response')]).toEqual([503, false]);
  expect(await response.json()).toMatchObject({
    ...{ code: 'search-unavailable', notCharged: true, instance: path },
  });
  expect(await countTransfersFrom(readBuyerAddress(dataDir), dataDir)).toBe(0);
});

it('sells a report with a live probe, and records its settlement', async () => {
  const response = await buy('/v1/x402-trust', { resource: RESOURCE });
  expect(await response.json()).toMatchObject({ resource: RESOURCE, freshness: { live: true } });
  expect(await countTransfersFrom(readBuyerAddress(dataDir), dataDir)).toBe(1);
  const readPayments = async () => {
    const { rows } = await database.connection.driver.query(
      'select state, route, transaction is not null as "hasTransaction" from public.payments',
    );
    return rows;
  };
  await expect
    .poll(readPayments)
    .toEqual([{ state: 'settled', route: 'POST /v1/x402-trust', hasTransaction: true }]);
});

it.each([
  [
    'a folder in use',
    () => ({ DATA_DIR: dataDir, PORT: '3999' }),
    /^DATA_DIR .* is in use by process \d+\. /,
  ],
  ['an invalid setting', () => ({ SANDBOX_DAYS: 'x' }), /^SANDBOX_DAYS must be a whole number /],
  ['a port in use', () => ({ PORT: new URL(service.url).port }), /^Port \d+ is already in use\. /],
] as const)('another service with %s exits with one line', (_, toVariables, expected) => {
  const { status, stderr } = spawnSync(process.execPath, ['apps/service/src/main.ts'], {
    cwd: ROOT,
    env: createServiceVariables({ DATA_DIR: `${dataDir}-other`, ...toVariables() }),
    encoding: 'utf8',
  });
  rmSync(`${dataDir}-other`, { recursive: true, force: true });
  expect([status, stderr.trim().split('\n').length]).toEqual([1, 1]);
  expect(stderr.trim()).toMatch(expected);
});
