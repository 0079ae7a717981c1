import {
  type DeliveryLedger,
  MAX_SCHEMA_FINDINGS,
  PURCHASE_SCHEMA_TYPE,
  PURCHASE_SCHEMA_VERSION,
  type PurchaseRecord,
} from '@touchstone/contract/operations/purchase/schemas';
import { TEXT_LIMITS, toSchemaUrl } from '@touchstone/contract';
import { PURCHASE_OUTCOMES } from '@touchstone/contract/shared/values';
import type { PurchaseSettings } from '@touchstone/delivery';
import type { PublishedPurchase, PurchaseLedger } from '@touchstone/store';
import { normalizeUsd, toDisplayResource } from '@touchstone/trust';
import { cleanText } from '@touchstone/x402';
import { formatEndpointPage } from '../pages.ts';

/** Base URL of the service, and the current time in milliseconds since the epoch. */
interface RecordContext {
  readonly baseUrl: string;
  readonly now: number;
}

/** Converts a published test purchase to its record without a signature. */
export function toPurchaseRecord(
  purchase: PublishedPurchase,
  { baseUrl, now }: RecordContext,
): PurchaseRecord {
  const { id, outcome, decidedAt, publishedAt } = purchase;
  return {
    $schema: toSchemaUrl(PURCHASE_SCHEMA_TYPE, baseUrl),
    schemaVersion: PURCHASE_SCHEMA_VERSION,
    schemaType: PURCHASE_SCHEMA_TYPE,
    generatedAt: new Date(now).toISOString(),
    id,
    resource: toDisplayResource(purchase.resource),
    endpointPage: toPage(purchase.slug, baseUrl),
    request: {
      method: purchase.method,
      url: toDisplayResource(purchase.requestedUrl),
      bodySha256: purchase.requestSha256,
    },
    payment: toPayment(purchase),
    response: purchase.answeredAt === null ? null : toResponse(purchase),
    ...{ outcome, purchasedAt: purchase.reservedAt, decidedAt, publishedAt },
    signature: null,
  };
}

function toPayment(purchase: PublishedPurchase): PurchaseRecord['payment'] {
  const { network, asset, payer, payTo, amount, amountUsd, nonce, validBefore, charged } = purchase;
  const { transaction, blockNumber: block, settledAt } = purchase;
  return {
    ...{ network, asset, payer, payTo, amount, amountUsd: toSixDecimals(amountUsd), nonce, validBefore },
    ...{ charged, transaction, block, settledAt },
  };
}

function toResponse(purchase: PublishedPurchase): PurchaseRecord['response'] {
  const { httpStatus, contentType, bodyBytes, bodySha256, totalMs, failure, schemaFindings } = purchase;
  const findings = schemaFindings?.flatMap((finding) => cleanText(finding, TEXT_LIMITS.failure) ?? []);
  return {
    ...{ status: httpStatus, contentType: cleanText(contentType, TEXT_LIMITS.name), bytes: bodyBytes },
    ...{ sha256: bodySha256, totalMs, failure },
    schemaFindings: findings?.slice(0, MAX_SCHEMA_FINDINGS) ?? null,
  };
}

/**
 * Converts the stored ledger to its form in the API.
 *
 * @param options.budget limits of the operator; null if nothing is bought
 */
export function toDeliveryLedger(
  { wallets, spent, outcomes, purchases }: PurchaseLedger,
  { baseUrl, now, budget }: RecordContext & { readonly budget: PurchaseSettings['budget'] | null },
): DeliveryLedger {
  const { todayUsd, totalUsd, ...counts } = spent;
  return {
    generatedAt: new Date(now).toISOString(),
    wallets: [...wallets],
    budget: budget && toLimits(budget),
    spent: { todayUsd: toSixDecimals(todayUsd), totalUsd: toSixDecimals(totalUsd), ...counts },
    // The cast is safe: the list has each outcome once.
    outcomes: Object.fromEntries(
      PURCHASE_OUTCOMES.map((outcome) => [outcome, outcomes[outcome] ?? 0]),
    ) as DeliveryLedger['outcomes'],
    purchases: purchases.map(({ slug, resource, amountUsd, ...entry }) => ({
      ...entry,
      amountUsd: toSixDecimals(amountUsd),
      resource: toDisplayResource(resource),
      endpointPage: toPage(slug, baseUrl),
    })),
  };
}

function toLimits(budget: PurchaseSettings['budget']): NonNullable<DeliveryLedger['budget']> {
  return {
    perPurchaseUsd: toSixDecimals(budget.purchase),
    perEndpointWeekUsd: toSixDecimals(budget.endpoint),
    perDayUsd: toSixDecimals(budget.day),
    totalUsd: toSixDecimals(budget.total),
  };
}

const toPage = (slug: string | null, baseUrl: string): string | null =>
  slug === null ? null : formatEndpointPage(slug, baseUrl);

/** Formats an amount in US dollars with six decimals. */
function toSixDecimals(amount: string): string {
  return normalizeUsd(amount) ?? '0.000000';
}
