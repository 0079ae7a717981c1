import type { Decimal } from './decimal.ts';
import { CANONICAL_USDC, isSameAddress, type PaymentTerms } from '../payment/payment-terms.ts';
import type { SummaryEndpoint, SummaryOption } from '../statement/summary.ts';

/** Finds the observed payment option with the token of a payment. */
export function findOption(
  { network, asset }: PaymentTerms,
  endpoint: SummaryEndpoint | null,
): SummaryOption | null {
  const isOffered = (option: SummaryOption) =>
    option.network === network && isSameAddress(network, option.asset, asset);
  return endpoint?.payOn.find(isOffered) ?? null;
}

/** Returns true if a payment is in the canonical USDC. The statement decides only for networks outside the guard's table. */
export function isCanonicalUsdc(terms: PaymentTerms, endpoint: SummaryEndpoint | null): boolean {
  const canonical = CANONICAL_USDC.get(terms.network);
  return canonical === undefined
    ? findOption(terms, endpoint)?.canonicalUsdc === true
    : isSameAddress(terms.network, canonical.asset, terms.asset);
}

/**
 * Returns the price of a payment in US dollars; null for an unknown token. A statement names the decimals of dollar tokens
 * only, so each of these tokens counts as one dollar.
 */
export function toPriceUsd(terms: PaymentTerms, endpoint: SummaryEndpoint | null): Decimal | null {
  const canonical = CANONICAL_USDC.get(terms.network);
  const scale =
    canonical !== undefined && isSameAddress(terms.network, canonical.asset, terms.asset)
      ? canonical.decimals
      : (findOption(terms, endpoint)?.decimals ?? null);
  return scale === null ? null : { digits: terms.amount, scale };
}
