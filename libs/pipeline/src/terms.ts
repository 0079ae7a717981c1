import type { Challenge, PaymentOption } from '@touchstone/x402';
import type { PayOn, Terms } from '@touchstone/store';

/** A payment option as it is stored: the amount as a decimal string. */
export function toPayOn(option: PaymentOption): PayOn {
  return {
    scheme: option.scheme,
    network: option.network,
    asset: option.asset,
    assetSymbol: option.assetSymbol,
    decimals: option.decimals,
    amount: option.amount?.toString() ?? null,
    amountUsd: option.amountUsd,
    payTo: option.payTo,
    ...(option.falseUsdc ? { falseUsdc: true } : {}),
  };
}

/** Addresses of EVM networks are equal whatever the case of their letters; those of others are not. */
export function sameCase(network: string, address: string): string {
  return network.startsWith('eip155:') ? address.toLowerCase() : address;
}

/** Checks that compare the header with the body. */
const CONTRADICTIONS = ['dual-payto', 'dual-amount', 'dual-network', 'dual-asset'];

/** Advertised terms in a form in which two of them can be compared; null when nothing is advertised. */
export function toTerms({ version, options, description, checks }: Challenge): Terms | null {
  if (options.length === 0) return null;
  const failed = (id: string): boolean => checks.some((check) => check.id === id && check.result === 'fail');
  const prices: Record<string, string> = {};
  const wallets = new Map<string, Set<string>>();
  for (const option of options) {
    const key = `${option.network}|${sameCase(option.network, option.asset)}`;
    // The first of several offers in one asset is the one clients take.
    prices[key] ??= option.amount?.toString() ?? '?';
    const known = wallets.get(key) ?? new Set();
    wallets.set(key, known.add(sameCase(option.network, option.payTo)));
  }
  return {
    version,
    options: options.map(toPayOn),
    prices,
    payTo: Object.fromEntries([...wallets].map(([key, found]) => [key, [...found].sort()])),
    falseUsdc: options.some((option) => option.falseUsdc),
    description,
    resourceInfoMissing: failed('v2-resource-object') || failed('v2-resource-url'),
    headerBodyMismatch: CONTRADICTIONS.some(failed),
  };
}

/** The option whose price and network are shown: the first with a price in dollars, else the first. */
export function mainOption(options: readonly PayOn[]): PayOn | null {
  return options.find((option) => option.amountUsd !== null) ?? options[0] ?? null;
}
