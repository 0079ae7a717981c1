import type { Decimal } from '../decimal.ts';
import { findCanonicalUsdc, type Token } from '@touchstone/x402/networks';
import { isSameAddress, type PaymentTerms } from '../payment-terms.ts';
import type { SummaryEndpoint, SummaryOption } from '../statement/summary.ts';

/**
 * Finds the USDC that Circle issues on a network. For these networks the guard uses only its own table, so that a false
 * statement cannot present another token as USDC. Addresses of bridged tokens are not unique, so the statement of
 * Touchstone decides on bridged tokens.
 */
function findIssuedUsdc(network: string): Token | null {
  const usdc = findCanonicalUsdc(network);
  return usdc?.hasUniqueAddress === true ? usdc : null;
}

export function findOption(
  { network, asset }: PaymentTerms,
  endpoint: SummaryEndpoint | null,
): SummaryOption | null {
  const isOffered = (option: SummaryOption) =>
    option.network === network && isSameAddress(network, option.asset, asset);
  return endpoint?.payOn.find(isOffered) ?? null;
}

/**
 * Returns true if a payment is in the canonical USDC. The statement decides only for networks whose USDC the guard does
 * not know.
 */
export function isCanonicalUsdc(terms: PaymentTerms, endpoint: SummaryEndpoint | null): boolean {
  const canonical = findIssuedUsdc(terms.network);
  return canonical === null
    ? findOption(terms, endpoint)?.canonicalUsdc === true
    : isSameAddress(terms.network, canonical.asset, terms.asset);
}

/**
 * Returns the price of a payment in US dollars; null for an unknown token. A statement names the decimals of dollar
 * tokens only, so each of these tokens counts as one dollar.
 */
export function toPriceUsd(terms: PaymentTerms, endpoint: SummaryEndpoint | null): Decimal | null {
  const canonical = findIssuedUsdc(terms.network);
  const scale =
    canonical !== null && isSameAddress(terms.network, canonical.asset, terms.asset)
      ? canonical.decimals
      : (findOption(terms, endpoint)?.decimals ?? null);
  return scale === null ? null : { digits: terms.amount, scale };
}
