import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { settle } from '@touchstone/pipeline';
import { connect, readSettlementFigures, type Db } from '@touchstone/store';
import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest';
import { z } from 'zod';
import { openDataFolder, type DataFolder } from './data-folder.ts';
import { sandboxChains } from './sandbox-chains.ts';
import { startSandbox, type Sandbox } from './start-sandbox.ts';

const NETWORK = 'eip155:8453';
const DAY_MS = 86_400_000;
const paymentSchema = z.object({
  endpoint: z.string(),
  payer: z.string().toLowerCase(),
  payTo: z.string().toLowerCase(),
  amount: z.string().transform(BigInt),
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

/** Lives on to a day of the sandbox, and reads its chain as the service does then. */
async function liveTo(day: number): Promise<number> {
  const at = sandbox.epoch + day * DAY_MS;
  await sandbox.world.setClock(at);
  await sandbox.world.settled(at, AbortSignal.timeout(60_000));
  for (const payTo of new Set(ledger().map((payment) => payment.payTo))) {
    // Ids are ten letters, which the first digits of the wallet decide.
    const id = payTo.slice(2, 12).replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '');
    const [host, first_seen_at] = [`${id}.sandbox.test`, new Date(sandbox.epoch).toISOString()];
    const endpoint = { id, resource: `https://${host}/`, host, slug: id, templated: false, first_seen_at };
    expect((await db.from('endpoints').upsert(endpoint)).error).toBeNull();
    const wallet = { network: NETWORK, pay_to: payTo, host, endpoint_id: id, challenged: true };
    expect((await db.from('endpoint_wallets').upsert(wallet)).error).toBeNull();
  }
  const { networks, unreadable } = await settle({ db, now: () => at, chains: sandboxChains(sandbox) });
  expect({ networks, unreadable }).toMatchObject({ networks: [{ caughtUp: true }], unreadable: [] });
  return at;
}

function paidTo(payTo: string, payments: readonly Payment[]) {
  const own = payments.filter((payment) => payment.payTo === payTo);
  const others = own.filter(({ payer }) => payer !== payTo);
  const itself = own.filter(({ payer }) => payer === payTo);
  const sum = (some: readonly Payment[]) => some.reduce((total, { amount }) => total + amount, 0n);
  return {
    volume: sum(others),
    settlements: others.length,
    payers: new Set(others.map(({ payer }) => payer)).size,
    self: { volume: sum(itself), settlements: itself.length },
  };
}

const skipWithoutChain = ({ skip }: TestContext): void => {
  if (sandbox.chain === null) skip(sandbox.chainMissing ?? 'no chain');
};

it('stores for each wallet what the ledger of the sandbox says, to the atomic unit, over a restart', async (context) => {
  skipWithoutChain(context);
  for (const day of [1, 2, 3]) {
    if (day === 3) {
      await sandbox.child.stop();
      sandbox = await startSandbox(folder, config);
    }
    const at = await liveTo(day);
    const payments = ledger();
    expect(payments.length).toBeGreaterThan(day * 250);
    const wallets = [...new Set(payments.map(({ payTo }) => payTo))];
    const asked = wallets.map((payTo) => ({ network: NETWORK, payTo }));
    const figures = await readSettlementFigures(db, asked, at);
    expect(figures).toHaveLength(wallets.length);
    for (const { payTo, figures: stored } of figures) expect(stored).toMatchObject(paidTo(payTo, payments));
    const self = wallets.filter((payTo) => paidTo(payTo, payments).self.settlements > 0);
    expect(payments.find(({ payTo }) => payTo === self[0])?.endpoint).toBe('memepulse-trends');
  }
}, 120_000);
