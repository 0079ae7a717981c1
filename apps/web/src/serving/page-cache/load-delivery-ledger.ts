import { type DeliveryLedger, MAX_LEDGER_PURCHASES } from '@touchstone/contract/operations/purchase/schemas';
import { deliveryBudgetSchema } from '@touchstone/pipeline';
import { formatUsd, toDeliveryLedger } from '@touchstone/pipeline/purchases/to-purchase-record';
import { cache } from 'react';
import { getSiteOrigin } from '../../platform/config/config.ts';
import { getPublicStore } from '../../platform/database/databases.ts';
import { readThroughCache } from './page-data.ts';

/** Returns the public ledger of test purchases. The change of any endpoint expires it, as it expires the events. */
export const loadDeliveryLedger = cache(async (): Promise<DeliveryLedger> => {
  const { ledger, now } = await readThroughCache(['delivery-ledger'], 'events', async () => {
    const readAt = Date.now();
    const query = { now: readAt, limit: MAX_LEDGER_PURCHASES };
    return { ledger: await getPublicStore().readPurchaseLedger(query), now: readAt };
  });
  return toDeliveryLedger(ledger, { baseUrl: getSiteOrigin(process.env), now, budget: readBudget() });
});

/** Returns the limits of the operator; null without limits, so nothing is bought. */
function readBudget(): DeliveryLedger['budget'] {
  const { data } = deliveryBudgetSchema.safeParse(process.env['DELIVERY_BUDGET']);
  if (data === undefined) return null;
  return {
    perPurchaseUsd: formatUsd(data.purchase),
    perEndpointWeekUsd: formatUsd(data.endpoint),
    perDayUsd: formatUsd(data.day),
    totalUsd: formatUsd(data.total),
  };
}
