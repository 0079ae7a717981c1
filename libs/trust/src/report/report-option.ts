import { TEXT_LIMITS, type TrustReport } from '@touchstone/contract';
import { cleanText } from '@touchstone/x402';
import { shownText, sixDecimals } from './report-values.ts';

/** One way to pay, as answers show it. */
export type ReportedOption = NonNullable<TrustReport['advertised']>['options'][number];

/** An amount as it is shown: sellers write all kinds of things where an amount belongs. */
export function atomicAmount(amount: string | null | undefined): string | null {
  return typeof amount === 'string' && /^[0-9]{1,78}$/.test(amount) ? amount : null;
}

/** One way to pay with texts of strangers made plain and of bounded length. */
export function reportedOption(option: ReportedOption): ReportedOption {
  return {
    scheme: shownText(option.scheme),
    network: shownText(option.network),
    asset: shownText(option.asset),
    assetSymbol: cleanText(option.assetSymbol, TEXT_LIMITS.address),
    decimals: option.decimals,
    amount: atomicAmount(option.amount),
    amountUsd: sixDecimals(option.amountUsd),
    payTo: shownText(option.payTo),
    falseUsdc: option.falseUsdc,
  };
}
