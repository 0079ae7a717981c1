import { stat, writeFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CHAIN_NETWORKS } from '../chain/network.ts';
import { openTestChain, type TestChain } from '../testing/test-chain.ts';
import { createTemporaryFolder } from '../testing/test-sandbox.ts';
import { openWalletKeys, openOperatorWallets } from './wallets.ts';

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
let other: Awaited<ReturnType<typeof createTemporaryFolder>>;
beforeEach(async () => ([folder, other] = [await createTemporaryFolder(), await createTemporaryFolder()]));
afterEach(async () => {
  await folder.remove();
  await other.remove();
});

test('a name has the same wallet in one folder and another wallet in another folder', async () => {
  const address = async (path: string, name: string) => (await openWalletKeys(path)).getAccount(name).address;
  const first = await address(folder.path, 'agent one');
  expect(await address(folder.path, 'agent one')).toBe(first);
  expect(await address(folder.path, 'agent two')).not.toBe(first);
  expect(await address(other.path, 'agent one')).not.toBe(first);
});

test('the secret is readable by the owner only, and a damaged secret is an error', async () => {
  await openWalletKeys(folder.path);
  const file = join(folder.path, 'wallets.key');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await writeFile(file, 'short');
  await expect(openWalletKeys(folder.path)).rejects.toThrow(/wallets\.key is damaged/);
});

const keySchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]);

describe.each(['demo-wallet.key', 'delivery-wallet.key'])('the wallet in %s', (name) => {
  let testChains: TestChain[];
  beforeEach(async () => {
    testChains = await Promise.all(CHAIN_NETWORKS.map((network) => openTestChain({ network })));
  });
  afterEach(async () => {
    for (const { close } of testChains) await close();
  });

  test('has a key readable by the owner only and a balance on each chain, and stays the same', async () => {
    const chains = testChains.map(({ chain }) => chain);
    await openOperatorWallets(folder.path, chains);
    const file = join(folder.path, name);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const key = keySchema.parse((await readFile(file, 'utf8')).trim());
    const { address } = privateKeyToAccount(key);
    for (const { balanceOf } of testChains) expect(await balanceOf(address)).toBe(100_000_000_000n);

    const heads = chains.map(({ head }) => head());
    await openOperatorWallets(folder.path, chains);
    expect(keySchema.parse((await readFile(file, 'utf8')).trim())).toBe(key);
    expect(chains.map(({ head }) => head())).toEqual(heads);
  });
});
