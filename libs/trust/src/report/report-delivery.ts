import { DAY_MS } from '@touchstone/common';
import { WINDOW_DAYS } from '../endpoint-state.ts';
import { normalizeUsd } from '../report-values.ts';
import type { ScoreInputs } from '../types.ts';

/**
 * Returns the delivery facts of the 30-day window, if there are any. Times after `now` become `now`, and prices are
 * rounded to millionths of a dollar.
 */
export function toPublishableDelivery({ now, delivery }: ScoreInputs): Pick<ScoreInputs, 'delivery'> {
  const oldest = now - WINDOW_DAYS * DAY_MS;
  const purchases = (delivery?.purchases ?? []).flatMap(({ at, amountUsd, ...purchase }) =>
    at < oldest
      ? []
      : [{ ...purchase, at: Math.min(at, now), amountUsd: normalizeUsd(amountUsd) ?? '0.000000' }],
  );
  const buyers = delivery?.buyers ?? { delivered: 0, failed: 0 };
  return purchases.length + buyers.delivered + buyers.failed === 0 ? {} : { delivery: { purchases, buyers } };
}
