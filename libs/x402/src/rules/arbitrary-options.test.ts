import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readChallenge } from '../challenge/read-challenge.ts';
import { encode, v1Response, v2Response } from '../testing/fixtures.ts';

const NAMES = [
  ...['scheme', 'network', 'amount', 'maxAmountRequired', 'asset', 'payTo', 'maxTimeoutSeconds', 'extra'],
  ...['resource', 'outputSchema', 'description', '__proto__', 'constructor'],
];
const VALUES: readonly unknown[] = [
  ...['exact', 'upto', 'eip155:8453', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'base', '10000', '0', ''],
  ...['0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', '1'.repeat(44), '\uD800', 'eip155:8453/erc20:'],
  ...[60, 1e308, -0.5, null, [], { name: {}, version: [], paymentFlow: 1, feePayer: '', escrow: true }],
];

/** Generator of payment options with random members. Some member values are valid, others are not. */
const option = fc.dictionary(
  fc.constantFrom(...NAMES),
  fc.oneof(fc.constantFrom(...VALUES), fc.jsonValue()),
  {
    noNullPrototype: true,
  },
);

describe('arbitrary options', () => {
  test('every rule returns a message that can be displayed', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(option, fc.jsonValue()), { maxLength: 5 }), (accepts) => {
        for (const response of [
          v2Response({ x402Version: 2, accepts }),
          v1Response({ x402Version: 1, accepts }),
        ]) {
          for (const { message } of readChallenge(response).checks) {
            expect(message.length).toBeLessThan(600);
            expect(message.isWellFormed()).toBe(true);
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  test('one very long member does not slow down the rules', () => {
    const longText = 'eip155:'.repeat(5_000);
    const members = Object.fromEntries(NAMES.map((name): [string, string] => [name, longText]));
    const started = performance.now();
    readChallenge(v1Response(undefined, { body: JSON.stringify({ x402Version: 1, accepts: [members] }) }));
    const header = encode({
      x402Version: 2,
      accepts: [{ scheme: 'exact', network: 'eip155:1', asset: longText }],
    });
    readChallenge(v2Response(undefined, { headers: [['payment-required', header]] }));
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});
