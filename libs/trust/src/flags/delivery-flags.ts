import { formatCount, formatMinute, formatUsd } from '@touchstone/common';
import type { Purchase } from '../delivery-facts.ts';
import {
  findFailures,
  findSecondDay,
  findTroubles,
  hasFailedBuyers,
  MIN_FAILED_BUYERS,
} from '../delivery.ts';
import { WINDOW_DAYS } from '../endpoint-state.ts';
import type { FlagDefinition, FlagDetection, FlagInputs } from './flag-rule.ts';

/** Formats time, price and response of a purchase, such as `on 2026-11-28 10:00 UTC ($0.01, HTTP 502)`. */
function formatPurchase({ at, amountUsd, ...response }: Purchase): string {
  return `on ${formatMinute(at)} (${formatUsd(amountUsd)}, ${formatResponse(response)})`;
}

function formatResponse({
  outcome,
  httpStatus,
  bodyBytes,
}: Pick<Purchase, 'outcome' | 'httpStatus' | 'bodyBytes'>): string {
  if (outcome === 'late') return 'response too late';
  if (httpStatus === null) return 'no response';
  const status = `HTTP ${String(httpStatus)}`;
  if (outcome === 'pay-again') return `${status} again`;
  if (outcome !== 'wrong-body') return status;
  if (bodyBytes === null) return `${status} with an incomplete body`;
  return `${status} with ${bodyBytes === 0 ? 'an empty body' : 'another body than declared'}`;
}

/** Returns the evidence of purchases, newest first: their number, their times, and the newest one with its transaction. */
function toEvidence(purchases: readonly Purchase[]): FlagDetection['evidence'] {
  const last = purchases[0];
  return {
    purchases: purchases.length,
    firstPurchasedAt: purchases.at(-1)?.at ?? null,
    lastPurchasedAt: last?.at ?? null,
    outcome: last?.outcome ?? null,
    httpStatus: last?.httpStatus ?? null,
    amountUsd: last?.amountUsd ?? null,
    transaction: last?.transaction ?? null,
    purchaseId: last?.id ?? null,
  };
}

function detectNotDelivered({ inputs }: FlagInputs): FlagDetection | null {
  const failures = findFailures(inputs);
  const [last] = failures;
  const first = failures.at(-1);
  if (first === undefined || last === undefined) return null;
  return {
    since: findSecondDay(failures),
    evidence: toEvidence(failures),
    reason: `The last ${String(failures.length)} test purchases of this service were charged and delivered nothing: the first ${formatPurchase(first)}, the last ${formatPurchase(last)}.`,
  };
}

function detectMixedDelivery({ inputs }: FlagInputs): FlagDetection | null {
  const troubles = findTroubles(inputs);
  const [last] = troubles;
  if (last === undefined) return null;
  return {
    since: findSecondDay(troubles),
    evidence: toEvidence(troubles),
    reason: `${String(troubles.length)} charged test purchases of this service in the last ${String(WINDOW_DAYS)} days delivered nothing, too late or another body than declared, last ${formatPurchase(last)}.`,
  };
}

function detectBuyerFailures({ inputs }: FlagInputs): FlagDetection | null {
  const { delivered = 0, failed = 0 } = inputs.delivery?.buyers ?? {};
  if (failed < MIN_FAILED_BUYERS) return null;
  return {
    evidence: { failed, delivered },
    // Three payments of a competitor must not outweigh the buyers that report deliveries.
    preventsProceed: hasFailedBuyers({ delivered, failed }),
    reason: `${String(failed)} payers report that their latest payment was charged and delivered nothing; ${formatCount(delivered, 'payer')} ${delivered === 1 ? 'reports' : 'report'} a delivery. These are unverified statements about payments that the chain shows.`,
  };
}

/** Error flag of an endpoint that takes money and delivers nothing. */
export const PAID_NOT_DELIVERED: FlagDefinition = {
  slug: 'paid-not-delivered',
  trigger:
    'The newest charged test purchases of this service in the last 30 days delivered nothing on at least two UTC days: no response of status 2xx, another payment challenge, or an empty body. One later purchase that delivers anything removes the flag.',
  message: 'The endpoint took the money of test purchases on at least two days and delivered nothing.',
  fix: 'Deliver the data after the settlement. The next test purchase that delivers removes the flag; the warning delivery-mixed then stays until the others are 30 days old. A purchase is repeated at most once a day, and its record has the transaction and the response.',
  detect: detectNotDelivered,
};

/** Warnings about what an endpoint delivers for money. */
export const DELIVERY_FLAGS: readonly FlagDefinition[] = [
  {
    slug: 'delivery-mixed',
    preventsProceed: true,
    trigger: `Charged test purchases on at least two UTC days of the last ${String(WINDOW_DAYS)} days delivered nothing, only after 20 seconds, or another body than declared. The flag paid-not-delivered is not raised.`,
    message: 'Test purchases on at least two days delivered nothing, too late or another body than declared.',
    fix: 'Compare the records of the test purchases with the declared output. The flag disappears when these purchases are 30 days old.',
    detect: detectMixedDelivery,
  },
  {
    slug: 'buyers-report-failures',
    trigger: `At least ${String(MIN_FAILED_BUYERS)} payers report for their latest payment of the last ${String(WINDOW_DAYS)} days that it delivered nothing. The chain shows each payment, and this service does not verify what was delivered for it. If no more payers report a delivery, the recommendation cannot be “proceed”.`,
    message:
      'Several payers state that the endpoint took their money and delivered nothing. The chain shows their payments; the statements are unverified.',
    fix: 'Deliver the data after the settlement. A payer counts by its latest report.',
    detect: detectBuyerFailures,
  },
];
