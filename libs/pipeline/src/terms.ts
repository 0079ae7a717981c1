import type { PaymentOption } from '@touchstone/x402';
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
  };
}

/** Addresses of EVM networks are equal whatever the case of their letters; those of others are not. */
function sameCase(network: string, address: string): string {
  return network.startsWith('eip155:') ? address.toLowerCase() : address;
}

/** Advertised terms in a form in which two of them can be compared; null when nothing is advertised. */
export function toTerms(version: 1 | 2 | null, options: readonly PaymentOption[]): Terms | null {
  if (options.length === 0) return null;
  const prices: Record<string, string> = {};
  const wallets = new Map<string, Set<string>>();
  for (const option of options) {
    const key = `${option.network}|${sameCase(option.network, option.asset)}`;
    // The first of several offers in one asset is the one clients take.
    prices[key] ??= option.amount?.toString() ?? '?';
    const ofNetwork = wallets.get(option.network) ?? new Set();
    wallets.set(option.network, ofNetwork.add(sameCase(option.network, option.payTo)));
  }
  return {
    version,
    options: options.map(toPayOn),
    prices,
    payTo: Object.fromEntries([...wallets].map(([network, found]) => [network, [...found].sort()])),
    falseUsdc: options.some((option) => option.falseUsdc),
  };
}

/** The option whose price and network are shown: the first with a price in dollars, else the first. */
export function mainOption(options: readonly PayOn[]): PayOn | null {
  return options.find((option) => option.amountUsd !== null) ?? options[0] ?? null;
}
