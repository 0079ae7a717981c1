import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from '@x402/core/schemas';
import fc from 'fast-check';
import { expect, test, describe } from 'vitest';
import type { EndpointDefinition } from '../scenario/scenario-schema.ts';
import { deriveWalletAddress } from '../scenario/seeded-values.ts';
import { buildTimeline } from '../scenario/timeline.ts';
import { scenario, findStory } from '../testing/story-requests.ts';
import { toAtomicAmount, createChallengeV1, createChallengeV2 } from './challenge.ts';

test.each([
  ['0.0005', 6, 500n],
  ['25', 6, 25_000_000n],
  ['1.25', 18, 1_250_000_000_000_000_000n],
  ['0.129', 2, 12n],
  ['0', 6, 0n],
])('converts %s dollars at %i decimals to %s', (priceUsd, decimals, expected) => {
  expect(toAtomicAmount(priceUsd, decimals)).toBe(expected);
});

test('converts a price of whole atomic units exactly', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (amount) => {
      const digits = amount.toString().padStart(7, '0');
      expect(toAtomicAmount(`${digits.slice(0, -6)}.${digits.slice(-6)}`, 6)).toBe(amount);
    }),
  );
});

function createContext(endpoint: EndpointDefinition, changes = {}) {
  return {
    seed: 'seed',
    tokens: scenario.tokens,
    endpoint,
    state: buildTimeline(endpoint, 0)[0],
    priceFactor: 1,
    resourceUrl: endpoint.url,
    ...changes,
  };
}

describe.each(
  scenario.endpoints
    .filter(({ tokens }) => tokens.length > 0)
    .map((endpoint) => [endpoint.name, endpoint] as const),
)('%s', (_, endpoint) => {
  test('creates a challenge that the reference schema of its version accepts', () => {
    const context = createContext(endpoint);
    const [parsed, challenge] =
      endpoint.protocol === 'v1'
        ? [PaymentRequiredV1Schema.safeParse(createChallengeV1(context)), createChallengeV1(context)]
        : [PaymentRequiredV2Schema.safeParse(createChallengeV2(context)), createChallengeV2(context)];
    expect(parsed.error).toBeUndefined();
    expect(parsed.data).toEqual(challenge);
  });
});

test('a v2 challenge contains the resource and the offer of the endpoint', () => {
  expect(createChallengeV2(createContext(findStory('price-spike')))).toMatchObject({
    x402Version: 2,
    error: 'Payment required',
    resource: { url: 'https://tickertape.sandbox.test/v1/options/chain', mimeType: 'application/json' },
    accepts: [
      {
        scheme: 'exact',
        network: 'eip155:8453',
        amount: '20000',
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        maxTimeoutSeconds: 60,
        extra: { name: 'USD Coin', version: '2' },
      },
    ],
  });
});

test('a v1 challenge repeats the resource in each offer and uses the v1 network name', () => {
  const endpoint = findStory('v1-only');
  expect(createChallengeV1(createContext(endpoint))).toMatchObject({
    x402Version: 1,
    accepts: [
      {
        network: 'base',
        maxAmountRequired: '500',
        resource: endpoint.url,
        description: endpoint.description,
      },
    ],
  });
});

test('an endpoint on two networks has two offers with the same price', () => {
  expect(createChallengeV2(createContext(findStory('two-networks')))).toMatchObject({
    accepts: [
      { network: 'eip155:8453', amount: '50000' },
      {
        network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
        amount: '50000',
        extra: {
          feePayer: deriveWalletAddress('seed', 'fee-payer', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'),
        },
      },
    ],
  });
});

test('fake USDC has the name of USDC and another token address', () => {
  const challenge = createChallengeV2(createContext(findStory('fake-usdc')));
  expect(challenge).toMatchObject({ accepts: [{ extra: { name: 'USD Coin' } }] });
  expect(JSON.stringify(challenge)).not.toContain('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913');
});

test('a wrong EIP-712 name has the right token address', () => {
  expect(createChallengeV2(createContext(findStory('wrong-eip712-name')))).toMatchObject({
    accepts: [{ asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', extra: { name: 'USDC', version: '2' } }],
  });
});

test('applies the price factor of an item', () => {
  expect(createChallengeV2(createContext(findStory('template-colon'), { priceFactor: 2.5 }))).toMatchObject({
    accepts: [{ amount: '2500' }],
  });
});

test('an endpoint without discovery data has no extension', () => {
  expect(createChallengeV2(createContext(findStory('post-undeclared')))).not.toHaveProperty('extensions');
});
