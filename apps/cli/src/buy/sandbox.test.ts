import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPublicClient, http, parseAbi, type Address, type Hex } from 'viem';
import { base } from 'viem/chains';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { RESOURCE } from '../testing/buyer.ts';
import { openPaidSeller, type PaidSellerOptions } from '../testing/paid-seller.ts';
import { runHere } from '../testing/run-here.ts';
import { SELLER_WALLET } from '../testing/seller.ts';

const SANDBOX = fileURLToPath(new URL('../../../sandbox/src/main.ts', import.meta.url));
const USDC: Address = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const abi = parseAbi(['function balanceOf(address) view returns (uint256)']);
const readySchema = z.object({
  controlUrl: z.string(),
  caFile: z.string(),
  chainRpcUrl: z.string(),
  facilitatorUrl: z.string(),
});

let folder: string;
let child: ChildProcess;
let ready: z.infer<typeof readySchema>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-sandbox-'));
  child = spawn(process.execPath, [SANDBOX], {
    env: { SANDBOX_DATA_DIR: join(folder, 'sandbox') },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const messages: unknown[] = await once(child, 'message');
  ready = readySchema.parse(messages[0]);
});
afterAll(async () => {
  const gone = once(child, 'exit');
  child.kill();
  await gone;
  rmSync(folder, { recursive: true, force: true });
});

const client = () => createPublicClient({ chain: base, transport: http(ready.chainRpcUrl) });
const earned = () =>
  client().readContract({ address: USDC, abi, functionName: 'balanceOf', args: [SELLER_WALLET] });
const transactionIn = (text: string): Hex => {
  const found = z.templateLiteral(['0x', z.string()]).parse(/0x[0-9a-f]{64}/.exec(text)?.[0]);
  return found;
};

/** A service of the sandbox, and a run of a command against it. */
async function open(options: Omit<PaidSellerOptions, 'facilitatorUrl'>) {
  const seller = await openPaidSeller({ ...options, facilitatorUrl: ready.facilitatorUrl });
  const note = { ...ready, serviceUrl: seller.base, visitorKeyFile: join(folder, 'sandbox', 'visitor.key') };
  writeFileSync(join(folder, 'sandbox.json'), JSON.stringify(note));
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    runHere([...args, '--data-dir', folder, RESOURCE], '', { env: { XDG_STATE_HOME: folder, ...env } });
  return { ...seller, run };
}

describe('in the sandbox', () => {
  it('a visitor without a wallet buys with made-up dollars, and the payment is on the chain', async () => {
    await using shop = await open({ price: '$0.005', ware: () => ({ sold: 'a report' }) });
    const before = await earned();
    const { stdout, stderr } = await shop.run(['buy', 'trust', '--sandbox', '--yes', '--json']);
    expect(JSON.parse(stdout)).toEqual({ sold: 'a report' });
    expect(stderr).toContain('a wallet of the sandbox with made-up dollars');
    expect((await earned()) - before).toBe(5_000n);
    const receipt = await client().getTransactionReceipt({ hash: transactionIn(stderr) });
    expect(receipt.status).toBe('success');
  });

  it('a history is bought in the same way', async () => {
    await using shop = await open({ price: '$0.02', ware: ({ body, path }) => ({ body, path }) });
    const { stdout } = await shop.run(['history', '--sandbox', '--yes', '--json', '--days', '7']);
    expect(JSON.parse(stdout)).toEqual({
      path: '/v1/x402-history',
      body: JSON.stringify({ resource: RESOURCE, days: 7 }),
    });
  });

  it('an answer that is lost after the settlement is fetched again, and paid once', async () => {
    await using shop = await open({
      price: '$0.005',
      ware: () => ({ sold: true }),
      interrupt: ({ before, response }) => {
        if (before < 2) response.socket?.destroy();
        return before < 2;
      },
    });
    const before = await earned();
    const { stdout } = await shop.run(['buy', 'trust', '--sandbox', '--yes', '--json']);
    expect(JSON.parse(stdout)).toEqual({ sold: true });
    expect([(await earned()) - before, shop.signatures.length]).toEqual([5_000n, 3]);
    expect(readdirSync(join(folder, 'touchstone', 'payments'))).toEqual([]);
  });

  it('a real wallet is refused at the service of a sandbox, and an empty one is not said to have paid nothing', async () => {
    await using shop = await open({ price: '$0.005', ware: () => ({ sold: true }) });
    const key = `0x${'1'.repeat(64)}`;
    for (const service of [shop.base, shop.base.replace('127.0.0.1', 'localhost')]) {
      const args = ['buy', 'trust', '--yes', '--service', service];
      const { code, stderr } = await shop.run(args, { TOUCHSTONE_KEY: key });
      expect([code, stderr]).toEqual([2, expect.stringContaining('where no real wallet belongs')]);
    }
    rmSync(join(folder, 'sandbox.json'));
    const { code, stderr } = await shop.run(['buy', 'trust', '--yes', '--service', shop.base], {
      TOUCHSTONE_KEY: key,
    });
    expect([code, stderr]).toEqual([
      2,
      // A stock seller does not say that it charged nothing.
      expect.stringMatching(
        /did not take the payment of \$0\.005: \S*insufficient_balance.*cannot be said here/,
      ),
    ]);
  });
});
