import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from '@x402/core/schemas';
import { describe, expect, test } from 'vitest';
import { challengeV1, challengeV2 } from './challenge.ts';
import type { Endpoint } from './scenario-schema.ts';
import { scenario, told } from './test-endpoints.ts';
import { timelineOf } from './timeline.ts';
import { walletAddress } from './wallet.ts';

const contextOf = (endpoint: Endpoint, changes = {}) => ({
  seed: 'seed',
  tokens: scenario.tokens,
  endpoint,
  state: timelineOf(endpoint, 0)[0],
  priceFactor: 1,
  resourceUrl: endpoint.url,
  ...changes,
});

describe.each(
  scenario.endpoints
    .filter(({ tokens }) => tokens.length > 0)
    .map((endpoint) => [endpoint.name, endpoint] as const),
)('%s', (_, endpoint) => {
  test('asks in words the reference schema of its version reads', () => {
    const context = contextOf(endpoint);
    const [read, written] =
      endpoint.protocol === 'v1'
        ? [PaymentRequiredV1Schema.safeParse(challengeV1(context)), challengeV1(context)]
        : [PaymentRequiredV2Schema.safeParse(challengeV2(context)), challengeV2(context)];
    expect(read.error).toBeUndefined();
    expect(read.data).toEqual(written);
  });
});

test('a v2 challenge says what the endpoint asks for', () => {
  expect(challengeV2(contextOf(told('price-spike')))).toMatchObject({
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

test('a v1 challenge repeats the resource in each offer and names the network in v1 words', () => {
  const endpoint = told('v1-only');
  expect(challengeV1(contextOf(endpoint))).toMatchObject({
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

test('an endpoint on two networks offers both at the same price', () => {
  expect(challengeV2(contextOf(told('two-networks')))).toMatchObject({
    accepts: [
      { network: 'eip155:8453', amount: '50000' },
      {
        network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
        amount: '50000',
        extra: { feePayer: walletAddress('seed', 'fee-payer', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp') },
      },
    ],
  });
});

test('fake USDC borrows the name and takes another token', () => {
  const challenge = challengeV2(contextOf(told('fake-usdc')));
  expect(challenge).toMatchObject({ accepts: [{ extra: { name: 'USD Coin' } }] });
  expect(JSON.stringify(challenge)).not.toContain('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913');
});

test('a wrong EIP-712 name goes with the right token', () => {
  expect(challengeV2(contextOf(told('wrong-eip712-name')))).toMatchObject({
    accepts: [{ asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', extra: { name: 'USDC', version: '2' } }],
  });
});

test('an item may cost more than the listed price', () => {
  expect(challengeV2(contextOf(told('template-colon'), { priceFactor: 2.5 }))).toMatchObject({
    accepts: [{ amount: '2500' }],
  });
});

test('an endpoint that declares nothing for discovery has no extension', () => {
  expect(challengeV2(contextOf(told('post-undeclared')))).not.toHaveProperty('extensions');
});
