import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTemporaryFolder } from '../testing/test-sandbox.ts';
import { openWalletKeys } from './wallet-keys.ts';

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
