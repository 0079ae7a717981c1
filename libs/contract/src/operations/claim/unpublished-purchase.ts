import { z } from 'zod';
import { text, time } from '../../shared/scalars.ts';
import { PURCHASE_OUTCOMES } from '../../shared/values.ts';

const unpublished = {
  purchased_at: time.describe('Time of the purchase.'),
  outcome: z.enum(PURCHASE_OUTCOMES).describe('Outcome of the purchase.'),
  publish_at: time.describe('Time from which on the outcome is public.'),
  transaction: text('name').nullable().describe('Transaction of the payment; null without a charge.'),
};

/** Test purchase of a watched endpoint, before its outcome is public. */
export const purchaseNoticeSchema = z.strictObject(unpublished);
export type PurchaseNotice = z.infer<typeof purchaseNoticeSchema>;

/** Maximum number of purchases in the response about a claim. */
export const MAX_UNPUBLISHED_PURCHASES = 100;

/** Test purchases of a claimed host, before their outcomes are public. */
export const unpublishedPurchasesSchema = z
  .array(
    z
      .strictObject({ resource: text('resource').describe('URL of the endpoint.'), ...unpublished })
      .describe('One purchase.'),
  )
  .max(MAX_UNPUBLISHED_PURCHASES)
  .describe(
    'Test purchases of this service on the host whose outcome is not public yet, newest first. A purchase without delivery becomes public a day after its decision. The endpoint is then bought again, and a delivery lifts the flag at once.',
  );
