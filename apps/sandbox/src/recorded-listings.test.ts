import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRecordedListings } from './recorded-listings.ts';
import { temporaryFolder } from './test-world.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => (folder = await temporaryFolder()));
afterEach(() => folder.remove());

const reading = async (text: string) => {
  const file = join(folder.path, 'listings.jsonl');
  await writeFile(file, text);
  return readRecordedListings(file);
};

test('items keep all but the note of where they were found', async () => {
  const item = { resource: 'https://a.example/x', accepts: [{ source: 'kept', amount: '1' }], odd: null };
  const lines = [JSON.stringify({ ...item, source: { repo: 'a/b' } }), '', JSON.stringify(item), ''];
  expect(await reading(lines.join('\n'))).toEqual([JSON.stringify(item), JSON.stringify(item)]);
});

test.each(['{"a":', '[1]', 'null', '"text"'])('%s is served as the text that it is', async (line) => {
  expect(await reading(`{"a":1}\n\n${line}\n`)).toEqual(['{"a":1}', JSON.stringify(line)]);
});

test('a missing file is named', async () => {
  const file = join(folder.path, 'nothing.jsonl');
  await expect(readRecordedListings(file)).rejects.toThrow(`SANDBOX_LISTINGS: cannot read ${file}`);
});
