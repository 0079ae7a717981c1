import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPublicClient, http, parseAbiItem } from 'viem';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { CHAIN_NETWORKS, type ChainNetwork } from '../chain/network.ts';
import { toIsoTime, openTestSandbox, TEST_EPOCH, type TestSandbox } from '../testing/test-sandbox.ts';

const entrySchema = z.object({
  network: z.string(),
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

async function readLedger({ ready }: TestSandbox): Promise<Entry[]> {
  const text = await readFile(ready.ledgerFile ?? '', 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => entrySchema.parse(JSON.parse(line)));
}

/** Waits until the agents have made all payments up to a simulated time. */
async function waitForPayments({ ready }: TestSandbox, at: string): Promise<void> {
  for (;;) {
    const agents = agentsSchema.parse(await (await fetch(`${ready.controlUrl}/agents`)).json());
    if (Date.parse(agents.paidThrough) > Date.parse(at) - 1_000) return;
    await sleep(20);
  }
}

const transfer = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');

/**
 * Reads all token transfers to the given wallets from a chain, and returns them in the format of {@link toTransfers}.
 */
async function readTransfers(
  { ready }: TestSandbox,
  { id, usdc }: ChainNetwork,
  payTos: ReadonlySet<string>,
) {
  const client = createPublicClient({ transport: http(ready.chainRpcUrls?.[id] ?? '') });
  const logs = await client.getLogs({ address: usdc, event: transfer, fromBlock: 0n, strict: true });
  return logs
    .filter(({ args }) => payTos.has(args.to.toLowerCase()))
    .map(({ args, transactionHash }) => [
      transactionHash,
      args.from,
      args.to.toLowerCase(),
      String(args.value),
    ])
    .toSorted();
}

function toTransfers(entries: readonly Entry[]) {
  return entries
    .map(({ transaction, payer, payTo, amount }) => [transaction, payer, payTo.toLowerCase(), amount])
    .toSorted();
}

test('three days of history are equal on each chain and in the ledger, to the atomic unit', async () => {
  const sandbox = await openTestSandbox({ chain: true });
  for (let day = 0.5; day <= 3; day += 0.5) {
    await sandbox.setClock(toIsoTime(day));
    await waitForPayments(sandbox, toIsoTime(day));
  }
  const ledger = await readLedger(sandbox);
  expect(ledger.length).toBeGreaterThan(600);
  expect(ledger.filter(({ wash }) => wash).length).toBeGreaterThan(200);
  const payTos = new Set(ledger.map(({ payTo }) => payTo.toLowerCase()));
  for (const network of CHAIN_NETWORKS) {
    const own = ledger.filter((entry) => entry.network === network.id);
    expect(own.length, network.id).toBeGreaterThan(30);
    expect(await readTransfers(sandbox, network, payTos), network.id).toEqual(toTransfers(own));
    const times = own.map(({ at }) => Date.parse(at));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(Math.min(...times)).toBeGreaterThan(Date.parse(TEST_EPOCH));
    expect(Math.max(...times)).toBeLessThanOrEqual(Date.parse(toIsoTime(3)));
  }
  const onPolygon = ledger.filter(({ network }) => network === 'eip155:137');
  expect(new Set(onPolygon.map(({ endpoint }) => endpoint))).toEqual(
    new Set(['quotable-equities-quote', 'tidewatch-tides']),
  );
  const sold = new Set(ledger.map(({ endpoint }) => endpoint));
  const [self, ...more] = ledger.filter(({ payer, payTo }) => payer.toLowerCase() === payTo.toLowerCase());
  expect(self).toMatchObject({ endpoint: 'memepulse-trends', amount: '4000', wash: true });
  expect(more.length).toBeGreaterThan(8);
  for (const name of ['skyfall-current', 'cryptick-price', 'fxline-convert', 'lexbase-contracts-review'])
    expect(sold, name).toContain(name);
  for (const name of ['misnamed-colors-palette', 'goldrush-airdrops-check', 'crashlab-simulations-run'])
    expect(sold, name).not.toContain(name);
  await sandbox.close();
});
