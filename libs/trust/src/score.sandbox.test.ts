import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { NOW } from './testing/fixtures.ts';
import { expectVerdict } from './testing/expectation.ts';
import type { Buyers } from './testing/sandbox-sales.ts';
import { STORIES } from './testing/sandbox-stories.ts';
import { inputsOf } from './testing/story.ts';

test.each(Object.entries(STORIES))('%s', (_, story) => {
  expectVerdict(inputsOf(story, NOW), story);
});

interface Told {
  readonly story: string;
  readonly priceUsd: string;
  readonly customers?: Buyers;
  readonly washTrading?: Buyers;
}

// The sandbox checks the shape of its scenario itself when it starts.
const { endpoints } = JSON.parse(
  readFileSync(new URL('../../../apps/sandbox/scenario.json', import.meta.url), 'utf8'),
) as { endpoints: readonly Told[] };

test('no story of the sandbox is missing', () => {
  const stories = new Set(endpoints.map(({ story }) => story));
  expect(Object.keys(STORIES).sort()).toEqual([...stories].sort());
});

/** Who would buy, but never can: nobody trusts the token of the one, nor the signature that the other asks for. */
const NEVER_SOLD = new Set(['fake-usdc', 'wrong-eip712-name']);
/** Paid, but in what is not read: asking to be paid on Polygon in the end, or in another token than USDC. */
const NOT_READ = new Set(['network-change', 'asset-change']);

test.each(Object.entries(STORIES))('%s is paid by whom the scenario says', (name, { paid }) => {
  const own = endpoints.filter(({ story }) => story === name);
  const buyers = own.map(({ customers, washTrading }) => [customers, washTrading].filter((one) => one));
  if (paid === null || NEVER_SOLD.has(name)) {
    expect(paid === null || paid.buyers.length === 0).toBe(true);
    if (!NOT_READ.has(name) && !NEVER_SOLD.has(name)) expect(buyers.flat()).toEqual([]);
    return;
  }
  expect(buyers).toContainEqual(paid.buyers);
  const prices = own.map(({ priceUsd }) => Number(priceUsd));
  if (paid.at[0]) expect(prices).toContain(paid.at[0][1]);
});
