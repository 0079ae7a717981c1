import { DAY_MS } from '@touchstone/common';
import { PURCHASE_OUTCOMES, type PurchaseOutcome } from '@touchstone/contract';
import fc from 'fast-check';
import type { DeliveryFacts, Purchase } from '../delivery-facts.ts';
import { toDaysAgo } from './fixtures.ts';

/** Returns a purchase with the usual response of its outcome. */
export function createPurchase(
  outcome: PurchaseOutcome,
  daysAgo: number,
  change: Partial<Purchase> = {},
): Purchase {
  const status = outcome === 'pay-again' ? 402 : outcome === 'paid-not-delivered' ? 502 : 200;
  const isCharged = outcome !== 'free' && outcome !== 'refused-uncharged' && outcome !== 'unclear';
  return {
    id: `p_${'a'.repeat(26)}`,
    at: toDaysAgo(daysAgo),
    ...{
      outcome,
      amountUsd: '0.010000',
      httpStatus: status,
      bodyBytes: 640,
      schemaFindings: 0,
      totalMs: 820,
    },
    transaction: isCharged ? `0x${'5a'.repeat(32)}` : null,
    ...change,
  };
}

/** Returns the delivery facts of purchases, newest first. */
export function createDelivery(
  purchases: readonly Purchase[],
  buyers: DeliveryFacts['buyers'] = { delivered: 0, failed: 0 },
): { readonly delivery: DeliveryFacts } {
  return { delivery: { purchases, buyers } };
}

/** Arbitrary delivery facts: at most eight purchases of up to 40 days, newest first. */
export const anyDelivery: fc.Arbitrary<DeliveryFacts> = fc.record({
  purchases: fc
    .array(
      fc.record({
        outcome: fc.constantFrom(...PURCHASE_OUTCOMES),
        minutesAgo: fc.integer({ min: 0, max: (40 * DAY_MS) / 60_000 }),
        bodyBytes: fc.option(fc.constantFrom(0, 640)),
        httpStatus: fc.option(fc.constantFrom(200, 402, 502)),
      }),
      { maxLength: 8 },
    )
    .map((rows) =>
      rows
        .map(({ outcome, minutesAgo, ...response }) => createPurchase(outcome, minutesAgo / 1_440, response))
        .sort((one, other) => other.at - one.at),
    ),
  buyers: fc.record({ delivered: fc.nat(5), failed: fc.nat(5) }),
});
