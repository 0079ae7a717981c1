import type { StoredScoringInput } from '@touchstone/store';
import type { ScoreInputs } from '@touchstone/trust';
import { normalizeAddress } from '@touchstone/x402';

type StoredChange = StoredScoringInput['changes'][number];
type Terms = NonNullable<StoredChange['before']>;
type Option = Terms['options'][number];
type TermsChange = ScoreInputs['changes'][number];

/**
 * Converts a stored change of payment terms for the score formula. The values before and after it are those of the first
 * payment option that differs, because a change can affect many options.
 */
export function toTermsChange({ kind, at, before, after }: StoredChange): TermsChange {
  if (before === null || after === null) return { kind, at, before: null, after: null };
  return { kind, at, ...findDifference(kind, before, after) };
}

function findDifference(
  kind: StoredChange['kind'],
  before: Terms,
  after: Terms,
): Pick<TermsChange, 'before' | 'after'> {
  if (kind === 'asset_network_change') return findTokenDifference(before, after);
  const toValue = kind === 'price_change' ? formatPrice : getPayTo;
  for (const option of before.options) {
    const next = after.options.find((other) => toTokenKey(other) === toTokenKey(option));
    if (next !== undefined && toValue(next) !== toValue(option)) {
      return { before: toValue(option), after: toValue(next) };
    }
  }
  // No token has another value: the wallets moved to other networks or tokens.
  const [first] = before.options;
  const [next] = after.options;
  return {
    before: first === undefined ? null : toValue(first),
    after: next === undefined ? null : toValue(next),
  };
}

/** Returns the first token that was removed and the first that was added; null if none was. */
function findTokenDifference(before: Terms, after: Terms): Pick<TermsChange, 'before' | 'after'> {
  const findMissing = (options: readonly Option[], others: readonly Option[]): string | null => {
    const known = new Set(others.map(toTokenKey));
    const missing = options.find((option) => !known.has(toTokenKey(option)));
    return missing === undefined ? null : `${missing.network} ${missing.assetSymbol ?? missing.asset}`;
  };
  return {
    before: findMissing(before.options, after.options),
    after: findMissing(after.options, before.options),
  };
}

function toTokenKey({ network, asset }: Option): string {
  return `${network}|${normalizeAddress(network, asset)}`;
}

/** Formats the price in US dollars, or in atomic units if the dollar price is unknown. */
function formatPrice({ amountUsd, amount, asset }: Option): string {
  return amountUsd === null ? `${amount ?? '?'} units of ${asset}` : `$${amountUsd}`;
}

function getPayTo({ payTo }: Option): string {
  return payTo;
}
