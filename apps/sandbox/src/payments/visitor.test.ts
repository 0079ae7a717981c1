import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestChain } from '../chain/test-chain.ts';
import type { TestChain } from '../chain/test-chain.ts';
import { temporaryFolder } from '../test-world.ts';
import { welcomeVisitor } from './visitor.ts';

const keySchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]);

let world: TestChain;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
  world = await openTestChain();
});
afterEach(async () => {
  await world.close();
  await folder.remove();
});

test('a visitor finds a key that only the owner reads, with dollars on the chain, and the same one again', async () => {
  await welcomeVisitor(folder.path, world.chain);
  const file = join(folder.path, 'visitor.key');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const key = keySchema.parse((await readFile(file, 'utf8')).trim());
  expect(await world.balanceOf(privateKeyToAccount(key).address)).toBe(100_000_000_000n);

  const head = world.chain.head();
  await welcomeVisitor(folder.path, world.chain);
  expect(keySchema.parse((await readFile(file, 'utf8')).trim())).toBe(key);
  expect(world.chain.head()).toEqual(head);
});
