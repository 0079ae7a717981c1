import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPublicClient, http, parseAbiItem } from 'viem';
import { base } from 'viem/chains';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { USDC } from '../chain/network.ts';
import { onDay, openTestWorld, temporaryFolder, TEST_EPOCH } from '../test-world.ts';
import type { TestWorld } from '../test-world.ts';
import { openEconomy } from './open-economy.ts';

const entrySchema = z.object({
  endpoint: z.string(),
  payer: z.string(),
  payTo: z.string(),
  amount: z.string(),
  transaction: z.string(),
  at: z.iso.datetime(),
  wash: z.boolean(),
});
type Entry = z.infer<typeof entrySchema>;
const agentsSchema = z.object({ paidThrough: z.iso.datetime() });

const worlds: TestWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

const opened = async (): Promise<TestWorld> => {
  const world = await openTestWorld({ chain: true });
  worlds.push(world);
  return world;
};
const ledgerOf = async ({ ready }: TestWorld): Promise<Entry[]> => {
  const text = await readFile(ready.ledgerFile ?? '', 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => entrySchema.parse(JSON.parse(line)));
};
/** Waits until the agents have paid up to a moment. */
const paidThrough = async ({ ready }: TestWorld, at: string): Promise<void> => {
  for (;;) {
    const reply = agentsSchema.parse(await (await fetch(`${ready.controlUrl}/agents`)).json());
    if (Date.parse(reply.paidThrough) > Date.parse(at) - 1_000) return;
    await sleep(20);
  }
};
const clientOf = ({ ready }: TestWorld) =>
  createPublicClient({ chain: base, transport: http(ready.chainRpcUrl ?? '') });
const transfer = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');
/** Everything that the chain says was transferred to advertised wallets, as the ledger would word it. */
const transfers = async (world: TestWorld, payTos: ReadonlySet<string>) => {
  const logs = await clientOf(world).getLogs({ address: USDC, event: transfer, fromBlock: 0n, strict: true });
  return logs
    .filter(({ args }) => payTos.has(args.to.toLowerCase()))
    .map(({ args, transactionHash }) => [
      transactionHash,
      args.from,
      args.to.toLowerCase(),
      String(args.value),
    ])
    .toSorted();
};
const worded = (entries: readonly Entry[]) =>
  entries
    .map(({ transaction, payer, payTo, amount }) => [transaction, payer, payTo.toLowerCase(), amount])
    .toSorted();

describe('three days of history', () => {
  test('are on the chain and in the ledger alike, to the atomic unit', { timeout: 60_000 }, async () => {
    const world = await opened();
    for (let day = 0.5; day <= 3; day += 0.5) {
      await world.setClock(onDay(day));
      await paidThrough(world, onDay(day));
    }
    const ledger = await ledgerOf(world);
    expect(ledger.length).toBeGreaterThan(600);
    expect(ledger.filter(({ wash }) => wash).length).toBeGreaterThan(200);
    const payTos = new Set(ledger.map(({ payTo }) => payTo.toLowerCase()));
    expect(await transfers(world, payTos)).toEqual(worded(ledger));
    const times = ledger.map(({ at }) => Date.parse(at));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(Math.min(...times)).toBeGreaterThan(Date.parse(TEST_EPOCH));
    expect(Math.max(...times)).toBeLessThanOrEqual(Date.parse(onDay(3)));
    const sold = new Set(ledger.map(({ endpoint }) => endpoint));
    const [self, ...more] = ledger.filter(({ payer, payTo }) => payer.toLowerCase() === payTo.toLowerCase());
    expect(self).toMatchObject({ endpoint: 'memepulse-trends', amount: '4000', wash: true });
    expect(more.length).toBeGreaterThan(8);
    for (const name of ['skyfall-current', 'cryptick-price', 'fxline-convert', 'lexbase-contracts-review'])
      expect(sold, name).toContain(name);
    for (const name of ['misnamed-colors-palette', 'goldrush-airdrops-check', 'crashlab-simulations-run'])
      expect(sold, name).not.toContain(name);
  });
});

describe('without a chain', () => {
  const at = (binary: string | null, dataDir: string) =>
    openEconomy({
      residents: [],
      seed: 'seed',
      epoch: 0,
      dataDir,
      binary,
      now: Date.now,
      warn: () => undefined,
    });

  test('on a platform that npm has none for, or where it does not run, it is said in one line', async () => {
    const folder = await temporaryFolder();
    expect(await at(null, folder.path)).toEqual({
      none: expect.stringMatching(/^no chain: [^\n]+$/) as string,
    });
    expect(await at(folder.path, folder.path)).toEqual({
      none: expect.stringMatching(/^no chain, so nothing is paid here: [^\n]+$/) as string,
    });
    await folder.remove();
  });

  test('endpoints ask to be paid as ever, and the sandbox says that nobody can', async () => {
    const world = await openTestWorld({ chain: false });
    worlds.push(world);
    expect(world.ready).toMatchObject({ chainRpcUrl: null, facilitatorUrl: null, ledgerFile: null });
    expect(world.ready.chainMissing).toContain('SANDBOX_CHAIN is off');
    expect(await world.ask('https://skyfall.sandbox.test/v2/current')).toMatchObject({ status: 402 });
    const agents = await fetch(`${world.ready.controlUrl}/agents`);
    expect(await agents.json()).toEqual({ paidThrough: null });
  });
});
