import { z } from 'zod';
import { atomicAmount, count, link, text, time, usd } from '../../shared/scalars.ts';
import { EXAMPLE_ASSET, EXAMPLE_NETWORK, EXAMPLE_PAY_TO } from '../../shared/values.ts';
import { createSignatureSchema } from '../key-set/operation.ts';
import { TRUST_REPORT_EXAMPLE as report } from '../trust-report/report-schema.ts';

export const PAYMENT_STATUS_SCHEMA_TYPE = 'payment-status';
/** Semver of the schema: a new field is a minor version, a changed or removed field is a major version. */
export const PAYMENT_STATUS_SCHEMA_VERSION = '1.0.0';

/** Maximum number of payments in a response. A settlement of many deposits can have more. */
export const MAX_STATUS_PAYMENTS = 10;
/** Maximum number of endpoints that are named for one payment. */
export const MAX_ADVERTISERS = 5;

/** States of a payment on the chain. */
export const PAYMENT_STATES = ['settled', 'open', 'expired', 'cancelled', 'unknown'] as const;
/** Causes of a state. */
const PAYMENT_STATE_CAUSES = [
  'confirmed',
  'unconfirmed',
  'unused',
  'disagreement',
  'no-agreement',
  'used-before',
  'no-payment',
  'unsupported-token',
  'absent',
  'reverted',
] as const;

const requested = z.strictObject({
  network: text('address').describe('CAIP-2 id of the network.'),
  asset: text('address').describe('Address of the token.'),
  transaction: text('address').nullable().describe('Transaction; null for a request by nonce.'),
  payer: text('address').nullable().describe('Wallet that signed the payment; null for any wallet.'),
  nonce: text('address')
    .nullable()
    .describe(
      'Nonce of the authorization: 32 bytes in hex (EIP-3009), or decimal digits (Permit2). Null for a request by transaction.',
    ),
  validBefore: time
    .nullable()
    .describe('End of the authorization, as in the request; null without one. Not checked by this service.'),
  since: time
    .nullable()
    .describe('Time from which on the use of the nonce was searched; null for a request by transaction.'),
});

const endpoint = z.strictObject({
  resource: text('resource').describe('URL of the endpoint.'),
  endpointPage: link.describe('URL of the page of the endpoint.'),
});

const payment = z.strictObject({
  transaction: text('address').describe('Transaction of the payment.'),
  kind: z
    .enum(['authorization', 'permit2', 'deposit', 'transaction', 'settlement'])
    .describe(
      'authorization: EIP-3009; permit2: Permit2; deposit: a deposit of the scheme batch-settlement, from which the seller is paid for several requests; transaction: a transaction that the payer signed (Solana); settlement: the part that a seller took of many deposits.',
    ),
  payTo: text('address').describe(
    'Wallet that received the payment. For a deposit, the seller of the deposit.',
  ),
  payer: text('address').describe(
    'Wallet that signed the payment. For a settlement, the contract with the deposits.',
  ),
  nonce: text('address')
    .nullable()
    .describe('Nonce of the authorization; null for a transaction and a settlement.'),
  amount: atomicAmount.describe('Amount in atomic units of the token.'),
  amountUsd: usd.describe('Amount in US dollars.'),
  asset: text('address').describe('Address of the token.'),
  at: time.describe('Time of the block with the payment.'),
  endpoints: z
    .array(endpoint.describe('One endpoint.'))
    .max(MAX_ADVERTISERS)
    .describe(
      `Listed endpoints that this service saw ask for this payTo at the time of the payment, at most ${String(MAX_ADVERTISERS)}, those with this price first. Endpoints can share a wallet, so the list does not prove which one was paid.`,
    ),
});

