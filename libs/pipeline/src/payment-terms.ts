import { normalizeAddress, type Challenge, type PaymentOption } from '@touchstone/x402';
import type { PayOn, PaymentTerms } from '@touchstone/store';

/** Converts a payment option to its stored form, with the amount as a decimal string. */
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

/** Ids of the checks that compare the header with the body. */
const MISMATCH_CHECKS = ['dual-payto', 'dual-amount', 'dual-network', 'dual-asset'];

/** Converts a challenge to payment terms that can be compared. Returns null when it advertises no payment option. */
export function toTerms({ version, options, description, checks }: Challenge): PaymentTerms | null {
  if (options.length === 0) return null;
  const isFailed = (id: string): boolean =>
    checks.some((check) => check.id === id && check.result === 'fail');
  const prices: Record<string, string> = {};
  const wallets = new Map<string, Set<string>>();
  for (const option of options) {
    const key = `${option.network}|${normalizeAddress(option.network, option.asset)}`;
    // Of several options with the same asset, clients use the first.
    prices[key] ??= option.amount?.toString() ?? '?';
    const known = wallets.get(key) ?? new Set();
    wallets.set(key, known.add(normalizeAddress(option.network, option.payTo)));
  }
  return {
    version,
    options: options.map(toPayOn),
    prices,
    payTo: Object.fromEntries([...wallets].map(([key, found]) => [key, [...found].sort()])),
    falseUsdc: options.some((option) => option.falseUsdc),
    description,
    resourceInfoMissing: isFailed('v2-resource-object') || isFailed('v2-resource-url'),
    headerBodyMismatch: MISMATCH_CHECKS.some(isFailed),
  };
}

/** Returns the option whose price and network are shown: the first one with a price in USD, or else the first. */
export function selectMainOption(options: readonly PayOn[]): PayOn | null {
  return options.find((option) => option.amountUsd !== null) ?? options[0] ?? null;
}
