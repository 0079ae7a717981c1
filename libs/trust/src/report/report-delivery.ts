import { DAY_MS, formatTimestamp } from '@touchstone/common';
import type { TrustReport } from '@touchstone/contract';
import { findDeliveryState, selectDecisivePurchases } from '../delivery.ts';
import { WINDOW_DAYS } from '../endpoint-state.ts';
import { normalizeUsd } from '../report-values.ts';
import type { ScoreInputs } from '../types.ts';

/**
 * Returns score inputs with the delivery facts of the 30-day window that decide flags and state, if there are any. Times
 * after `now` become `now`, and prices are rounded to millionths of a dollar.
 */
export function limitDelivery({ delivery, ...inputs }: ScoreInputs): ScoreInputs {
  if (delivery === undefined) return inputs;
  const { now } = inputs;
  const recent = delivery.purchases.flatMap(({ at, amountUsd, ...purchase }) =>
    at < now - WINDOW_DAYS * DAY_MS
      ? []
      : [{ ...purchase, at: Math.min(at, now), amountUsd: normalizeUsd(amountUsd) ?? '0.000000' }],
  );
  const { buyers } = delivery;
  const purchases = selectDecisivePurchases({ ...inputs, delivery: { purchases: recent, buyers } });
  const hasFacts = purchases.length + buyers.delivered + buyers.failed > 0;
  return hasFacts ? { ...inputs, delivery: { purchases, buyers } } : inputs;
}

/**
 * Returns what an endpoint delivered for money, for a report.
 *
 * @param record URL template of the signed record of a purchase
 */
export function toReportDelivery(inputs: ScoreInputs, record: string): TrustReport['delivery'] {
  const { delivery } = inputs;
  if (delivery === undefined) return null;
  const { purchases, buyers } = delivery;
  return {
    state: findDeliveryState(inputs),
    purchases: purchases.map((purchase) => ({ ...purchase, at: formatTimestamp(purchase.at) })),
    buyers: { delivered30d: buyers.delivered, failed30d: buyers.failed },
    record,
  };
}

/** Returns the delivery facts of a report, as a part of the score inputs. */
export function readDelivery({ delivery }: Pick<TrustReport, 'delivery'>): Pick<ScoreInputs, 'delivery'> {
  if (delivery === null) return {};
  const purchases = delivery.purchases.map((purchase) => ({ ...purchase, at: Date.parse(purchase.at) }));
  const { delivered30d, failed30d } = delivery.buyers;
  return { delivery: { purchases, buyers: { delivered: delivered30d, failed: failed30d } } };
}
