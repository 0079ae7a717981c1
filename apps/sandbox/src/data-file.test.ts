import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readDataFile, writeDataFile } from './data-file.ts';
import { StartupError } from './startup-error.ts';
import { temporaryFolder } from './test-world.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => (folder = await temporaryFolder()));
afterEach(() => folder.remove());

test('what was written is read back, for the owner only', async () => {
  const file = join(folder.path, 'secret');
  await writeDataFile(file, 'text');
  expect(await readDataFile(file)).toBe('text');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder.path)).toEqual(['secret']);
});

test('a file that is not there yet is null', async () => {
  expect(await readDataFile(join(folder.path, 'nothing'))).toBeNull();
});

test('a path that leads through a file says which and why', async () => {
  await writeFile(join(folder.path, 'file'), '');
  const beyond = join(folder.path, 'file', 'inside');
  await expect(readDataFile(beyond)).rejects.toThrow(new RegExp(`cannot read ${beyond}: ENOTDIR`));
  await expect(writeDataFile(beyond, 'text')).rejects.toThrow(StartupError);
});
