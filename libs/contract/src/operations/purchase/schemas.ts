import { z } from 'zod';
import type { PublishedSchemas } from '../../shared/json-schema.ts';
import { atomicAmount, count, link, PURCHASE_ID, text, time, usd } from '../../shared/scalars.ts';
import {
  EXAMPLE_ASSET,
  EXAMPLE_NETWORK,
  EXAMPLE_PAY_TO,
  PURCHASE_FAILURES,
  PURCHASE_OUTCOMES,
} from '../../shared/values.ts';
import { createSignatureSchema } from '../key-set/operation.ts';
import { TRUST_REPORT_EXAMPLE as report } from '../trust-report/report-schema.ts';

export const PURCHASE_SCHEMA_TYPE = 'x402-purchase';
/** Semver of the schema: a new field is a minor version, a changed or removed field is a major version. */
export const PURCHASE_SCHEMA_VERSION = '1.0.0';

export const PURCHASE_ID_EXAMPLE = 'p_k5xgq2dlmvzw433bnz2gs3tbme';
const PURCHASE_ID_EXPECTATION = `must be the id of a purchase, such as ${PURCHASE_ID_EXAMPLE}`;
/** Schema of the id of a purchase: `p_` and 26 lower-case base32 characters. */
export const purchaseIdSchema = z
  .string({ error: PURCHASE_ID_EXPECTATION })
  .regex(PURCHASE_ID, { error: PURCHASE_ID_EXPECTATION });

/** Maximum number of differences between a body and the declared schema that a record lists. */
export const MAX_SCHEMA_FINDINGS = 10;
/** Maximum number of purchases in the ledger. */
export const MAX_LEDGER_PURCHASES = 200;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const hex32 = z.string().regex(/^0x[0-9a-f]{64}$/);

const request = z.strictObject({
  method: z.enum(['GET', 'POST']).describe('HTTP method.'),
  url: text('resource').describe('Requested URL: the URL of the endpoint, with the declared example query.'),
  bodySha256: sha256.nullable().describe('SHA-256 of the request body in hex; null without a body.'),
});

const payment = z.strictObject({
  network: text('address').describe('CAIP-2 id of the network.'),
  asset: text('address').describe('Address of the token: the canonical USDC of the network.'),
  payer: text('address').describe('Wallet of this service that paid.'),
  payTo: text('address').describe('Address that the challenge named as the payee.'),
  amount: atomicAmount.describe('Amount in atomic units of the token.'),
  amountUsd: usd.describe('Amount in US dollars.'),
  nonce: hex32.nullable().describe('Nonce of the signed transfer (EIP-3009); null if no payment was signed.'),
  validBefore: time
    .nullable()
    .describe('Time from which the token refuses the payment; null if no payment was signed.'),
  charged: z
    .boolean()
    .nullable()
    .describe('true: the chain shows the transfer; false: it never happens; null: unknown.'),
  transaction: text('address').nullable().describe('Transaction of the transfer; null unless charged.'),
  block: count.nullable().describe('Number of the block of the transfer; null unless charged.'),
  settledAt: time.nullable().describe('Time of this block; null unless charged.'),
});

const response = z.strictObject({
  status: z.int().min(100).max(999).nullable().describe('HTTP status; null without a response.'),
  contentType: text('name').nullable().describe('Content type; null without one. Unverified text.'),
  bytes: count
    .nullable()
    .describe(
      'Length of the body in bytes, as far as it was read; null without a response, and for a body that cannot be decoded.',
    ),
  sha256: sha256.nullable().describe('SHA-256 of these bytes in hex; null if their number is null.'),
  totalMs: count
    .nullable()
    .describe(
      'Time from the start of the request to the end of the response in milliseconds; null if unknown.',
    ),
  failure: z
    .enum(PURCHASE_FAILURES)
    .nullable()
    .describe('Reason why the response is missing or incomplete; null for a complete response.'),
  schemaFindings: z
    .array(text('failure').describe('One difference. May contain unverified text.'))
    .max(MAX_SCHEMA_FINDINGS)
    .nullable()
    .describe(
      'Differences between the body and the declared output schema; null if there is no schema, or if it was not evaluated.',
    ),
});

