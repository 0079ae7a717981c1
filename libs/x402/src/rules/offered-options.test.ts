import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  toAmountText,
  toAssetKey,
  findContradictions,
  normalizeId,
  haveCommonValue,
} from './offered-options.ts';
import type { PaymentOption } from '../types.ts';

function option(network: string, asset: string, amount: bigint | null): PaymentOption {
  return {
    scheme: 'exact',
    network,
    asset,
    assetSymbol: null,
    decimals: null,
    amount,
    amountUsd: null,
    payTo: '',
    maxTimeoutSeconds: null,
    extra: null,
    falseUsdc: false,
  };
}

const options = fc.array(
  fc
    .tuple(
      fc.constantFrom('a:1', 'a:2'),
      fc.constantFrom('0xA', '0xa', 'm'),
      fc.constantFrom(null, 1n, 2n),
      fc.constantFrom('exact', 'upto'),
    )
    .map(([network, asset, amount, scheme]) => ({ ...option(network, asset, amount), scheme })),
);

test('compares hexadecimal ids without letter case and other ids exactly', () => {
  expect(normalizeId('0xAb')).toBe(normalizeId('0XaB'));
  expect(normalizeId('EPjF')).not.toBe(normalizeId('epjf'));
  expect(
    toAssetKey(option('eip155:1', 'eip155:1/erc20:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 1n)),
  ).toBe(toAssetKey(option('eip155:1', '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', 1n)));
});

function toComparisonKey(one: PaymentOption): string {
  return `${one.scheme} ${toAssetKey(one)}`;
}

test('two sources contradict each other on a shared scheme and asset when no values are equal', () => {
  fc.assert(
    fc.property(options, options, (ones, others) => {
      const listAmounts = (list: PaymentOption[], key: string): (string | null)[] =>
        list.filter((one) => toComparisonKey(one) === key && one.amount !== null).map(toAmountText);
      const keys = [...new Set(ones.map(toComparisonKey))];
      const shared = keys.filter(
        (key) => listAmounts(ones, key).length * listAmounts(others, key).length > 0,
      );
      const disputed = shared.filter((key) =>
        listAmounts(ones, key).every((amount) => !listAmounts(others, key).includes(amount)),
      );
      const found = findContradictions(ones, others, toAmountText);
      expect(found === null).toBe(shared.length === 0);
      expect((found ?? []).map(({ one }) => toComparisonKey(one)).toSorted()).toEqual(disputed.toSorted());
      expect((found ?? []).every(({ one, other }) => toComparisonKey(one) === toComparisonKey(other))).toBe(
        true,
      );
    }),
  );
});

test('one common value is enough for two sources, and without options there is no answer', () => {
  const [one, other, third] = [option('a:1', 'm', 1n), option('a:2', 'm', 1n), option('a:3', 'm', 1n)];
  const share = (ones: PaymentOption[], others: PaymentOption[]): boolean | null =>
    haveCommonValue([ones, others], ({ network }) => network);
  expect(share([one, other], [other, third])).toBe(true);
  expect(share([one], [other, third])).toBe(false);
  expect(share([], [one])).toBeNull();
  expect(share([one], [])).toBeNull();
});
