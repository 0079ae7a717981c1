import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openOracle, type Oracle } from '../testing/generated-sellers/oracle.ts';
import { sellerArbitrary } from '../testing/generated-sellers/seller-arbitrary.ts';
import type { Seller } from '../testing/generated-sellers/seller.ts';

/** Address whose checksum has only capital letters. */
const CAPITALS = '0x52908400098527886E0F7030069857D2E4169EE7';
const DOMAIN = { name: 'USD Coin', version: '2' };
const OWN_CONTRACT = { ...DOMAIN, verifyingContract: CAPITALS };
const GATEWAY = { name: 'GatewayWalletBatched', version: '1', verifyingContract: CAPITALS };
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

describe('verdicts agree with the stock clients', () => {
  test(
    `about ${RUNS} generated sellers`,
    async () => {
      await fc.assert(
        fc.asyncProperty(sellerArbitrary, async (seller) => {
          expect(await oracle.findDisagreements(seller)).toEqual([]);
        }),
        { numRuns: RUNS, seed: SEED },
      );
      // Without such sellers, the comparison would not notice a wrong prediction of settlements.
      expect(Math.min(oracle.unsettled.v1, oracle.unsettled.v2)).toBeGreaterThanOrEqual(15);
    },
    60_000 + 100 * RUNS,
  );

  // Sellers that generated tests found, reduced to the members that matter.
  test.each<[string, Seller]>([
    ['compresses its body with zstd', { sends: 'v1', coding: { name: 'zstd', by: ['zstd'] } }],
    ['never ends its body', { sends: 'v2', framing: 'endless' }],
    ['sends its challenge only to POST requests', { sends: 'v1', get: 406 }],
    ['has a payTo in capitals', { sends: 'v1', option: { payTo: CAPITALS } }],
    ['has a payTo with a wrong checksum', { sends: 'both', option: { payTo: CAPITALS.replace('E4', 'e4') } }],
    ['sends 70 options', { sends: 'both', eurcOptions: 70 }],
    ['names a reserved address as payTo', { sends: 'v2', option: { payTo: `0x${'0'.repeat(39)}1` } }],
    ['names the zero address as payTo', { sends: 'both', option: { payTo: `0x${'0'.repeat(40)}` } }],
    [
      'names the token of a test network',
      { sends: 'both', option: { extra: { name: 'USDC', version: '2' } } },
    ],
    ['names another version', { sends: 'both', option: { extra: { ...DOMAIN, version: '1' } } }],
    ['names a version that is a number', { sends: 'both', option: { extra: { ...DOMAIN, version: 2 } } }],
    ['names no domain', { sends: 'both', without: ['extra'] }],
    [
      'names another contract with the domain of the token',
      { sends: 'both', option: { extra: OWN_CONTRACT } },
    ],
    ['sells through Circle Gateway', { sends: 'both', option: { extra: GATEWAY } }],
    ['has a timeout of 5 seconds', { sends: 'both', option: { maxTimeoutSeconds: 5 } }],
    ['has a timeout of 10 seconds', { sends: 'both', option: { maxTimeoutSeconds: 10 } }],
    ['requests the amount 0', { sends: 'both', option: { amount: '0' } }],
  ])('about a seller that %s', async (_, seller) => {
    expect(await oracle.findDisagreements(seller)).toEqual([]);
  });
});
