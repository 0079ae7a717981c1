import type { PayableOption } from '@touchstone/delivery';
import { decide, toPolicy } from '@touchstone/guard';
import { createEndpointSummary } from '../summaries/create-endpoint-summary.ts';
import type { BuyContext, PlannedPurchase } from './purchase-context.ts';

/**
 * Returns true if the guard refuses a payment, by its default policy and the maximum price of a purchase. An endpoint that
 * is avoided only because of failed purchases may be bought from again, because only another purchase can show that it
 * delivers.
 *
 * @throws StoreError when the database fails
 */
export async function isRefused(
  { db, now, purchases: { budget } }: BuyContext,
  { candidate: { resource, isDisputed } }: PlannedPurchase,
  { network, asset, amount, payTo }: PayableOption,
): Promise<boolean> {
  const requested = { resource, payTo, network };
  // The document is not published, so its links and its vantage are not read.
  const context = { db, now, baseUrl: 'http://localhost', vantage: '' };
  const document = await createEndpointSummary(context, { ...requested, endpointId: null });
  if (document === null) return true;
  const { action } = decide({
    payment: { url: resource, network, asset, amount: String(amount), payTo },
    lookup: { summary: { ...document, requested }, source: 'summary' },
    policy: toPolicy({
      maxPriceUsd: budget.purchase,
      ...(isDisputed ? { recommendations: { avoid: 'warn' } } : {}),
    }),
    now: now(),
  });
  return action === 'abort';
}
