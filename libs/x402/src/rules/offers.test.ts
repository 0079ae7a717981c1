import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountOf, assetOf, findContradictions, plainId } from './offers.ts';
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

test('hex has no letter case, other ids have', () => {
  expect(plainId('0xAb')).toBe(plainId('0XaB'));
  expect(plainId('EPjF')).not.toBe(plainId('epjf'));
  expect(assetOf(option('eip155:1', 'eip155:1/erc20:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 1n))).toBe(
    assetOf(option('eip155:1', '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', 1n)),
  );
});

/** What options are paired by. */
function wayOf(one: PaymentOption): string {
  return `${one.scheme} ${assetOf(one)}`;
}

test('two sources contradict each other on the assets they share by one scheme and say no equal word of', () => {
  fc.assert(
    fc.property(options, options, (ones, others) => {
      const worded = (list: PaymentOption[], way: string): (string | null)[] =>
        list.filter((one) => wayOf(one) === way && one.amount !== null).map(amountOf);
      const ways = [...new Set(ones.map(wayOf))];
      const shared = ways.filter((way) => worded(ones, way).length * worded(others, way).length > 0);
      const disputed = shared.filter((way) =>
        worded(ones, way).every((word) => !worded(others, way).includes(word)),
      );
      const found = findContradictions(ones, others, amountOf);
      expect(found === null).toBe(shared.length === 0);
      expect((found ?? []).map(({ one }) => wayOf(one)).toSorted()).toEqual(disputed.toSorted());
      expect((found ?? []).every(({ one, other }) => wayOf(one) === wayOf(other))).toBe(true);
    }),
  );
});
