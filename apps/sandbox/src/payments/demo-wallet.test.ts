import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { CHAIN_NETWORKS } from '../chain/network.ts';
import { openTestChain, type TestChain } from '../testing/test-chain.ts';
import { createTemporaryFolder } from '../testing/test-sandbox.ts';
import { openDemoWallet } from './demo-wallet.ts';

const keySchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]);

let testChains: TestChain[];
let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
beforeEach(async () => {
  folder = await createTemporaryFolder();
  testChains = await Promise.all(CHAIN_NETWORKS.map((network) => openTestChain({ network })));
});
afterEach(async () => {
  for (const { close } of testChains) await close();
  await folder.remove();
});

test('the demo wallet has a key readable by the owner only and a balance on each chain, and stays the same', async () => {
  const chains = testChains.map(({ chain }) => chain);
  await openDemoWallet(folder.path, chains);
  const file = join(folder.path, 'demo-wallet.key');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const key = keySchema.parse((await readFile(file, 'utf8')).trim());
  const { address } = privateKeyToAccount(key);
  for (const { balanceOf } of testChains) expect(await balanceOf(address)).toBe(100_000_000_000n);

  const heads = chains.map(({ head }) => head());
  await openDemoWallet(folder.path, chains);
  expect(keySchema.parse((await readFile(file, 'utf8')).trim())).toBe(key);
  expect(chains.map(({ head }) => head())).toEqual(heads);
});
