import { type Decimal, isGreater } from '../decimal.ts';
import { type ProposedPayment, readPaymentTerms, type PaymentTerms } from '../payment-terms.ts';
import type { Lookup, Lookups } from '../statement/lookup.ts';
import { decide, MALFORMED_PAYMENT } from './decide.ts';
import type { Decision } from './decision.ts';
import { toPriceUsd } from './offered-token.ts';
import type { Policy } from './policy.ts';

export interface LookupSettings {
  readonly service: URL;
  readonly policy: Policy;
  readonly lookups: Lookups;
  /** Price in US dollars above which the paid report is bought with `fetch`; null: never. */
  readonly report: { readonly above: Decimal; readonly fetch: typeof globalThis.fetch } | null;
  readonly now: () => number;
}

/** Decides on a payment by the statements of the service. `isUrlClaimed`: true if only the seller states the URL. */
export async function decideWithLookup(
  payment: ProposedPayment,
  settings: LookupSettings,
  isUrlClaimed: boolean,
): Promise<Decision> {
  const { policy, lookups, now } = settings;
  const decideBy = (lookup: Lookup) => decide({ payment, lookup, policy, now: now(), isUrlClaimed });
  const terms = readPaymentTerms(payment);
  if (terms === null) return decideBy({ summary: null, failure: MALFORMED_PAYMENT });
  const decision = decideBy(await lookups.readSummary(terms));
  const { report } = settings;
  if (report === null || decision.summary === null || isRefused(decision)) return decision;
  if (!needsReport(terms, decision, settings)) return decision;
  return decideBy(await lookups.readReport(terms, decision.summary, report.fetch));
}

/**
 * Returns true if a payment is refused and the paid report cannot change this. A report can only add observations that
 * the summary lacks.
 */
function isRefused({ reasons }: Decision): boolean {
  return reasons.some(({ code, action }) => action === 'abort' && code !== 'max-unknown-price');
}

/** Returns true if the price of a payment is unknown, or above the configured price for buying a report. */
function needsReport(
  terms: PaymentTerms,
  { summary }: Decision,
  { service, report }: LookupSettings,
): boolean {
  // The purchase of a report is itself a payment to the service.
  if (report === null || new URL(terms.resource).origin === service.origin) return false;
  const price = toPriceUsd(terms, summary?.endpoint ?? null);
  return price === null || isGreater(price, report.above);
}
