import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DAY_MS, readBoundedText } from '@touchstone/common';
import { outcomeInputSchema } from '@touchstone/contract/operations/outcome/operation';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { discover, scoreChanged, settle, type PipelineContext } from '@touchstone/pipeline';
import { reportOutcome } from '@touchstone/pipeline/outcomes/report-outcome';
import { connect, readSettlementFigures, type Db } from '@touchstone/store';
import { afterAll, beforeAll, expect, it, vi, type TestContext } from 'vitest';
import { z } from 'zod';
import { createSandboxChains } from '../context.ts';
import { openDataFolder, type DataFolder } from '../data-folder/data-folder.ts';
import { Supervisor } from '../processes/supervisor.ts';
import { startSandboxProcess, type Sandbox } from './start-sandbox.ts';

const BASE = 'eip155:8453';
const POLYGON = 'eip155:137';
const NETWORKS = [BASE, POLYGON] as const;
const paymentSchema = z.object({
  network: z.enum(NETWORKS),
  endpoint: z.string(),
  payer: z.string().toLowerCase(),
  payTo: z.string().toLowerCase(),
  amount: z.string().transform(BigInt),
  at: z.iso.datetime().transform((at) => Date.parse(at)),
  wash: z.boolean(),
});
type Payment = z.infer<typeof paymentSchema>;
/** Wallet of a seller on one network. */
type Wallet = Pick<Payment, 'network' | 'payTo'>;

const keys = createKeys();
const path = mkdtempSync(join(tmpdir(), 'touchstone-chains-'));
/** Service to which the agents report the outcomes of their payments. */
const service = createServer((request, response) => {
  void receiveReport(request).then(
    (reported) => {
      reports.push(reported);
      response.writeHead(reported.kind === 'result' ? 200 : 400).end();
    },
    () => response.writeHead(500).end(),
  );
});
const reports: Awaited<ReturnType<typeof receiveReport>>[] = [];
let baseUrl: string;
let folder: DataFolder;
let database: EmbeddedDatabase;
let sandbox: Sandbox;
let db: Db;
let supervisor: Supervisor;
/** Starts the sandbox with a new supervisor. */
const open = (): Promise<Sandbox> => {
  supervisor = new Supervisor({ logDir: join(path, 'logs'), print: () => undefined });
  const settings = { seed: 'touchstone', days: 3, listings: null, network: BASE } as const;
  return startSandboxProcess({ folder, config: { sandbox: settings, baseUrl }, supervisor });
};
beforeAll(async () => {
  await new Promise<void>((ready) => service.listen(0, '127.0.0.1', ready));
  baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  folder = openDataFolder(path);
  [database, sandbox] = await Promise.all([startMigrated({ keys }), open()]);
  db = connect({ url: database.url, key: keys.secret });
}, 60_000);
afterAll(async () => {
  await supervisor.stop();
  service.close();
  await database.close();
  folder.release();
  rmSync(path, { recursive: true, force: true });
});

const ledger = (): Payment[] =>
  readFileSync(sandbox.chains?.ledgerFile ?? '', 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => paymentSchema.parse(JSON.parse(line)));

const contextAt = (at: number): PipelineContext => ({
  db,
  prober: () => Promise.reject(new Error('this test does not probe')),
  directories: [{ name: 'sandbox', url: sandbox.directoryUrl }],
  fetch: globalThis.fetch,
  now: () => at,
  hostSuffix: '.sandbox.test',
  owner: 'test',
  onChanged: () => Promise.resolve(),
  chains: createSandboxChains(sandbox),
});

/**
 * Sets the clock to a simulated day and waits for the payments of the agents (simulated buyers). Then reads the
 * directory, scores all endpoints and reads the chains, with the functions of the service.
 */
async function advanceTo(day: number): Promise<number> {
  const at = sandbox.epoch + day * DAY_MS;
  await sandbox.control.setClock(at);
  await sandbox.control.waitForPayments(at, AbortSignal.timeout(60_000));
  const context = contextAt(at);
  const { directories } = await discover(context);
  expect(directories).toMatchObject([{ complete: true }]);
  // The scoring stores the wallets of the endpoints. `settle` reads the settlements of stored wallets only.
  await scoreChanged(context);
  expect(await settle(context)).toMatchObject({
    networks: NETWORKS.map((network) => ({ network, caughtUp: true })),
    unreadable: [],
  });
  return at;
}

const sumAmounts = (payments: readonly Payment[]) =>
  payments.reduce((total, { amount }) => total + amount, 0n);

