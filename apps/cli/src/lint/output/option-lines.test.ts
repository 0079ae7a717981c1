import type { PaymentOption } from '@touchstone/x402';
import { describe, expect, it } from 'vitest';
import { formatOptions } from './option-lines.ts';

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
const formatFirstLine = (change: Partial<PaymentOption>): string | undefined =>
  formatOptions([{ ...option, ...change }], 200)[0];

describe('formatOptions', () => {
  it('prints price, network and receiving address', () => {
    expect(formatOptions([option], 80)).toEqual([
      'Price: 0.01 USDC ($0.01) on eip155:8453',
      '  to 0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
    ]);
  });

  const expectations: readonly (readonly [line: string, change: Partial<PaymentOption>])[] = [
    ['Price: 1.5 USDC ($1.50) on eip155:8453', { amount: 1_500_000n, amountUsd: '1.500000' }],
    ['Price: 100 USDC ($100) on eip155:8453', { amount: 100_000_000n, amountUsd: '100.000000' }],
    ['Price: 0 USDC ($0) on eip155:8453', { amount: 0n, amountUsd: '0.000000' }],
    ['Price: 7 USDC on eip155:8453', { amount: 7n, decimals: 0, amountUsd: null }],
    [
      'Price: 10000 atomic units of 0xabc on eip155:8453',
      { decimals: null, assetSymbol: null, asset: '0xabc' },
    ],
    [`Price: an invalid amount of ${option.asset} on eip155:8453`, { amount: null }],
    [
      'Price: 10000 atomic units of 0xabc, which claims to be USDC but is not, on eip155:8453',
      { decimals: null, assetSymbol: null, asset: '0xabc', falseUsdc: true },
    ],
  ];
  // A loop replaces `it.each`, which cannot print the bigint values.
  for (const [line, change] of expectations) {
    it(`prints "${line}"`, () => {
      expect(formatFirstLine(change)).toBe(line);
    });
  }

  it('prints at most five options', () => {
    const lines = formatOptions(
      Array.from({ length: 8 }, () => option),
      80,
    );
    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toBe('and 3 more');
    expect(lines[2]).toMatch(/^or 0.01 USDC/);
  });
});
