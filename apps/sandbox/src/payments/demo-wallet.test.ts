import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestChain } from '../testing/test-chain.ts';
import type { TestChain } from '../testing/test-chain.ts';
import { createTemporaryFolder } from '../testing/test-sandbox.ts';
import { openDemoWallet } from './demo-wallet.ts';

const keySchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]);

let testChain: TestChain;
let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
beforeEach(async () => {
  folder = await createTemporaryFolder();
  testChain = await openTestChain();
});
afterEach(async () => {
  await testChain.close();
  await folder.remove();
});

test('the demo wallet has a key readable by the owner only and a balance, and stays the same', async () => {
  await openDemoWallet(folder.path, testChain.chain);
  const file = join(folder.path, 'demo-wallet.key');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const key = keySchema.parse((await readFile(file, 'utf8')).trim());
  expect(await testChain.balanceOf(privateKeyToAccount(key).address)).toBe(100_000_000_000n);

  const head = testChain.chain.head();
  await openDemoWallet(folder.path, testChain.chain);
  expect(keySchema.parse((await readFile(file, 'utf8')).trim())).toBe(key);
  expect(testChain.chain.head()).toEqual(head);
});