/** Schema of the signed record of a published test purchase. */
export const purchaseRecordSchema = z.strictObject({
  $schema: link.describe('URL of the JSON Schema of this record.'),
  schemaVersion: z.literal(PURCHASE_SCHEMA_VERSION).describe('Semver of the schema.'),
  schemaType: z.literal(PURCHASE_SCHEMA_TYPE).describe('Discriminator of purchase records.'),
  generatedAt: time.describe('Time of this response.'),
  id: purchaseIdSchema.describe('Id of the purchase.'),
  resource: text('resource').describe('URL of the endpoint.'),
  endpointPage: link.nullable().describe('Public page of the endpoint; null if the endpoint was removed.'),
  request: request.describe('Request that was paid.'),
  payment: payment.describe('Payment, and what the chain shows of it.'),
  response: response
    .nullable()
    .describe('Response to the paid request. The body is not kept. Null if nothing was sent or recorded.'),
  outcome: z.enum(PURCHASE_OUTCOMES).describe('Outcome. It follows from payment.charged and response.'),
  purchasedAt: time.describe('Time of the purchase.'),
  decidedAt: time.describe('Time at which the outcome was known.'),
  publishedAt: time.describe('Time since which this record is public.'),
  signature: createSignatureSchema('record')
    .nullable()
    .describe('Signature of this service; null for an unsigned record.'),
});

export type PurchaseRecord = z.infer<typeof purchaseRecordSchema>;

const ledgerEntry = z.strictObject({
  id: purchaseIdSchema.describe('Id of the purchase.'),
  at: time.describe('Time of the purchase.'),
  amountUsd: usd.describe('Price in US dollars.'),
  network: text('address').describe('CAIP-2 id of the network.'),
  resource: text('resource').describe('URL of the endpoint.'),
  endpointPage: link.nullable().describe('Public page of the endpoint; null if the endpoint was removed.'),
  outcome: z.enum(PURCHASE_OUTCOMES).describe('Outcome.'),
  httpStatus: response.shape.status,
  totalMs: count.nullable().describe('Duration in milliseconds; null without a response.'),
  transaction: text('address').nullable().describe('Transaction; null unless charged.'),
});

const outcomes = Object.fromEntries(
  PURCHASE_OUTCOMES.map((outcome) => [outcome, count.describe('Number of published purchases.')]),
  // `Object.fromEntries` types every key as string; the keys are exactly the outcomes.
) as Record<(typeof PURCHASE_OUTCOMES)[number], typeof count>;

const deliveryLedgerSchema = z.strictObject({
  generatedAt: time.describe('Time of this response.'),
  wallets: z
    .array(text('address').describe('One address.'))
    .max(100)
    .describe('Wallets of this service. Their payments count in no figure about payers.'),
  budget: z
    .strictObject({
      perPurchaseUsd: usd.describe('Maximum price of one purchase.'),
      perEndpointWeekUsd: usd.describe('Maximum per endpoint in seven days.'),
      perDayUsd: usd.describe('Maximum per day (UTC).'),
      totalUsd: usd.describe('Maximum of all purchases.'),
    })
    .nullable()
    .describe('Limits of the operator in US dollars; null if no test purchases are made now.'),
  spent: z
    .strictObject({
      todayUsd: usd.describe('US dollars of today (UTC), including payments that are not decided yet.'),
      totalUsd: usd.describe('US dollars of all purchases, including payments that are not decided yet.'),
      purchases: count.describe('Number of purchases.'),
      charged: count.describe('Number of purchases whose transfer the chain shows.'),
      undecided: count.describe('Number of purchases whose outcome is not known yet.'),
      withheld: count.describe(
        'Number of charged purchases that did not deliver as declared and in time, and are published a day after their outcome was known.',
      ),
    })
    .describe('Sums of all purchases.'),
  outcomes: z.strictObject(outcomes).describe('Number of published purchases by outcome.'),
  purchases: z
    .array(ledgerEntry.describe('One purchase.'))
    .max(MAX_LEDGER_PURCHASES)
    .describe('Newest published purchases, newest first.'),
});

