import { recoverTypedDataAddress, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { beforeEach, expect, test } from 'vitest';
import { BASE } from '../chain/network.ts';
import { createSimulatedEndpoints } from '../endpoints/simulated-endpoint.ts';
import { loadScenario } from '../scenario/scenario-schema.ts';
import { createBuyer } from './buyer.ts';
import type { LedgerEntry } from './ledger.ts';
import { createOutcomeReports } from './outcome-reports.ts';

const account = privateKeyToAccount(generatePrivateKey());
const endpoints = createSimulatedEndpoints({ scenario: loadScenario(), seed: 'touchstone', epoch: 0 });
const PAID_AT = '2026-06-01T00:00:02.000Z';
const NONCE = `0x${'7b'.repeat(32)}` as const;
interface Report {
  readonly nonce: Hex;
  readonly signature: Hex;
  readonly http_status: number;
}
let sent: Report[];
/** Status of the service's responses. */
let status: number;
beforeEach(() => ([sent, status] = [[], 200]));

const reports = (serviceUrl: string | null = 'https://touchstone.example/base') =>
  createOutcomeReports({
    ...{ endpoints, serviceUrl },
    findBuyer: (address) => (address === account.address ? createBuyer(account, BASE) : undefined),
    fetch: async (url, init) => {
      const { pathname } = new URL(url instanceof Request ? url.url : url);
      if (pathname === '/v1/outcomes') sent.push((await new Response(init?.body).json()) as Report);
      return new Response('{}', { status });
    },
  });

function createEntry(endpoint: string, nonce: Hex = NONCE): LedgerEntry {
  return {
    ...{ endpoint, nonce, network: BASE.id, payer: account.address, payTo: account.address, amount: '10000' },
    ...{ wash: false, transaction: `0x${'ab'.repeat(32)}`, at: PAID_AT },
  };
}

const bytes32 = 'bytes32';
const recover = (report: Report) =>
  recoverTypedDataAddress({
    domain: { name: 'Touchstone outcome', version: '1' },
    primaryType: 'Outcome',
    types: {
      Outcome: [
        { name: 'service', type: 'string' },
        { name: 'resource', type: 'string' },
        { name: 'network', type: 'string' },
        { name: 'payer', type: 'address' },
        { name: 'nonce', type: bytes32 },
        { name: 'transaction', type: bytes32 },
        { name: 'delivered', type: 'bool' },
        { name: 'httpStatus', type: 'uint16' },
        { name: 'bodySha256', type: bytes32 },
        { name: 'observedAt', type: 'string' },
      ],
    },
    message: {
      service: 'https://touchstone.example',
      resource: 'https://autoworth.sandbox.test/v1/cars/values',
      network: 'eip155:8453',
      payer: account.address,
      nonce: report.nonce,
      transaction: `0x${'0'.repeat(64)}`,
      delivered: false,
      httpStatus: report.http_status,
      bodySha256: `0x${'0'.repeat(64)}`,
      observedAt: PAID_AT,
    },
    signature: report.signature,
  });

test('the latest payment of a payer to the endpoint for testers is reported once, signed by the payer', async () => {
  const own = reports();
  const later = `0x${'8c'.repeat(32)}` as const;
  own.record([
    { entry: createEntry('autoworth-values'), httpStatus: 502 },
    { entry: createEntry('autoworth-values', later), httpStatus: 502 },
    { entry: createEntry('skyfall-current'), httpStatus: 200 },
  ]);
  await own.sendDue(0);
  await own.sendDue(1);
  expect(sent).toMatchObject([
    {
      resource: 'https://autoworth.sandbox.test/v1/cars/values',
      ...{ network: 'eip155:8453', payer: account.address.toLowerCase(), nonce: later },
      ...{ delivered: false, http_status: 502, body_sha256: null, observed_at: PAID_AT },
    },
  ]);
  for (const report of sent) expect(await recover(report)).toBe(account.address);
});

test('a failed report is repeated after growing delays, at most seven times', async () => {
  status = 503;
  const own = reports();
  own.record([{ entry: createEntry('autoworth-values'), httpStatus: 502 }]);
  const attempts: number[] = [];
  for (let at = 0; at < 3_600_000; at += 5_000) {
    const before = sent.length;
    await own.sendDue(at);
    if (sent.length > before) attempts.push(at / 1_000);
  }
  expect(attempts).toEqual([0, 5, 15, 35, 75, 155, 315, 635]);
});

test('nothing is sent without a service', async () => {
  const own = reports(null);
  own.record([{ entry: createEntry('autoworth-values'), httpStatus: 502 }]);
  await own.sendDue(0);
  expect(sent).toEqual([]);
});
