import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '@touchstone/common';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { discover, scoreChanged, settle, type PipelineContext } from '@touchstone/pipeline';
import {
  connect,
  readReportSources,
  readSettlementFigures,
  readWalletDays,
  type Db,
} from '@touchstone/store';
import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest';
import { z } from 'zod';
import { openDataFolder, type DataFolder } from '../data-folder/data-folder.ts';
import { createSandboxChains } from './sandbox-chains.ts';
import { startSandbox, type Sandbox } from './start-sandbox.ts';

const NETWORK = 'eip155:8453';
const paymentSchema = z.object({
  endpoint: z.string(),
  payer: z.string().toLowerCase(),
  payTo: z.string().toLowerCase(),
  amount: z.string().transform(BigInt),
  at: z.iso.datetime().transform((at) => Date.parse(at)),
});
type Payment = z.infer<typeof paymentSchema>;

const keys = createKeys();
const path = mkdtempSync(join(tmpdir(), 'touchstone-chains-'));
const config = { sandbox: { seed: 'touchstone', days: 3, listings: null }, baseUrl: 'http://localhost:3000' };
let folder: DataFolder;
let database: EmbeddedDatabase;
let sandbox: Sandbox;
let db: Db;
beforeAll(async () => {
  folder = openDataFolder(path);
  [database, sandbox] = await Promise.all([startMigrated({ keys }), startSandbox(folder, config)]);
  db = connect({ url: database.url, key: keys.secret });
}, 60_000);
afterAll(async () => {
  await sandbox.child.stop();
  await database.close();
  folder.release();
  rmSync(path, { recursive: true, force: true });
});

const ledger = (): Payment[] =>
  readFileSync(sandbox.chain?.ledgerFile ?? '', 'utf8')
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
 * Sets the clock to a simulated day and waits for the agents' payments. Then reads the directory and the chain and
 * scores all endpoints, with the functions of the service.
 */
async function advanceTo(day: number): Promise<number> {
  const at = sandbox.epoch + day * DAY_MS;
  await sandbox.control.setClock(at);
  await sandbox.control.waitForPayments(at, AbortSignal.timeout(60_000));
  const context = contextAt(at);
  const { directories } = await discover(context);
  expect(directories).toMatchObject([{ complete: true }]);
  // The first scoring stores the wallets of the endpoints, because `settle` reads the settlements of stored wallets
  // only.
  await scoreChanged(context);
  const { networks, unreadable } = await settle(context);
  expect({ networks, unreadable }).toMatchObject({ networks: [{ caughtUp: true }], unreadable: [] });
  const { data } = await db.from('snapshots').select('endpoint_id').limit(1_000);
  const due_at = new Date(at).toISOString();
  const again = (data ?? []).map(({ endpoint_id }) => ({ endpoint_id, due_at }));
  expect((await db.from('scoring_queue').upsert(again)).error).toBeNull();
  await scoreChanged(context);
  return at;
}

const sumAmounts = (payments: readonly Payment[]) =>
  payments.reduce((total, { amount }) => total + amount, 0n);

function computeFigures(payTo: string, payments: readonly Payment[]) {
  const own = payments.filter((payment) => payment.payTo === payTo);
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

function computeDays(payTo: string, payments: readonly Payment[]) {
  const own = payments.filter((payment) => payment.payTo === payTo);
  const getDay = ({ at }: Payment): string => new Date(at).toISOString().slice(0, 10);
  return [...new Set(own.map(getDay))].sort().map((day) => {
    const paid = own.filter((payment) => getDay(payment) === day);
    const itself = paid.filter(({ payer }) => payer === payTo);
    return {
      ...{ day, volume: sumAmounts(paid), settlements: paid.length },
      payers: new Set(paid.map(({ payer }) => payer)).size,
      ...{ selfVolume: sumAmounts(itself), selfSettlements: itself.length },
    };
  });
}

/** Checks that the settlement figures in the inputs of scores and in the facts of reports match the ledger. */
async function expectScored(payments: readonly Payment[]): Promise<void> {
  const { data } = await db.from('snapshots').select('endpoint_id').eq('network', NETWORK).limit(1_000);
  const sources = await readReportSources(
    db,
    (data ?? []).map((row) => row.endpoint_id),
  );
  let paid = 0;
  for (const { inputs, facts, payOn } of sources.values()) {
    if (inputs.settlement === null || facts.settlement === null) continue;
    const { volume, settlements, payers, topPayerShare, lastSettledAt } = computeFigures(
      facts.settlement.payTo.toLowerCase(),
      payments,
    );
    const partial = payOn.some(({ network }) => network !== NETWORK);
    const volumeUsd30d = Number(volume) / 1e6;
    expect(inputs.settlement).toEqual({
      ...{ volumeUsd30d, payers30d: payers, topPayerShare },
      ...(partial ? { partial } : {}),
    });
    expect(facts.settlement).toMatchObject({ settlements30d: settlements, lastSettledAt });
    paid += payers > 0 ? 1 : 0;
  }
  // More than half of the endpoints must have payers on this network.
  expect(paid).toBeGreaterThan(sources.size / 2);
}

const skipWithoutChain = ({ skip }: TestContext): void => {
  if (sandbox.chain === null) skip(sandbox.chainMissing ?? 'no chain');
};

it('stores the settlements of each wallet as in the ledger, to the atomic unit, also after a restart', async (context) => {
  skipWithoutChain(context);
  for (const day of [1, 2, 3]) {
    if (day === 3) {
      await sandbox.child.stop();
      sandbox = await startSandbox(folder, config);
    }
    const at = await advanceTo(day);
    const payments = ledger();
    expect(payments.length).toBeGreaterThan(day * 250);
    const wallets = [...new Set(payments.map(({ payTo }) => payTo))];
    const requested = wallets.map((payTo) => [{ network: NETWORK, payTo, isCounted: true }]);
    const sets = await readSettlementFigures(db, requested, at);
    expect(sets).toHaveLength(wallets.length);
    const unknown: string[] = [];
    for (const [index, { wallets: stored }] of sets.entries()) {
      const payTo = wallets[index] ?? '';
      // The database does not know a wallet whose endpoint is missing in the discovery directory. Probes would find the
      // wallet, but this test does not probe.
      if (stored[0]?.throughBlock === null) {
        unknown.push(payTo);
        continue;
      }
      expect(stored).toMatchObject([{ payTo, figures: computeFigures(payTo, payments) }]);
      const span = { from: sandbox.epoch - DAY_MS, to: at };
      expect(await readWalletDays(db, { network: NETWORK, payTo }, span)).toEqual(
        computeDays(payTo, payments),
      );
    }
    expect(unknown.length).toBeLessThan(4);
    await expectScored(payments);
    const self = wallets.filter((payTo) => computeFigures(payTo, payments).self.settlements > 0);
    expect(payments.find(({ payTo }) => payTo === self[0])?.endpoint).toBe('memepulse-trends');
  }
}, 120_000);
