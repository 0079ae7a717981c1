import { z } from 'zod';
import { count, text, time } from '../../shared/scalars.ts';
import { PURCHASE_FAILURES, PURCHASE_OUTCOMES } from '../../shared/values.ts';

const unpublished = {
  purchased_at: time.describe('Time of the purchase.'),
  outcome: z.enum(PURCHASE_OUTCOMES).describe('Outcome of the purchase.'),
  publish_at: time.describe('Time from which on the outcome is public.'),
  transaction: text('name').nullable().describe('Transaction of the payment; null without a charge.'),
};

/** Test purchase of a watched endpoint, before its outcome is public. */
export const purchaseNoticeSchema = z.strictObject(unpublished);
export type PurchaseNotice = z.infer<typeof purchaseNoticeSchema>;

/** Members with which the provider finds and repairs the fault. */
const answer = {
  requested_url: text('resource').describe('Requested URL, with the declared example query.'),
  http_status: z.int().min(100).max(999).nullable().describe('HTTP status; null without a response.'),
  body_bytes: count.nullable().describe('Length of the received body in bytes; null without a response.'),
  total_ms: count.nullable().describe('Milliseconds to the end of the response; null without a response.'),
  failure: z
    .enum(PURCHASE_FAILURES)
    .nullable()
    .describe('Reason why the response is missing or incomplete; null for a complete response.'),
  schema_findings: z
    .array(text('failure').describe('One difference.'))
    .max(10)
    .nullable()
    .describe('Differences between the body and the declared output schema; null if they were not compared.'),
};

/** Maximum number of purchases in the response about a claim. */
export const MAX_UNPUBLISHED_PURCHASES = 100;

/** Test purchases of a claimed host, before their outcomes are public. */
export const unpublishedPurchasesSchema = z
  .array(
    z
      .strictObject({
        resource: text('resource').describe('URL of the endpoint.'),
        ...unpublished,
        ...answer,
      })
      .describe('One purchase.'),
  )
  .max(MAX_UNPUBLISHED_PURCHASES)
  .describe(
    'Test purchases of this service on the host whose outcome is not public yet, newest first. A purchase without delivery becomes public a day after its decision. The endpoint is then bought again, and a delivery lifts the flag at once.',
  );
