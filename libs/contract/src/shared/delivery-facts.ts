import { z } from 'zod';
import { count, link, PURCHASE_ID, text, time, usd } from './scalars.ts';
import { DELIVERY_STATES, PURCHASE_OUTCOMES } from './values.ts';

/** Schemas of what an endpoint returns for money. */

/** Published test purchase of this service. */
export const purchase = z.strictObject({
  id: z.string().regex(PURCHASE_ID).describe('Id of the purchase and of its signed record.'),
  at: time.describe('Time of the purchase.'),
  outcome: z
    .enum(PURCHASE_OUTCOMES)
    .describe(
      'delivered: charged and 2xx, with a body that matches the declared schema. wrong-body: another or an empty body. paid-not-delivered: charged, no 2xx. pay-again: charged, then another 402. late: charged, over 20 seconds. free: 2xx, never charged. refused-uncharged: no 2xx, never charged. unclear: this service cannot tell.',
    ),
  amountUsd: usd.describe('Price in US dollars.'),
  httpStatus: z
    .int()
    .min(100)
    .max(999)
    .nullable()
    .describe('HTTP status of the paid response; null without one.'),
  bodyBytes: count.nullable().describe('Length of its body in bytes; null without a complete response.'),
  schemaFindings: count
    .nullable()
    .describe('Number of differences between its body and the declared schema; null if not compared.'),
  totalMs: count
    .nullable()
    .describe('Milliseconds from the payment to the end of the response; null without one.'),
  transaction: text('address').nullable().describe('Transaction of the payment; null unless charged.'),
});

export const delivery = z.strictObject({
  state: z
    .enum(DELIVERY_STATES)
    .nullable()
    .describe(
      'failed: the flag paid-not-delivered is raised. mixed: delivery-mixed is raised, or three buyers report failures and no more report deliveries. delivered: neither, and the newest charged purchase delivered. Null otherwise.',
    ),
  purchases: z
    .array(purchase.describe('One test purchase.'))
    .max(8)
    .describe(
      'Test purchases of the last 30 days that decide the state, newest first. Of consecutive ones without trouble, only the newest is here; the history has all.',
    ),
  buyers: z
    .strictObject({
      delivered30d: count.describe('Payers whose latest report is a delivery.'),
      failed30d: count.describe('Payers whose latest report is a payment without delivery.'),
    })
    .describe('Distinct payers that reported an outcome. The chain shows each payment.'),
  record: z
    .string()
    .max(2_048)
    .regex(/^https?:[/]{2}.+\{id\}$/)
    .describe('URL of the signed record of a purchase; {id} stands for its id.'),
});

const lastPurchase = purchase
  .pick({
    ...{ id: true, at: true, outcome: true, amountUsd: true, httpStatus: true },
    ...{ bodyBytes: true, schemaFindings: true, totalMs: true },
  })
  .extend({ record: link.describe('URL of the signed record of this purchase.') });

/** Delivery facts of an endpoint in a summary. */
export const summaryDelivery = z.strictObject({
  state: delivery.shape.state,
  last: lastPurchase
    .nullable()
    .describe('Newest charged test purchase with a clear outcome, or else the newest; null without one.'),
  buyers: delivery.shape.buyers,
});
