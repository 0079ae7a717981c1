import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { StartupError } from '../startup-error.ts';
import { createTemporaryFolder } from '../testing/test-sandbox.ts';
import { readDataFile, readDataLines, writeDataFile } from './data-file.ts';

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
beforeEach(async () => (folder = await createTemporaryFolder()));
afterEach(() => folder.remove());

test('writes a file that only the owner can read', async () => {
  const file = join(folder.path, 'secret');
  await writeDataFile(file, 'text');
  expect(await readDataFile(file)).toBe('text');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder.path)).toEqual(['secret']);
});

test('returns null for a missing file', async () => {
  expect(await readDataFile(join(folder.path, 'nothing'))).toBeNull();
});

test('fails with the path and the reason when a parent folder is a file', async () => {
  await writeFile(join(folder.path, 'file'), '');
  const beyond = join(folder.path, 'file', 'inside');
  await expect(readDataFile(beyond)).rejects.toThrow(new RegExp(`cannot read ${beyond}: ENOTDIR`));
  await expect(writeDataFile(beyond, 'text')).rejects.toThrow(StartupError);
});

test('reads complete lines, removes an incomplete last one, and names the position of a damaged one', async () => {
  const file = join(folder.path, 'lines.jsonl');
  expect(await readDataLines(file, z.number())).toEqual([]);
  await writeFile(file, '1\n2\n"é');
  expect(await readDataLines(file, z.number())).toEqual([1, 2]);
  expect(await readFile(file, 'utf8')).toBe('1\n2\n');
  await writeFile(file, '1\nrubbish\n3\n');
  await expect(readDataLines(file, z.number())).rejects.toThrow(`line 2 of ${file} is damaged`);
});
