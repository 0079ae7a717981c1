import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../test-world.ts';
import { openWalletKeys } from './wallet-keys.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let other: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => ([folder, other] = [await temporaryFolder(), await temporaryFolder()]));
afterEach(async () => {
  await folder.remove();
  await other.remove();
});

test('a wallet stays the same in its folder and is another one in every other', async () => {
  const address = async (path: string, name: string) => (await openWalletKeys(path)).accountOf(name).address;
  const first = await address(folder.path, 'agent one');
  expect(await address(folder.path, 'agent one')).toBe(first);
  expect(await address(folder.path, 'agent two')).not.toBe(first);
  expect(await address(other.path, 'agent one')).not.toBe(first);
});

test('the secret is for its owner alone, and a damaged one stops the start', async () => {
  await openWalletKeys(folder.path);
  const file = join(folder.path, 'wallets.key');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await writeFile(file, 'short');
  await expect(openWalletKeys(folder.path)).rejects.toThrow(/wallets\.key is damaged/);
});
