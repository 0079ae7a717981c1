import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRecordedListings } from './recorded-listings.ts';
import { createTemporaryFolder } from '../testing/test-sandbox.ts';

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
beforeEach(async () => (folder = await createTemporaryFolder()));
afterEach(() => folder.remove());

async function readListings(text: string) {
  const file = join(folder.path, 'listings.jsonl');
  await writeFile(file, text);
  return readRecordedListings(file);
}

test('removes only the member that documents the recording', async () => {
  const item = { resource: 'https://a.example/x', accepts: [{ source: 'kept', amount: '1' }], odd: null };
  const lines = [JSON.stringify({ ...item, source: { repo: 'a/b' } }), '', JSON.stringify(item), ''];
  expect(await readListings(lines.join('\n'))).toEqual([JSON.stringify(item), JSON.stringify(item)]);
});

test.each(['{"a":', '[1]', 'null', '"text"'])(
  'returns the malformed line %s as a JSON string',
  async (line) => {
    expect(await readListings(`{"a":1}\n\n${line}\n`)).toEqual(['{"a":1}', JSON.stringify(line)]);
  },
);

test('fails with the name of a missing file', async () => {
  const file = join(folder.path, 'nothing.jsonl');
  await expect(readRecordedListings(file)).rejects.toThrow(`SANDBOX_LISTINGS: cannot read ${file}`);
});
