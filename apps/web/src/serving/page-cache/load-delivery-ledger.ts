import { type DeliveryLedger, MAX_LEDGER_PURCHASES } from '@touchstone/contract/operations/purchase/schemas';
import { deliveryBudgetSchema } from '@touchstone/pipeline';
import { toDeliveryLedger } from '@touchstone/pipeline/purchases/to-purchase-record';
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
  const { data: budget = null } = deliveryBudgetSchema.safeParse(process.env['DELIVERY_BUDGET']);
  return toDeliveryLedger(ledger, { baseUrl: getSiteOrigin(process.env), now, budget });
});
