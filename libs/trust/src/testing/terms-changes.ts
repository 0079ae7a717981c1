import type { ChangeKind } from '@touchstone/contract';

/** Payment terms in a form for comparison: the requested amount and the paid wallets, each by network and asset. */
export interface ComparableTerms {
  readonly prices: Readonly<Record<string, string>>;
  readonly payTo: Readonly<Record<string, readonly string[]>>;
}

/**
 * Returns the kinds of change between two sets of advertised payment terms. Prices and wallets are compared within the
 * same network and asset, so a new payment option is neither a price change nor a payTo change. A change that removes
 * all previous wallets on all networks is also a payTo change.
 *
 * The database compares stored terms by the same rules; `TERMS_CASES` tests both implementations.
 */
export function findTermsChanges(before: ComparableTerms, after: ComparableTerms): ChangeKind[] {
  const keys = Object.keys(before.prices);
  const commonKeys = keys.filter((key) => key in after.prices);
  const hasSameKeys = commonKeys.length === keys.length && keys.length === Object.keys(after.prices).length;
  const nextWallets = new Set(Object.values(after.payTo).flat());
  const previousWallets = Object.values(before.payTo).flat();
  const hasOtherWallets = (key: string): boolean =>
    key in after.payTo && JSON.stringify(before.payTo[key]) !== JSON.stringify(after.payTo[key]);
  return [
    ...(hasSameKeys ? [] : (['asset_network_change'] as const)),
    ...(commonKeys.some((key) => before.prices[key] !== after.prices[key])
      ? (['price_change'] as const)
      : []),
    ...(Object.keys(before.payTo).some(hasOtherWallets) ||
    (previousWallets.length > 0 && !previousWallets.some((wallet) => nextWallets.has(wallet)))
      ? (['payto_change'] as const)
      : []),
  ];
}

/** Test case: two sets of payment terms and the expected kinds of change between them. */
interface TermsCase {
  readonly name: string;
  readonly before: ComparableTerms;
  readonly after: ComparableTerms;
  readonly kinds: readonly ChangeKind[];
}

/** Creates payment terms with one price for all networks and assets, and one or more wallets for each. */
function createTerms(
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

/** Test cases for both implementations of the comparison of payment terms: `findTermsChanges` and the database. */
export const TERMS_CASES: readonly TermsCase[] = [
  {
    name: 'identical terms',
    before: createTerms({ [BASE]: '0xowner' }),
    after: createTerms({ [BASE]: '0xowner' }),
    kinds: [],
  },
  {
    name: 'another price',
    before: createTerms({ [BASE]: '0xowner' }),
    after: createTerms({ [BASE]: '0xowner' }, '20000'),
    kinds: ['price_change'],
  },
  {
    name: 'another wallet',
    before: createTerms({ [BASE]: '0xowner' }),
    after: createTerms({ [BASE]: '0xthief' }),
    kinds: ['payto_change'],
  },
  {
    name: 'another network, the same wallet',
    before: createTerms({ [BASE]: '0xowner' }),
    after: createTerms({ [POLYGON]: '0xowner' }),
    kinds: ['asset_network_change'],
  },
  {
    name: 'another network and another wallet',
    before: createTerms({ [BASE]: '0xowner' }),
    after: createTerms({ [POLYGON]: '0xthief' }),
    kinds: ['asset_network_change', 'payto_change'],
  },
  {
    name: 'another asset and another wallet',
    before: createTerms({ [BASE]: '0xowner' }),
    after: createTerms({ [BASE_EURC]: '0xthief' }),
    kinds: ['asset_network_change', 'payto_change'],
  },
  {
    name: 'another network, wallet and price; the prices cannot be compared',
    before: createTerms({ [BASE]: '0xowner' }),
    after: createTerms({ [SOLANA]: 'Thief' }, '90000'),
    kinds: ['asset_network_change', 'payto_change'],
  },
  {
    name: 'an additional option with another wallet',
    before: createTerms({ [BASE]: '0xowner' }),
    after: createTerms({ [BASE]: '0xowner', [SOLANA]: 'Owner' }),
    kinds: ['asset_network_change'],
  },
  {
    name: 'one option removed',
    before: createTerms({ [BASE]: '0xowner', [SOLANA]: 'Owner' }),
    after: createTerms({ [SOLANA]: 'Owner' }),
    kinds: ['asset_network_change'],
  },
  {
    name: 'an additional option, and all options pay another wallet',
    before: createTerms({ [BASE]: '0xowner' }),
    after: createTerms({ [BASE]: '0xthief', [POLYGON]: '0xthief' }),
    kinds: ['asset_network_change', 'payto_change'],
  },
  {
    name: 'two options on other networks, both with another wallet',
    before: createTerms({ [BASE]: '0xowner', [SOLANA]: 'Owner' }),
    after: createTerms({ [POLYGON]: '0xthief', [BASE_EURC]: '0xthief' }),
    kinds: ['asset_network_change', 'payto_change'],
  },
  {
    name: 'two options on other networks, one with a previous wallet',
    before: createTerms({ [BASE]: '0xowner', [SOLANA]: 'Owner' }),
    after: createTerms({ [POLYGON]: '0xowner', [BASE_EURC]: '0xthief' }),
    kinds: ['asset_network_change'],
  },
  {
    name: 'an additional wallet for the same asset',
    before: createTerms({ [BASE]: '0xowner' }),
    after: createTerms({ [BASE]: ['0xowner', '0xthief'] }),
    kinds: ['payto_change'],
  },
  {
    name: 'the same address in different letter case, compared as stored',
    before: createTerms({ [SOLANA]: 'Owner' }),
    after: createTerms({ [POLYGON]: 'owner' }),
    kinds: ['asset_network_change', 'payto_change'],
  },
];
