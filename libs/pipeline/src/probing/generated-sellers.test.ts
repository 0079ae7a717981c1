import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openOracle, type Oracle } from '../testing/generated-sellers/oracle.ts';
import { sellerArbitrary } from '../testing/generated-sellers/seller-arbitrary.ts';
import type { Seller } from '../testing/generated-sellers/seller.ts';

const SIX_CODINGS = Array(6).fill('gzip').join();
/** Address whose checksum has only capital letters. */
const CAPITALS = '0x52908400098527886E0F7030069857D2E4169EE7';
/**
 * Number of generated sellers, 3,000 with SLOW=1. For a long run: `FUZZ_RUNS=10000 npx vitest run --project pipeline
 * generated-sellers`. FUZZ_SEED selects other sellers.
 */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? (process.env['SLOW'] === '1' ? 3_000 : 120));
const SEED = Number(process.env['FUZZ_SEED'] ?? 402);

let oracle: Oracle;
beforeAll(async () => {
  oracle = await openOracle();
});
afterAll(() => oracle.close());

describe('the service says the same as the stock clients', () => {
  test(
    `about ${RUNS} generated sellers`,
    async () => {
      await fc.assert(
        fc.asyncProperty(sellerArbitrary, async (seller) => {
          expect(await oracle.findDisagreements(seller)).toEqual([]);
        }),
        { numRuns: RUNS, seed: SEED },
      );
    },
    60_000 + 100 * RUNS,
  );

  // Sellers that generated tests found, reduced to the members that matter.
  test.each<[string, Seller]>([
    ['compresses its body with zstd', { sends: 'v1', coding: { name: 'zstd', by: ['zstd'] } }],
    ['uses two content codings', { sends: 'both', coding: { name: 'gzip, br', by: ['gzip', 'br'] } }],
    ['names a coding that clients do not know', { sends: 'v1', coding: { name: 'gzip, UTF-8', by: [] } }],
    ['names more codings than clients accept', { sends: 'v2', coding: { name: SIX_CODINGS, by: [] } }],
    ['names a coding that it does not use', { sends: 'both', coding: { name: 'br', by: ['gzip'] } }],
    ['sends more data than its length', { sends: 'both', framing: 'length-short' }],
    ['sends less data than its length', { sends: 'both', framing: 'length-long' }],
    ['sends an invalid chunk', { sends: 'v2', framing: 'bad-chunk' }],
    ['closes the connection within a chunk', { sends: 'v2', framing: 'cut-chunk' }],
    ['sends a chunk for each byte', { sends: 'v1', framing: 'tiny-chunks' }],
    ['never ends its body', { sends: 'v2', framing: 'endless' }],
    ['redirects to another origin', { sends: 'v2', hops: [{ status: 303, to: 'origin' }] }],
    ['redirects POST', { sends: 'both', get: 405, hops: [{ status: 302, to: 'relative' }] }],
    ['answers POST only', { sends: 'v1', get: 406 }],
    ['has a payTo in capitals', { sends: 'v1', option: { payTo: CAPITALS } }],
    ['has a payTo with a wrong checksum', { sends: 'both', option: { payTo: CAPITALS.replace('E4', 'e4') } }],
    ['sends 70 options', { sends: 'both', crowd: 70 }],
    ['names a reserved address as payTo', { sends: 'v2', option: { payTo: `0x${'0'.repeat(39)}1` } }],
  ])('about a seller that %s', async (_, seller) => {
    expect(await oracle.findDisagreements(seller)).toEqual([]);
  });
});
