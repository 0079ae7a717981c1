import { TEXT_LIMITS, type TrustReport } from '@touchstone/contract';
import { cleanText } from '@touchstone/x402';
import { toDisplayText, normalizeUsd } from './report-values.ts';

/** Payment option of an endpoint, in the form that API responses contain. */
export type ReportOption = NonNullable<TrustReport['advertised']>['options'][number];

/**
 * Returns the amount if it is a whole number of atomic token units, otherwise null. Providers are untrusted and may
 * send any text as an amount.
 */
export function toAtomicAmount(amount: string | null | undefined): string | null {
  return typeof amount === 'string' && /^[0-9]{1,78}$/.test(amount) ? amount : null;
}

/** Converts a payment option for a report: provider texts are cleaned and limited in length. */
export function toReportOption(option: ReportOption): ReportOption {
  return {
    scheme: toDisplayText(option.scheme),
    network: toDisplayText(option.network),
    asset: toDisplayText(option.asset),
    assetSymbol: cleanText(option.assetSymbol, TEXT_LIMITS.address),
    decimals: option.decimals,
    amount: toAtomicAmount(option.amount),
    amountUsd: normalizeUsd(option.amountUsd),
    payTo: toDisplayText(option.payTo),
    falseUsdc: option.falseUsdc,
  };
}