const selectPayments = ({ network, payTo }: Wallet, payments: readonly Payment[]) =>
  payments.filter((payment) => payment.network === network && payment.payTo === payTo);

/** Computes the figures of a wallet, including payments that the seller sent back. */
function computeFigures(wallet: Wallet, payments: readonly Payment[]) {
  const { payTo } = wallet;
  const own = selectPayments(wallet, payments);
  const others = own.filter(({ payer }) => payer !== payTo);
  const itself = own.filter(({ payer }) => payer === payTo);
  const payers = [...new Set(others.map(({ payer }) => payer))];
  const volume = sumAmounts(others);
  const topPaid = payers
    .map((name) => sumAmounts(others.filter(({ payer }) => payer === name)))
    .reduce((top, paid) => (paid > top ? paid : top), 0n);
  return {
    volume,
    settlements: others.length,
    payers: payers.length,
    topPayerShare: volume === 0n ? 0 : Number((topPaid * 1_000_000n) / volume) / 1_000_000,
    lastSettledAt: others.length === 0 ? null : Math.max(...others.map(({ at }) => at)),
    self: { volume: sumAmounts(itself), settlements: itself.length },
  };
}

const skipWithoutChain = ({ skip }: TestContext): void => {
  if (sandbox.chains === null) skip(sandbox.chainMissing ?? 'no chain');
};

it('stores the settlements of each wallet on each network as in the ledger, to the atomic unit, also after a restart', async (context) => {
  skipWithoutChain(context);
  // The seller sends the wash payments of day 0 back in the first block after the end of the day.
  for (const day of [0.5, 1.01, 1.5]) {
    if (day === 1.5) {
      await supervisor.stop();
      sandbox = await open();
    }
    const at = await advanceTo(day);
    const dayStart = sandbox.epoch + Math.floor(day) * DAY_MS;
    const payments = ledger();
    expect(payments.length).toBeGreaterThan(day * 250);
    const wallets = NETWORKS.flatMap((network): Wallet[] => {
      const own = payments.filter((payment) => payment.network === network);
      return [...new Set(own.map(({ payTo }) => payTo))].map((payTo) => ({ network, payTo }));
    });
    const requested = wallets.map((wallet) => [{ ...wallet, isCounted: true }]);
    const sets = await readSettlementFigures(db, requested, at);
    expect(sets).toHaveLength(wallets.length);
    const unknown: Wallet[] = [];
    for (const [index, { wallets: stored, total }] of sets.entries()) {
      const wallet = wallets[index];
      if (wallet === undefined) throw new Error('more sets of wallets than requested');
      // A wallet whose endpoint is missing in the discovery directory is not in the database. Probes would find the
      // wallet, but this test does not probe.
      if (stored[0]?.throughBlock === null) {
        unknown.push(wallet);
        continue;
      }
      expect(stored).toMatchObject([{ ...wallet, figures: computeFigures(wallet, payments) }]);
      const washed = selectPayments(wallet, payments).filter(
        ({ wash, payer, at }) => wash && payer !== wallet.payTo && at < dayStart,
      );
      expect(total?.returned).toBe(sumAmounts(washed));
    }
    expect(unknown.length).toBeLessThan(4);
    const [self] = wallets.filter((wallet) => computeFigures(wallet, payments).self.settlements > 0);
    expect(payments.find(({ payTo }) => payTo === self?.payTo)?.endpoint).toBe('memepulse-trends');
  }
}, 120_000);

async function receiveReport(request: IncomingMessage) {
  const parts = { body: JSON.parse(await readBoundedText(request, 10_000)) as unknown, query: {} };
  const chains = createSandboxChains(sandbox);
  return reportOutcome({ db, now: Date.now, baseUrl, chains }, outcomeInputSchema.parse(parts));
}

it('in real time, at least three agents report the seller for testers, and the service accepts each report', async (context) => {
  skipWithoutChain(context);
  await advanceTo(2.9);
  expect(reports).toEqual([]);
  await sandbox.control.setClock(null);
  await vi.waitFor(() => expect(reports.length).toBeGreaterThanOrEqual(3), {
    timeout: 60_000,
    interval: 100,
  });
  const expected = {
    resource: 'https://autoworth.sandbox.test/v1/cars/values',
    outcome: { delivered: false, http_status: 502 },
  };
  for (const reported of reports) expect(reported).toMatchObject({ kind: 'result', body: expected });
}, 120_000);
