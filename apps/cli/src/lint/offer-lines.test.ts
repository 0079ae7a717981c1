import type { PaymentOption } from '@touchstone/x402';
import { describe, expect, it } from 'vitest';
import { offerLines } from './offer-lines.ts';

const option: PaymentOption = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  assetSymbol: 'USDC',
  decimals: 6,
  amount: 10_000n,
  amountUsd: '0.010000',
  payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  maxTimeoutSeconds: 60,
  extra: null,
  falseUsdc: false,
};
const asks = (change: Partial<PaymentOption>): string | undefined =>
  offerLines([{ ...option, ...change }], 200)[0];

describe('what an endpoint asks', () => {
  it('is told with price, network and wallet', () => {
    expect(offerLines([option], 80)).toEqual([
      'Asks 0.01 USDC ($0.01) on eip155:8453',
      '  to 0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
    ]);
  });

  const told: readonly (readonly [line: string, change: Partial<PaymentOption>])[] = [
    ['Asks 1.5 USDC ($1.5) on eip155:8453', { amount: 1_500_000n, amountUsd: '1.500000' }],
    ['Asks 100 USDC ($100) on eip155:8453', { amount: 100_000_000n, amountUsd: '100.000000' }],
    ['Asks 0 USDC ($0) on eip155:8453', { amount: 0n, amountUsd: '0.000000' }],
    ['Asks 7 USDC on eip155:8453', { amount: 7n, decimals: 0, amountUsd: null }],
    [
      'Asks 10000 atomic units of 0xabc on eip155:8453',
      { decimals: null, assetSymbol: null, asset: '0xabc' },
    ],
    [`Asks an unreadable amount of ${option.asset} on eip155:8453`, { amount: null }],
    [
      'Asks 10000 atomic units of 0xabc, which calls itself USDC and is not, on eip155:8453',
      { decimals: null, assetSymbol: null, asset: '0xabc', falseUsdc: true },
    ],
  ];
  // Not a table of the test runner, which prints its rows and cannot print a bigint.
  for (const [line, change] of told) {
    it(`reads "${line}"`, () => {
      expect(asks(change)).toBe(line);
    });
  }

  it('is cut after five options', () => {
    const lines = offerLines(
      Array.from({ length: 8 }, () => option),
      80,
    );
    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toBe('and 3 more');
    expect(lines[2]).toMatch(/^or 0.01 USDC/);
  });
});
