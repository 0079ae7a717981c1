import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { pay, readBuyerAddress } from '../support/payment/buyer.ts';
import { countTransfersFrom } from '../support/payment/chain.ts';
import { startService } from '../support/service.ts';

const READY_MS = 240_000;
const RESOURCE = 'https://fxline.sandbox.test/v1/rates/latest';

let dataDir: string;
test.describe.configure({ timeout: 300_000 });
test.beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'touchstone-search-off-'));
});
test.afterAll(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

test('a service without an embedder sells reports, and charges nothing for a search', async () => {
  const service = await startService({ DATA_DIR: dataDir, SANDBOX_DAYS: '0', EMBEDDER: 'none' });
  await service.waitForOutput('schedule', READY_MS);
  const seller = { url: service.url, dataDir };
  const countPayments = () => countTransfersFrom(readBuyerAddress(dataDir), dataDir);

  for (const [path, body] of [
    ['/v1/semantic-search', { query: 'exchange rates of currencies' }],
    ['/v1/similar', { resource: RESOURCE }],
  ] as const) {
    const response = await pay(path, body, seller);
    expect(response.status).toBe(503);
    expect(response.headers.has('payment-response')).toBe(false);
    expect(await response.json()).toMatchObject({
      ...{ code: 'search-unavailable', notCharged: true, instance: path },
    });
  }
  expect(await countPayments()).toBe(0);

  const report = await pay('/v1/x402-trust', { resource: RESOURCE }, seller);
  expect(report.status).toBe(200);
  expect(await countPayments()).toBe(1);
  expect(await service.stop()).toBe(0);
});
