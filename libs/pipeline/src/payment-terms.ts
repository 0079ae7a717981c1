import { MAX_RESOURCE_CHARS } from '@touchstone/common';
import { normalizeAddress, type Challenge, type PaymentOption, type RedirectTarget } from '@touchstone/x402';
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

/** Ids of the compliance checks that compare the payment header of a challenge with its body. */
const MISMATCH_CHECKS = ['dual-payto', 'dual-amount', 'dual-network', 'dual-asset'];

/**
 * Converts a payment challenge to payment terms that can be compared. Returns null for a challenge without a payment
 * option.
 */
export function toTerms({
  version,
  options,
  description,
  checks,
  redirectTarget,
  neededSettings,
}: Challenge): PaymentTerms | null {
  if (options.length === 0) return null;
  const isFailed = (id: string): boolean =>
    checks.some((check) => check.id === id && check.result === 'fail');
  const payOn = options.map(toPayOn);
  return {
    version,
    options: payOn,
    ...groupByToken(payOn),
    falseUsdc: options.some((option) => option.falseUsdc),
    description,
    resourceInfoMissing: isFailed('v2-resource-object') || isFailed('v2-resource-url'),
    headerBodyMismatch: MISMATCH_CHECKS.some(isFailed),
    neededSettings,
    redirect: redirectTarget && toStoredRedirect(redirectTarget),
  };
}

/** Groups the prices and the payTo addresses of payment options by network and token, so that they can be compared. */
function groupByToken(options: readonly PayOn[]): Pick<PaymentTerms, 'prices' | 'payTo'> {
  const prices: Record<string, string> = {};
  const wallets = new Map<string, Set<string>>();
  for (const option of options) {
    const key = `${option.network}|${normalizeAddress(option.network, option.asset)}`;
    // When several options have the same asset, clients pay with the first of these options.
    prices[key] ??= option.amount ?? '?';
    const known = wallets.get(key) ?? new Set();
    wallets.set(key, known.add(normalizeAddress(option.network, option.payTo)));
  }
  return { prices, payTo: Object.fromEntries([...wallets].map(([key, found]) => [key, [...found].sort()])) };
}

/**
 * Converts the redirect that led to a challenge to its stored form. The target has no query, because the query of a
 * redirect may differ at each request, and each difference would be a change of the payment terms.
 */
function toStoredRedirect({ status, url, isOtherOrigin }: RedirectTarget): PaymentTerms['redirect'] {
  const { origin, pathname } = new URL(url);
  const target = `${origin}${pathname}`.slice(0, MAX_RESOURCE_CHARS);
  return { status, target, otherOrigin: isOtherOrigin };
}
