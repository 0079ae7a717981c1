import { z } from 'zod';
import { createInputSchema, noParameters, requestedResource } from '../../shared/requests.ts';
import type { PublishedSchemas } from '../../shared/json-schema.ts';
import { atomicAmount, count, link, text, time } from '../../shared/scalars.ts';
import { EXAMPLE_NETWORK, EXAMPLE_PAY_TO } from '../../shared/values.ts';
import { BODY, createPayload, createRequestBody, DATABASE, type Operation } from '../operation-model.ts';
import { OUTCOME_DOMAIN, OUTCOME_TYPE } from './outcome-message.ts';
import { TRUST_REPORT_EXAMPLE as report } from '../trust-report/report-schema.ts';

/** Maximum age of a payment whose outcome can be reported, in days. */
export const MAX_PAYMENT_AGE_DAYS = 30;
/** Maximum time between a payment that its nonce identifies and `observed_at`, in minutes. */
export const MAX_NONCE_DISTANCE_MINUTES = 60;
/** Maximum number of outcomes of one payer in 24 hours, because each of them is searched on a chain. */
export const MAX_DAILY_OUTCOMES = 100;

/** Reasons for which an outcome does not count. */
export const UNCOUNTED_REASONS = [
  'not-settled-by-seller',
  'pay-to-not-advertised',
  'amount-not-advertised',
  'request-rejected',
  'own-wallet',
  'seller-wallet',
  'payment-returned',
  'newer-outcome',
  'other-endpoint',
] as const;

const ADDRESS_EXPECTATION = 'must be an address of 0x and 40 hexadecimal digits';
const WORD_EXPECTATION = 'must be 0x and 64 hexadecimal digits';
const NETWORK_EXPECTATION = 'must be the CAIP-2 id of an EVM network, such as eip155:8453';
const SIGNATURE_EXPECTATION = 'must be a signature of the typed data: 0x and hexadecimal digits';
const STATUS_EXPECTATION = 'must be an HTTP status from 100 to 599, or null without a response';
const HASH_EXPECTATION = 'must be the SHA-256 of the body as 64 hexadecimal digits in lower case, or null';
const TIME_EXPECTATION = 'must be ISO 8601 in UTC with milliseconds, such as 2026-06-01T00:00:00.000Z';
/** Maximum length of a signature in hex. Contract wallets with many owners have long signatures. */
const MAX_SIGNATURE_CHARS = 10_000;

const wordSchema = z
  .string({ error: WORD_EXPECTATION })
  .regex(/^0x[0-9a-fA-F]{64}$/, { error: WORD_EXPECTATION });

const observation = z.strictObject({
  delivered: z
    .boolean({ error: 'must be true or false' })
    .describe(
      'True if the payer got what it paid for. Needs an http_status from 200 to 299. False counts only with 402, with a status outside of 400 to 499, or without a response.',
    ),
  http_status: z
    .int({ error: STATUS_EXPECTATION })
    .min(100, { error: STATUS_EXPECTATION })
    .max(599, { error: STATUS_EXPECTATION })
    .nullable()
    .describe('Status of the response to the paid request; null without a response.'),
  body_sha256: z
    .string({ error: HASH_EXPECTATION })
    .regex(/^[0-9a-f]{64}$/, { error: HASH_EXPECTATION })
    .nullable()
    .describe('SHA-256 of the response body in hex; null if it was not computed.'),
  observed_at: z.iso
    .datetime({ precision: 3, error: TIME_EXPECTATION })
    .describe('Time of the response. A later time corrects the stored outcome of the same payment.'),
});

const { delivered, http_status: httpStatus, body_sha256: bodySha256 } = observation.shape;

const outcomeRequestSchema = z
  .strictObject({
    resource: requestedResource,
    network: z
      .string({ error: NETWORK_EXPECTATION })
      .regex(/^eip155:[1-9][0-9]{0,19}$/, { error: NETWORK_EXPECTATION })
      .describe('Network of the payment, as CAIP-2 id.'),
    payer: z
      .string({ error: ADDRESS_EXPECTATION })
      .regex(/^0x[0-9a-fA-F]{40}$/, { error: ADDRESS_EXPECTATION })
      .describe('Wallet that paid.'),
    nonce: wordSchema
      .exactOptional()
      .describe(
        `Nonce of the signed authorization (EIP-3009). Only payments within ${String(MAX_NONCE_DISTANCE_MINUTES)} minutes of observed_at are found by it.`,
      ),
    transaction: wordSchema.exactOptional().describe('Transaction of the payment, instead of the nonce.'),
    delivered,
    http_status: httpStatus,
    body_sha256: bodySha256,
    observed_at: observation.shape.observed_at,
    signature: z
      .string({ error: SIGNATURE_EXPECTATION })
      .max(MAX_SIGNATURE_CHARS, { error: SIGNATURE_EXPECTATION })
      .regex(/^0x(?:[0-9a-fA-F]{2})+$/, { error: SIGNATURE_EXPECTATION })
      .describe(
        `Signature by the key of the payer, or by ERC-1271, of typed data (EIP-712). Domain: name "${OUTCOME_DOMAIN.name}", version "${OUTCOME_DOMAIN.version}". Type: ${OUTCOME_TYPE}. service is the origin of this service. Zero stands for null and for the missing one of nonce and transaction.`,
      ),
  })
  .refine((request) => (request.nonce === undefined) !== (request.transaction === undefined), {
    path: ['nonce'],
    error: 'must name the payment if `transaction` does not, and be left out if it does',
  })
  .refine(
    (request) =>
      !request.delivered || (request.http_status !== null && Math.floor(request.http_status / 100) === 2),
    { path: ['delivered'], error: 'must be false without an http_status from 200 to 299' },
  );

