import { PAYMENT_RESPONSE_META } from '@touchstone/contract';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPublicClient, http, parseAbi } from 'viem';
import { base } from 'viem/chains';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { RESOURCE } from '../testing/buyer.ts';
import { spawnMcpClient } from '../testing/mcp-client.ts';
import { openPaidSeller } from '../testing/paid-seller.ts';
import { SELLER_WALLET } from '../testing/seller.ts';
import { findExample } from '../testing/tool-seller.ts';

const SANDBOX = fileURLToPath(new URL('../../../sandbox/src/main.ts', import.meta.url));
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const abi = parseAbi(['function balanceOf(address) view returns (uint256)']);
const readySchema = z.object({
  controlUrl: z.string(),
  caFile: z.string(),
  chainRpcUrls: z.object({ 'eip155:8453': z.string() }),
  facilitatorUrl: z.string(),
});

let folder: string;
let child: ChildProcess;
let ready: z.infer<typeof readySchema>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-mcp-'));
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

it('touchstone mcp --sandbox pays concurrent calls on the local chain, up to the total limit', async () => {
  await using seller = await openPaidSeller({
    facilitatorUrl: ready.facilitatorUrl,
    price: '$0.005',
    createProduct: ({ path }) => findExample('POST', path),
  });
  const demoWalletKeyFile = join(folder, 'sandbox', 'demo-wallet.key');
  const sandboxFile = { ...ready, serviceUrl: seller.base, demoWalletKeyFile };
  writeFileSync(join(folder, 'sandbox.json'), JSON.stringify(sandboxFile));
  const client = createPublicClient({ chain: base, transport: http(ready.chainRpcUrls['eip155:8453']) });
  const readBalance = () =>
    client.readContract({ address: USDC, abi, functionName: 'balanceOf', args: [SELLER_WALLET] });
  const before = await readBalance();
  const server = await spawnMcpClient({
    args: ['--sandbox', '--data-dir', folder, '--max-total-usd', '0.01'],
    env: { XDG_STATE_HOME: folder },
  });
  const calls = [1, 2, 3].map((number) =>
    server.call('x402_trust_score', { resource: `${RESOURCE}/${String(number)}` }),
  );
  const results = await Promise.all(calls);
  expect(results.map(({ isError }) => isError)).toEqual([false, false, true]);
  expect(results[2]).toMatchObject({
    structured: { code: 'limit-exceeded' },
    texts: [expect.stringContaining('--max-total-usd')],
  });
  expect((await readBalance()) - before).toBe(10_000n);
  const receipt = z
    .object({ transaction: z.templateLiteral(['0x', z.string()]) })
    .parse(results[0]?.meta[PAYMENT_RESPONSE_META]);
  expect(await client.getTransactionReceipt({ hash: receipt.transaction })).toMatchObject({
    status: 'success',
  });
  expect(await server.close()).toContain('local chain of the sandbox');
});
