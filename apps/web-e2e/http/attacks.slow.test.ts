import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  countFacilitatorRequests,
  createHookVariables,
  toSilentUrl,
} from '../support/attacks/hooked-sandbox.ts';
import { createHttpClient, type HttpClient } from '../support/attacks/http-client.ts';
import { createPayer, forgePayment, fundWallet, type Payer } from '../support/attacks/payer.ts';
import { toEndpointPath } from '../support/endpoint-path.ts';
import { countTransfersFrom } from '../support/payment/chain.ts';
import { startService, type RunningService } from '../support/service.ts';
import { readDemoWalletKey, readServiceAddresses } from '../support/service-files.ts';

const START_MS = 300_000;
/** Maximum time until the site has read the ids of the known endpoints from the database, in milliseconds. */
const READ_MS = 30_000;
const SILENT_PURCHASES = 40;
const FORGED_PAYMENTS = 50;
const UNKNOWN_SLUGS = 400;
const TRUST = '/v1/x402-trust';
const RESOURCE = 'https://fxline.sandbox.test/v1/rates/latest';
const HISTORY = {
  path: '/v1/x402-history',
  body: { resource: RESOURCE },
};

let dataDir: string;
let record: string;
let service: RunningService;
let buyer: Payer;
let lastAddress = 1;
const clients: HttpClient[] = [];

/** Creates a client with its own IP address, so that the tests do not share rate limits. */
function openClient(): HttpClient {
  lastAddress += 1;
  const client = createHttpClient(service.url, `127.0.0.${lastAddress}`);
  clients.push(client);
  return client;
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'touchstone-attacks-'));
  record = join(dataDir, 'facilitator-requests.log');
  service = await startService({
    DATA_DIR: dataDir,
    SANDBOX_DAYS: '1',
    ...createHookVariables(record),
  });
  await service.waitForOutput('schedule', START_MS);
  buyer = createPayer(readDemoWalletKey(dataDir));
}, START_MS);
afterAll(async () => {
  for (const client of clients) client.close();
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

it('purchases of URLs that never respond do not delay the purchase of another client', async () => {
  const attacker = createPayer();
  const { chains } = readServiceAddresses(dataDir);
  await fundWallet(chains.rpcUrls['eip155:8453'] ?? '', attacker.address, 1_000_000n);
  const [attacking, honest] = [openClient(), openClient()];
  const purchase = { path: TRUST, body: { resource: toSilentUrl(0) } };
  const payments = await attacker.sign(attacking, purchase, SILENT_PURCHASES);
  const statuses: number[] = [];
  const pending = payments.map(async (headers, index) => {
    const body = { resource: toSilentUrl(index) };
    const { status } = await attacking.send({ method: 'POST', path: TRUST, body, headers });
    statuses.push(status);
  });
  const { status } = await buyer.buy(honest, HISTORY);
  const probedBefore = statuses.filter((each) => each === 422).length;
  await Promise.all(pending);
  expect(status).toBe(200);
  // Without a limit per client, the 40 purchases of the attacker would occupy all 16 places of the purchase queue. Then
  // at least 24 purchases of the attacker would end before the purchase of the other client begins.
  expect(probedBefore).toBeLessThan(16);
  expect(statuses.filter((each) => ![422, 429, 503].includes(each))).toEqual([]);
  expect(await countTransfersFrom(attacker.address, dataDir)).toBe(0);
});

it('payments with a forged signature are refused without a request to the facilitator', async () => {
  const client = openClient();
  const payments = await buyer.sign(client, HISTORY, FORGED_PAYMENTS);
  const transfers = await countTransfersFrom(buyer.address, dataDir);
  const before = countFacilitatorRequests(record, '/verify');
  for (const headers of payments.map(forgePayment)) {
    const reply = await client.send({ method: 'POST', ...HISTORY, headers });
    expect(reply.status).toBe(402);
    expect(JSON.parse(reply.body)).toMatchObject({ notCharged: true });
  }
  expect(countFacilitatorRequests(record, '/verify')).toBe(before);
  // This purchase shows that the record works: a valid payment causes one request to the facilitator.
  expect((await buyer.buy(client, HISTORY)).status).toBe(200);
  expect(countFacilitatorRequests(record, '/verify')).toBe(before + 1);
  expect(await countTransfersFrom(buyer.address, dataDir)).toBe(transfers + 1);
});

it('requests for unknown slugs are limited, and purchases still work', async () => {
  const attacking = openClient();
  // At the first request for a page, the site begins to read the ids of the known endpoints in the background.
  const known = openClient();
  await expect
    .poll(async () => (await known.send({ path: toEndpointPath(RESOURCE) })).status, { timeout: READ_MS })
    .toBe(200);
  const statuses = new Set<number>();
  const requests = Array.from({ length: UNKNOWN_SLUGS }, async (_, index) => {
    const letters = String(index)
      .padStart(4, '0')
      .replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));
    const { status } = await attacking.send({ path: `/endpoint/unknown-zzzzzz${letters}` });
    statuses.add(status);
  });
  const bought = await buyer.buy(openClient(), HISTORY);
  await Promise.all(requests);
  expect(bought).toMatchObject({ status: 200 });
  // The attacker exceeds its limit of unknown pages.
  expect([...statuses].toSorted()).toEqual([404, 429]);
  expect((await buyer.buy(attacking, HISTORY)).status).toBe(200);
});
