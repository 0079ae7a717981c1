import type { ChangeKind } from '../types.ts';

/** Terms as two of them are compared, by network and asset: the amount asked for, and the wallets that are paid. */
export interface ComparableTerms {
  readonly prices: Readonly<Record<string, string>>;
  readonly payTo: Readonly<Record<string, readonly string[]>>;
}

/**
 * What differs between two sets of advertised terms. A price and a wallet are compared in the same network and asset, so
 * that a new way to pay is neither a price change nor a takeover; but where no wallet of before is paid any more, on
 * whatever network, payments go to somebody else. Recording says the same of stored terms, held to `TERMS_CASES`.
 */
export function termsChanges(before: ComparableTerms, after: ComparableTerms): ChangeKind[] {
  const keys = Object.keys(before.prices);
  const kept = keys.filter((key) => key in after.prices);
  const sameKeys = kept.length === keys.length && keys.length === Object.keys(after.prices).length;
  const wallets = new Set(Object.values(after.payTo).flat());
  const known = Object.values(before.payTo).flat();
  const isAnother = (key: string): boolean =>
    key in after.payTo && JSON.stringify(before.payTo[key]) !== JSON.stringify(after.payTo[key]);
  return [
    ...(sameKeys ? [] : (['asset_network_change'] as const)),
    ...(kept.some((key) => before.prices[key] !== after.prices[key]) ? (['price_change'] as const) : []),
    ...(Object.keys(before.payTo).some(isAnother) ||
    (known.length > 0 && !known.some((wallet) => wallets.has(wallet)))
      ? (['payto_change'] as const)
      : []),
  ];
}

/** A pair of terms and what has changed from one to the other. */
interface TermsCase {
  readonly name: string;
  readonly before: ComparableTerms;
  readonly after: ComparableTerms;
  readonly kinds: readonly ChangeKind[];
}

/** Terms of one wallet or more, and one price, for each network and asset. */
function terms(
  wallets: Readonly<Record<string, string | readonly string[]>>,
  price = '10000',
): ComparableTerms {
  const entries = Object.entries(wallets);
  return {
    prices: Object.fromEntries(entries.map(([key]) => [key, price])),
    payTo: Object.fromEntries(entries.map(([key, paid]) => [key, typeof paid === 'string' ? [paid] : paid])),
  };
}

const BASE = 'eip155:8453|0xusdc';
const BASE_EURC = 'eip155:8453|0xeurc';
const POLYGON = 'eip155:137|0xusdc';
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp|EPjF';

/** What every comparison of terms says: the one of these tests and the one of the database. */
export const TERMS_CASES: readonly TermsCase[] = [
  { name: 'the same', before: terms({ [BASE]: '0xowner' }), after: terms({ [BASE]: '0xowner' }), kinds: [] },
  {
    name: 'another price',
    before: terms({ [BASE]: '0xowner' }),
    after: terms({ [BASE]: '0xowner' }, '20000'),
    kinds: ['price_change'],
  },
  {
    name: 'another wallet',
    before: terms({ [BASE]: '0xowner' }),
    after: terms({ [BASE]: '0xthief' }),
    kinds: ['payto_change'],
  },
  {
    name: 'another network, the same wallet',
    before: terms({ [BASE]: '0xowner' }),
    after: terms({ [POLYGON]: '0xowner' }),
    kinds: ['asset_network_change'],
  },
  {
    name: 'another network and another wallet',
    before: terms({ [BASE]: '0xowner' }),
    after: terms({ [POLYGON]: '0xthief' }),
    kinds: ['asset_network_change', 'payto_change'],
  },
  {
    name: 'another asset and another wallet',
    before: terms({ [BASE]: '0xowner' }),
    after: terms({ [BASE_EURC]: '0xthief' }),
    kinds: ['asset_network_change', 'payto_change'],
  },
  {
    name: 'another network, wallet and price, which cannot be compared',
    before: terms({ [BASE]: '0xowner' }),
    after: terms({ [SOLANA]: 'Thief' }, '90000'),
    kinds: ['asset_network_change', 'payto_change'],
  },
  {
    name: 'one more way to pay, at a wallet of its own',
    before: terms({ [BASE]: '0xowner' }),
    after: terms({ [BASE]: '0xowner', [SOLANA]: 'Owner' }),
    kinds: ['asset_network_change'],
  },
  {
    name: 'one way to pay less',
    before: terms({ [BASE]: '0xowner', [SOLANA]: 'Owner' }),
    after: terms({ [SOLANA]: 'Owner' }),
    kinds: ['asset_network_change'],
  },
  {
    name: 'one more way to pay, and every way pays another',
    before: terms({ [BASE]: '0xowner' }),
    after: terms({ [BASE]: '0xthief', [POLYGON]: '0xthief' }),
    kinds: ['asset_network_change', 'payto_change'],
  },
  {
    name: 'other networks for two, each at another wallet',
    before: terms({ [BASE]: '0xowner', [SOLANA]: 'Owner' }),
    after: terms({ [POLYGON]: '0xthief', [BASE_EURC]: '0xthief' }),
    kinds: ['asset_network_change', 'payto_change'],
  },
  {
    name: 'other networks for two, one of them at a wallet of before',
    before: terms({ [BASE]: '0xowner', [SOLANA]: 'Owner' }),
    after: terms({ [POLYGON]: '0xowner', [BASE_EURC]: '0xthief' }),
    kinds: ['asset_network_change'],
  },
  {
    name: 'one wallet more in the same asset',
    before: terms({ [BASE]: '0xowner' }),
    after: terms({ [BASE]: ['0xowner', '0xthief'] }),
    kinds: ['payto_change'],
  },
  {
    name: 'a wallet of the same address in other letters, compared as it is stored',
    before: terms({ [SOLANA]: 'Owner' }),
    after: terms({ [POLYGON]: 'owner' }),
    kinds: ['asset_network_change', 'payto_change'],
  },
];