/** Schema of the signed state of a payment. */
export const paymentStatusSchema = z.strictObject({
  $schema: link.describe('URL of the JSON Schema of this document.'),
  schemaVersion: z.literal(PAYMENT_STATUS_SCHEMA_VERSION).describe('Semver of the schema.'),
  schemaType: z.literal(PAYMENT_STATUS_SCHEMA_TYPE).describe('Discriminator of this document.'),
  generatedAt: time.describe('Time of this response.'),
  requested: requested.describe('Request that the document answers; on EVM networks in lower case.'),
  state: z
    .enum(PAYMENT_STATES)
    .describe(
      'settled: the payment is on the chain. open: the signed payment was not used and can still be used. expired: it was not used, and its end has passed on the chain. cancelled: the payer cancelled it on the chain. unknown: the chain does not show what became of it; see cause.',
    ),
  cause: z
    .enum(PAYMENT_STATE_CAUSES)
    .describe(
      'Cause of the state. settled: confirmed, or unconfirmed with too few confirmations. open: unused, or an unconfirmed cancellation. expired: unused. cancelled: confirmed. unknown: two RPC providers disagree (disagreement); the second one does not respond (no-agreement); the nonce was used before `since` (used-before); the token has no such nonces (unsupported-token); the transaction has no payment of this payer in this token (no-payment), is not on the chain (absent) or failed (reverted).',
    ),
  block: count
    .nullable()
    .describe(
      'Block of the payment or the cancellation. For an unused nonce, the last confirmed block. Null if no block decides.',
    ),
  blockTime: time.nullable().describe('Time of this block; null without a block.'),
  confirmations: count.nullable().describe('Number of blocks after this block; null without a block.'),
  openUntil: time
    .nullable()
    .describe(
      'Time until which an open payment can be used, as in the request; null if unknown or not open.',
    ),
  payments: z
    .array(payment.describe('One payment.'))
    .max(MAX_STATUS_PAYMENTS)
    .describe(`Payments of a settled state, at most ${String(MAX_STATUS_PAYMENTS)}; empty in other states.`),
  safeToPayAgain: z
    .boolean()
    .describe(
      'True only if a confirmed block shows that this payment can no longer be charged (expired, cancelled). Every other state is false.',
    ),
  reason: text('sentence').describe('What happened to the money, and what to do, in a few sentences.'),
  signature: createSignatureSchema('document')
    .nullable()
    .describe('Signature of this service; null for an unsigned document.'),
});

export type PaymentStatus = z.infer<typeof paymentStatusSchema>;

/** Example of a signed state, signed with the same published test key as the example of a trust report. */
export const PAYMENT_STATUS_EXAMPLE: PaymentStatus = {
  $schema: 'https://touchstone.example/schemas/payment-status/1.0.0.json',
  schemaVersion: '1.0.0',
  schemaType: 'payment-status',
  generatedAt: '2026-06-01T00:00:00.000Z',
  requested: {
    network: EXAMPLE_NETWORK,
    asset: EXAMPLE_ASSET.toLowerCase(),
    transaction: null,
    payer: '0x1a642f0e3c3af545e7acbd38b07251b3990914f1',
    nonce: `0x${'7b'.repeat(32)}`,
    validBefore: '2026-06-01T00:05:00.000Z',
    since: '2026-05-31T00:00:00.000Z',
  },
  state: 'settled',
  cause: 'confirmed',
  block: 31_204_118,
  blockTime: '2026-05-31T23:58:09.000Z',
  confirmations: 55,
  openUntil: null,
  payments: [
    {
      transaction: `0x${'ab'.repeat(32)}`,
      kind: 'authorization',
      payTo: EXAMPLE_PAY_TO.toLowerCase(),
      payer: '0x1a642f0e3c3af545e7acbd38b07251b3990914f1',
      nonce: `0x${'7b'.repeat(32)}`,
      amount: '10000',
      amountUsd: '0.010000',
      asset: EXAMPLE_ASSET.toLowerCase(),
      at: '2026-05-31T23:58:09.000Z',
      endpoints: [{ resource: report.resource, endpointPage: report.endpointPage }],
    },
  ],
  safeToPayAgain: false,
  reason: `The payment arrived: $0.01 to ${EXAMPLE_PAY_TO.toLowerCase()} in transaction 0x${'ab'.repeat(32)}. Do not pay again. If the result is missing, send the same signed payment once more, or give the seller the transaction.`,
  signature: {
    ...report.signature,
    value: 'zwWgaAcC_gMvZNfm_eShenN2F4QDLH3ca8ZcW46jbAo0TDF0ssV-eqf07qwMEeH0ScNSkjUDqd_leYvg7yYTAg',
  },
};
