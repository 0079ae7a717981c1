import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openBuyer } from '../testing/buyer.ts';
import { storeResult } from './stored-results.ts';

const NOW = Date.parse('2026-06-01T00:00:00.000Z');

it('stores two results of one millisecond in two files', () => {
  using buyer = openBuyer();
  const store = (body: object) =>
    storeResult(body, { stateFolder: buyer.home, name: 'x402_summary', now: NOW });
  const sentences = [store({ a: 1 }), store({ a: 2 })];
  const files = sentences.map(
    (sentence) => /^The whole result is in the file (\S+)\.$/.exec(sentence)?.[1] ?? '',
  );
  expect(files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as unknown)).toEqual([
    { a: 1 },
    { a: 2 },
  ]);
});

it('keeps the newest 100 results of each tool', () => {
  using buyer = openBuyer();
  const folder = join(buyer.home, 'results');
  mkdirSync(folder, { recursive: true });
  const old = Array.from(
    { length: 101 },
    (_, at) => `x402_watch_events-2026-05-01T00-00-00-${String(100 + at)}Z-0.json`,
  );
  const others = ['x402_watch_show-2026-05-01T00-00-00-000Z-0.json', 'x402_watch_events-notes.txt'];
  for (const name of [...old, ...others]) writeFileSync(join(folder, name), '{}');
  storeResult({ a: 1 }, { stateFolder: buyer.home, name: 'x402_watch_events', now: NOW });
  const names = readdirSync(folder).toSorted();
  expect(names.filter((name) => !name.includes('2026-06-01'))).toEqual(
    [...old.slice(2), ...others].toSorted(),
  );
  expect(names.filter((name) => name.includes('2026-06-01'))).toHaveLength(1);
});

it('says why a result could not be stored', () => {
  using buyer = openBuyer();
  writeFileSync(join(buyer.home, 'results'), '');
  const options = { stateFolder: buyer.home, name: 'x402_summary', now: NOW };
  expect(storeResult({ a: 1 }, options)).toMatch(
    /^The whole result could not be written to the file .*: Error: /,
  );
});