export const outcomeInputSchema = createInputSchema(outcomeRequestSchema, noParameters);
/** Request to report an outcome. */
export type OutcomeRequest = z.output<typeof outcomeRequestSchema>;

const outcomeSchema = z.strictObject({
  counted: z.boolean().describe('True if the outcome counts at the endpoint.'),
  reason: z
    .enum(UNCOUNTED_REASONS)
    .nullable()
    .describe(
      'Why it does not count: the payer itself sent the transaction (not-settled-by-seller); the endpoint was not seen to ask for this payTo, or for this amount, at the time of the payment (pay-to-not-advertised, amount-not-advertised); a 4xx status other than 402, which can have its cause in the request of the payer (request-rejected); this service or the seller owns the wallet of the payer; the seller sent the payer what it paid (payment-returned); an outcome of this payment with a later observed_at is stored (newer-outcome); or this payment was reported for another endpoint. Null if it counts.',
    ),
  resource: text('resource').describe('Canonical URL of the endpoint.'),
  endpoint_page: link.describe('URL of the page of the endpoint.'),
  transaction: wordSchema.describe('Transaction of the payment.'),
  amount: atomicAmount.describe('Paid amount, in atomic units of USDC.'),
  pay_to: text('name').describe('Wallet that received the payment.'),
  paid_at: time.describe('Time of the block with the payment.'),
  outcome: observation.describe('Stored outcome of the payment, or the sent outcome if none is stored.'),
  buyers: z
    .strictObject({
      delivered: count.describe('Payers whose latest outcome is a delivery.'),
      failed: count.describe('Payers whose latest outcome is a failure.'),
    })
    .describe('Distinct payers of the last 30 days at this endpoint, by their latest outcome that counts.'),
});

/** Response to a reported outcome. */
export type Outcome = z.infer<typeof outcomeSchema>;

const OBSERVED = {
  delivered: false,
  http_status: 502,
  body_sha256: null,
  observed_at: '2026-06-01T00:00:04.000Z',
} as const;

/** Published schemas of a reported outcome, by name. */
export const OUTCOME_SCHEMAS = {
  'outcome-request': {
    title: 'Outcome request',
    description: 'What a payer got for a payment, signed by the payer.',
    component: 'OutcomeRequest',
    schema: outcomeRequestSchema,
    isRequest: true,
    example: {
      resource: report.resource,
      network: EXAMPLE_NETWORK,
      payer: '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1',
      nonce: `0x${'7b'.repeat(32)}`,
      ...OBSERVED,
      // Signed by the key 0x01…01 for https://touchstone.example.
      signature:
        '0x8acdbcb344d7a22105762d18f325e255ccf4a6c21369fb178d66b12ba75b0fdc529e0d609f0d96721b3ad43a3dc1caa1cbf015cf50949b8fdedd2fa4290a854f1b',
    },
  },
  outcome: {
    title: 'Outcome',
    description: 'Reported outcome of a payment, and whether it counts.',
    component: 'Outcome',
    schema: outcomeSchema,
    example: {
      counted: true,
      reason: null,
      resource: report.resource,
      endpoint_page: report.endpointPage,
      transaction: `0x${'ab'.repeat(32)}`,
      amount: '10000',
      pay_to: EXAMPLE_PAY_TO.toLowerCase(),
      paid_at: '2026-06-01T00:00:02.000Z',
      outcome: OBSERVED,
      buyers: { delivered: 4, failed: 1 },
    } satisfies Outcome,
  },
} as const satisfies PublishedSchemas;

/** Free operation with which a payer reports what it got for a payment. */
export const reportOutcomeOperation: Operation = {
  id: 'reportOutcome',
  method: 'POST',
  path: '/v1/outcomes',
  parameters: [],
  priceUsd: null,
  security: 'none',
  summary: 'Report what you got for a payment',
  description:
    'Says whether a paid request delivered, signed by the payer (EIP-712). Counts only if the chain shows that the payer paid in USDC a payTo that the endpoint advertised then, in a transaction that the payer did not send itself: once per payment, and not if the seller sent the money. Three payers whose latest payment failed raise a warning. Praise raises nothing, and no outcome enters the score. @touchstone/guard sends it.',
  tags: ['trust'],
  requestBody: createRequestBody(OUTCOME_SCHEMAS, 'outcome-request'),
  response: createPayload(OUTCOME_SCHEMAS, 'outcome'),
  hasHtmlPage: false,
  isCacheableDocument: false,
  outputExample: null,
  problems: [...BODY, 'unknown-resource', 'unknown-payment', 'chain-unavailable', ...DATABASE],
  command: null,
  tool: null,
};
