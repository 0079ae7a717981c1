import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { NOW } from './testing/fixtures.ts';
import { expectVerdict } from './testing/expectation.ts';
import type { Buyers } from './testing/sandbox-sales.ts';
import { STORIES } from './testing/sandbox-stories.ts';
import { toScoreInputs } from './testing/story.ts';

test.each(Object.entries(STORIES))('%s', (_, story) => {
  expectVerdict(toScoreInputs(story, NOW), story);
});

interface ScenarioEndpoint {
  readonly story: string;
  readonly priceUsd: string;
  readonly customers?: Buyers;
  readonly washTrading?: Buyers;
}

// The sandbox validates its scenario file when it starts, so this test reads the file without validation.
const { endpoints } = JSON.parse(
  readFileSync(new URL('../../../apps/sandbox/scenario.json', import.meta.url), 'utf8'),
) as { endpoints: readonly ScenarioEndpoint[] };

test('every sandbox endpoint of the scenario has a test story with an expected verdict', () => {
  const stories = new Set(endpoints.map(({ story }) => story));
  expect(Object.keys(STORIES).sort()).toEqual([...stories].sort());
});

/**
 * Test stories of sandbox endpoints whose buyers can never pay, because the token is untrusted or the signature domain
 * is wrong.
 */
const NEVER_SOLD = new Set(['fake-usdc', 'wrong-eip712-name']);
/** Test stories whose payments are not read from the chain, because buyers pay in a token other than USDC. */
const NOT_READ = new Set(['asset-change']);

test.each(Object.entries(STORIES))(
  '%s has the buyers and prices of the scenario',
  (name, { sales: paid }) => {
    const own = endpoints.filter(({ story }) => story === name);
    const buyers = own.map(({ customers, washTrading }) => [
      ...(customers ? [customers] : []),
      ...(washTrading ? [{ ...washTrading, isReturned: true }] : []),
    ]);
    if (paid === null || NEVER_SOLD.has(name)) {
      expect(paid === null || paid.buyers.length === 0).toBe(true);
      if (!NOT_READ.has(name) && !NEVER_SOLD.has(name)) expect(buyers.flat()).toEqual([]);
      return;
    }
    expect(buyers).toContainEqual(paid.buyers);
    const prices = own.map(({ priceUsd }) => Number(priceUsd));
    if (paid.at[0]) expect(prices).toContain(paid.at[0][1]);
  },
);
