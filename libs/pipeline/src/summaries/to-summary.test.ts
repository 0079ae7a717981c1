import { endpointSummarySchema } from '@touchstone/contract';
import type { PayOn, Snapshot } from '@touchstone/store';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EXAMPLE_SNAPSHOT } from '../testing/example-snapshot.ts';
import { toSummary } from './create-endpoint-summary.ts';

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const context = { baseUrl: 'https://touchstone.example', vantage: 'Test lab', now: () => 1_800_000_000_000 };

const toEndpoint = (change: Partial<Snapshot>) => {
  const request = { resource: 'https://api.example.com/', endpointId: null, payTo: null, network: null };
  const found = {
    match: 'exact' as const,
    snapshot: { ...EXAMPLE_SNAPSHOT, ...change },
    payTo: null,
    provider: null,
  };
  const summary = toSummary(context, request, found);
  expect(endpointSummarySchema.parse(summary)).toEqual(summary);
  return summary.endpoint;
};

const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.constant('\u202e\u200b'));
const anyOption: fc.Arbitrary<PayOn> = fc.record({
  scheme: anyText,
  network: fc.oneof(anyText, fc.constant('eip155:8453')),
  asset: fc.oneof(anyText, fc.constant(USDC)),
  assetSymbol: fc.option(anyText),
  decimals: fc.option(fc.integer({ min: 0, max: 77 })),
  amount: fc.option(anyText),
  amountUsd: fc.option(fc.oneof(anyText, fc.constant('0.0000004'))),
  payTo: anyText,
});

it('matches its schema for every text of a provider', () => {
  fc.assert(
    fc.property(
      fc.record({
        payOn: fc.array(anyOption, { maxLength: 4 }),
        serviceName: fc.option(anyText),
        description: fc.option(anyText),
        network: fc.option(anyText),
        amountUsd: fc.option(anyText),
        lowestPriceUsd30d: fc.option(anyText),
      }),
      (change) => {
        toEndpoint(change);
      },
    ),
    { numRuns: 200 },
  );
});

it('marks the canonical USDC in any case of its address, and no other token', () => {
  const toOption = (asset: string, falseUsdc?: true): PayOn => ({
    ...{ scheme: 'exact', network: 'eip155:8453', asset, assetSymbol: 'USDC', decimals: 6, amount: '1' },
    ...{ amountUsd: null, payTo: '0xaa' },
    ...(falseUsdc ? { falseUsdc } : {}),
  });
  const payOn = [toOption(USDC), toOption(USDC.toLowerCase()), toOption(`0x${'9'.repeat(40)}`, true)];
  expect(toEndpoint({ payOn })?.payOn.map(({ canonicalUsdc }) => canonicalUsdc)).toEqual([true, true, false]);
});

it('has at most 100 payment options', () => {
  const [option] = fc.sample(anyOption, 1);
  if (option === undefined) throw new Error('no sample');
  expect(toEndpoint({ payOn: Array.from({ length: 150 }, () => option) })?.payOn).toHaveLength(100);
});

it('has the latest test purchase with the URL of its record, and the outcomes of buyers', () => {
  const id = 'p_k5xgq2dlmvzw433bnz2gs3tbme';
  const answer = {
    outcome: 'pay-again',
    httpStatus: 402,
    bodyBytes: 2,
    schemaFindings: null,
    totalMs: 820,
  } as const;
  const last = { id, at: '2026-05-30T10:00:07.000Z', amountUsd: '0.01', ...answer };
  const buyers = { delivered: 1, failed: 2 };
  expect(toEndpoint({ delivery: { state: 'failed', last, buyers } })?.delivery).toEqual({
    state: 'failed',
    last: { ...last, amountUsd: '0.010000', record: `https://touchstone.example/v1/purchases/${id}` },
    buyers: { delivered30d: 1, failed30d: 2 },
  });
  expect(toEndpoint({ delivery: { state: null, last: null, buyers } })?.delivery?.last).toBeNull();
  expect(toEndpoint({ delivery: null })?.delivery).toBeNull();
});
