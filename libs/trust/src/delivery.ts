import { DAY_MS } from '@touchstone/common';
import type { DeliveryState, PurchaseOutcome } from '@touchstone/contract';
import type { Purchase } from './delivery-facts.ts';
import { WINDOW_DAYS } from './endpoint-state.ts';
import type { ScoreInputs } from './types.ts';

/** Conditions on test purchases, shared by flags, reports and snapshots. They are not part of the score. */

/** Outcomes without a charge, and the outcome that this service cannot tell. They count neither for nor against. */
const UNCOUNTED: ReadonlySet<PurchaseOutcome> = new Set(['free', 'refused-uncharged', 'unclear']);
/** Outcomes of charged purchases that did not deliver as declared and in time. */
const TROUBLES: ReadonlySet<PurchaseOutcome> = new Set([
  'paid-not-delivered',
  'pay-again',
  'wrong-body',
  'late',
]);

/** Minimum number of payers that report a payment without delivery, for the warning `buyers-report-failures`. */
export const MIN_FAILED_BUYERS = 3;

/** Returns true if several buyers report failures, and no more buyers report deliveries. */
export function hasFailedBuyers({ delivered, failed } = { delivered: 0, failed: 0 }): boolean {
  return failed >= MIN_FAILED_BUYERS && failed >= delivered;
}

/** Returns the test purchases of the last 30 days that were charged and whose outcome is clear, newest first. */
function listCountedPurchases({ now, delivery }: ScoreInputs): readonly Purchase[] {
  const oldest = now - WINDOW_DAYS * DAY_MS;
  return (delivery?.purchases ?? []).filter(({ at, outcome }) => at >= oldest && !UNCOUNTED.has(outcome));
}

/** Returns true if a purchase was charged, and delivered nothing, another body, or late. */
function isTrouble({ outcome }: Purchase): boolean {
  return TROUBLES.has(outcome);
}

/**
 * Returns the purchases that decide the delivery state, newest first: of consecutive purchases without trouble, only the
 * newest one. Outcomes that do not count are left out, unless there is no other outcome. A report lists no more, because
 * agents read it in their context.
 */
export function selectDecisivePurchases(inputs: ScoreInputs): readonly Purchase[] {
  const counted = listCountedPurchases(inputs);
  if (counted.length === 0) return (inputs.delivery?.purchases ?? []).slice(0, 1);
  return counted.filter((purchase, index) => {
    const later = counted[index - 1];
    return later === undefined || isTrouble(purchase) || isTrouble(later);
  });
}

/** Returns true if a purchase was charged and delivered nothing. */
function isFailure({ outcome, bodyBytes }: Purchase): boolean {
  const isEmpty = outcome === 'wrong-body' && bodyBytes === 0;
  return isEmpty || outcome === 'paid-not-delivered' || outcome === 'pay-again';
}

/**
 * Returns the time of the first purchase on a second UTC day, of purchases that are newest first; null if all are of
 * one day.
 */
export function findSecondDay(purchases: readonly Purchase[]): number | null {
  const toDay = (at: number): number => Math.floor(at / DAY_MS);
  const first = purchases.at(-1)?.at;
  if (first === undefined) return null;
  return purchases.findLast(({ at }) => toDay(at) !== toDay(first))?.at ?? null;
}

/**
 * Returns the newest purchases without delivery, newest first, if they are of at least two UTC days and no other purchase
 * was made between them or after them. Returns an empty list otherwise.
 */
export function findFailures(inputs: ScoreInputs): readonly Purchase[] {
  const counted = listCountedPurchases(inputs);
  const end = counted.findIndex((purchase) => !isFailure(purchase));
  const failures = end < 0 ? counted : counted.slice(0, end);
  return findSecondDay(failures) === null ? [] : failures;
}

/**
 * Returns the purchases of the last 30 days that delivered nothing, another body, or late, newest first, if they are of at
 * least two UTC days. Returns an empty list otherwise, and if the newest purchases are failures of two days.
 */
export function findTroubles(inputs: ScoreInputs): readonly Purchase[] {
  if (findFailures(inputs).length > 0) return [];
  const troubles = listCountedPurchases(inputs).filter(isTrouble);
  return findSecondDay(troubles) === null ? [] : troubles;
}

/** Returns the delivery state of an endpoint; null if its test purchases and the outcomes of buyers do not show one. */
export function findDeliveryState(inputs: ScoreInputs): DeliveryState | null {
  if (findFailures(inputs).length > 0) return 'failed';
  // A seller can deliver to the wallet of this service only.
  if (findTroubles(inputs).length > 0 || hasFailedBuyers(inputs.delivery?.buyers)) return 'mixed';
  return listCountedPurchases(inputs)[0]?.outcome === 'delivered' ? 'delivered' : null;
}