export type DeliveryLedger = z.infer<typeof deliveryLedgerSchema>;

const TRANSACTION = `0x${'7d'.repeat(32)}`;

/** Example of a record, signed with the same published test key as the example of a trust report. */
const PURCHASE_RECORD_EXAMPLE: PurchaseRecord = {
  $schema: 'https://touchstone.example/schemas/x402-purchase/1.0.0.json',
  schemaVersion: '1.0.0',
  schemaType: 'x402-purchase',
  generatedAt: '2026-06-01T00:00:00.000Z',
  id: PURCHASE_ID_EXAMPLE,
  resource: report.resource,
  endpointPage: report.endpointPage,
  request: { method: 'GET', url: `${report.resource}?city=Oslo`, bodySha256: null },
  payment: {
    network: EXAMPLE_NETWORK,
    asset: EXAMPLE_ASSET,
    payer: '0x1be31a94361a391bbafb2a4ccd704f57dc04d4bb',
    payTo: EXAMPLE_PAY_TO,
    amount: '10000',
    amountUsd: '0.010000',
    nonce: `0x${'3c'.repeat(32)}`,
    validBefore: '2026-05-30T10:01:07.000Z',
    charged: true,
    transaction: TRANSACTION,
    block: 31_204_118,
    settledAt: '2026-05-30T10:00:09.000Z',
  },
  response: {
    status: 200,
    contentType: 'application/json',
    bytes: 412,
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    totalMs: 820,
    failure: null,
    schemaFindings: [],
  },
  outcome: 'delivered',
  purchasedAt: '2026-05-30T10:00:07.000Z',
  decidedAt: '2026-05-30T10:00:12.000Z',
  publishedAt: '2026-05-30T10:10:00.000Z',
  signature: {
    ...report.signature,
    value: 'PiwNBEgbk0cCEnvFtmAWEY0pvBz_HzogKcu8ECq-3Ba78Gi-QSrDLbNvPxjxQuhKpKQtpwdyksvFbkelH2nQDw',
  },
};

const {
  id,
  purchasedAt,
  resource,
  endpointPage,
  outcome,
  response: answer,
  payment: paid,
} = PURCHASE_RECORD_EXAMPLE;

const DELIVERY_LEDGER_EXAMPLE: DeliveryLedger = {
  generatedAt: '2026-06-01T00:00:00.000Z',
  wallets: [paid.payer],
  budget: {
    ...{ perPurchaseUsd: '0.050000', perEndpointWeekUsd: '0.100000' },
    ...{ perDayUsd: '1.000000', totalUsd: '25.000000' },
  },
  spent: {
    todayUsd: '0.020000',
    totalUsd: '3.410000',
    purchases: 215,
    charged: 198,
    undecided: 1,
    withheld: 1,
  },
  outcomes: {
    ...{ delivered: 183, 'wrong-body': 2, 'paid-not-delivered': 9, 'pay-again': 2, free: 1 },
    ...{ 'refused-uncharged': 11, late: 1, unclear: 4 },
  },
  purchases: [
    {
      ...{ id, at: purchasedAt, amountUsd: paid.amountUsd, network: EXAMPLE_NETWORK },
      ...{
        resource,
        endpointPage,
        outcome,
        httpStatus: answer?.status ?? null,
        totalMs: answer?.totalMs ?? null,
      },
      transaction: TRANSACTION,
    },
  ],
};

/** Published schemas of test purchases, by name. */
export const PURCHASE_SCHEMAS = {
  'x402-purchase': {
    title: 'Purchase record',
    description: 'Test purchase of this service: request, payment, response and outcome.',
    component: 'PurchaseRecord',
    schema: purchaseRecordSchema,
    example: PURCHASE_RECORD_EXAMPLE,
  },
  'delivery-ledger': {
    title: 'Ledger of test purchases',
    description: 'Budget, sums and newest test purchases of this service.',
    component: 'DeliveryLedger',
    schema: deliveryLedgerSchema,
    example: DELIVERY_LEDGER_EXAMPLE,
  },
} as const satisfies PublishedSchemas;
