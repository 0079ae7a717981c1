import { z } from 'zod';
import { createInputSchema, noParameters, requestedResource } from '../../shared/requests.ts';
import type { PublishedSchemas } from '../../shared/json-schema.ts';
import { explainStatementText } from '../../shared/statement-text.ts';
import { link, slug, text, time } from '../../shared/scalars.ts';
import { EXAMPLE_PAY_TO } from '../../shared/values.ts';
import { claimIdSchema } from '../claim/operation.ts';
import { TRUST_REPORT_EXAMPLE as report } from '../trust-report/report-schema.ts';

/** Maximum length of the text of a dispute, and of its answer, in UTF-16 code units. */
export const MAX_DISPUTE_CHARS = 1_000;
/** Maximum age of the signature of a dispute, in minutes. */
export const MAX_SIGNATURE_AGE_MINUTES = 10;
/** Time after which a wallet that an endpoint no longer advertises cannot dispute, in days. */
export const FORMER_WALLET_DAYS = 90;
/** Maximum number of disputes of one wallet, or of one claim, in 24 hours. */
export const MAX_DAILY_DISPUTES = 5;

/** Subject of a dispute about the recommendation as a whole. */
export const RECOMMENDATION_SUBJECT = 'recommendation';

/** States of a dispute. */
export const DISPUTE_STATES = ['open', 'upheld', 'rejected'] as const;

const DISPUTE_ID_EXAMPLE = 'd_k5xgq2dlmvzw433bnz2gs3tbme';
/** Schema of the id of a dispute: `d_` and 26 lower-case base32 characters. */
const disputeIdSchema = z.string().regex(/^d_[a-z2-7]{26}$/);

const SUBJECT_EXPECTATION = `must be ${RECOMMENDATION_SUBJECT}, the name of a flag such as payto-changed-recently, or the name of a compliance rule`;
const TEXT_EXPECTATION = `must be one line of plain text of 1 to ${String(MAX_DISPUTE_CHARS)} characters`;
const WALLET_EXPECTATION = 'must be an address of 0x and 40 hexadecimal digits';
const SIGNATURE_EXPECTATION = 'must be a signature of the message: 0x and hexadecimal digits';
const TIME_EXPECTATION =
  'must be the time in the signed message, as ISO 8601 in UTC with milliseconds, such as 2026-06-01T00:00:00.000Z';
/** Maximum length of a signature in hex. Contract wallets with many owners have long signatures. */
const MAX_SIGNATURE_CHARS = 10_000;

const walletProof = z.strictObject({
  wallet: z
    .string({ error: WALLET_EXPECTATION })
    .regex(/^0x[0-9a-fA-F]{40}$/, { error: WALLET_EXPECTATION })
    .describe(
      `payTo address that the challenges of the endpoint name, or named in the last ${String(FORMER_WALLET_DAYS)} days.`,
    ),
  signature: z
    .string({ error: SIGNATURE_EXPECTATION })
    .max(MAX_SIGNATURE_CHARS, { error: SIGNATURE_EXPECTATION })
    .regex(/^0x(?:[0-9a-fA-F]{2})+$/, { error: SIGNATURE_EXPECTATION })
    .describe('Signature of the message (EIP-191), by the key of the wallet or by ERC-1271.'),
  signed_at: z.iso
    .datetime({ precision: 3, error: TIME_EXPECTATION })
    .describe(
      `Time in the signed message, at most ${String(MAX_SIGNATURE_AGE_MINUTES)} minutes ago. Same text as in the message.`,
    ),
});

const claimProof = z.strictObject({
  claim_id: claimIdSchema.describe(
    'Active claim of the host of the endpoint. Send its secret as Authorization: Bearer.',
  ),
});

const disputeRequestSchema = z.strictObject({
  resource: requestedResource,
  subject: z
    .string({ error: SUBJECT_EXPECTATION })
    .max(64, { error: SUBJECT_EXPECTATION })
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: SUBJECT_EXPECTATION })
    .describe(
      'Disputed part of the verdict: recommendation, a flag, or a compliance rule that the endpoint fails now.',
    ),
  // The text stays as it was sent, because the signed message contains it.
  text: z
    .string({ error: TEXT_EXPECTATION })
    .refine((value) => explainStatementText(value, MAX_DISPUTE_CHARS) === null, {
      error: ({ input }) =>
        (typeof input === 'string' ? explainStatementText(input, MAX_DISPUTE_CHARS) : null) ??
        TEXT_EXPECTATION,
    })
    .meta({ minLength: 1, maxLength: MAX_DISPUTE_CHARS })
    .describe('Why the verdict is wrong: one line of plain text without links and addresses. Is published.'),
  proof: z
    .union([walletProof, claimProof], {
      error: 'must be an object with `wallet`, `signature` and `signed_at`, or with `claim_id`',
    })
    .describe('Proof that the provider sends the dispute: the signature of a payTo wallet, or a claim.'),
});

export const disputeInputSchema = createInputSchema(disputeRequestSchema, noParameters);
export type DisputeRequest = z.output<typeof disputeRequestSchema>;
/** Proof by the signature of a wallet. */
export type WalletProof = z.output<typeof walletProof>;

/** Stored dispute as the API publishes it. */
export const disputeSchema = z.strictObject({
  dispute_id: disputeIdSchema.describe('Id of the dispute.'),
  resource: text('resource').describe('Canonical URL of the endpoint.'),
  endpoint_page: link.describe('URL of the page that shows the dispute.'),
  subject: slug.describe('Disputed part of the verdict.'),
  shown: text('sentence').describe('What this service showed when the dispute was sent.'),
  text: text('description').describe('Words of the provider. Unverified text.'),
  state: z
    .enum(DISPUTE_STATES)
    .describe('open; upheld: the verdict was wrong; rejected: the verdict was right.'),
  created_at: time.describe('Time of the dispute.'),
  answer: text('description').nullable().describe('Answer of the operator; null while the dispute is open.'),
  answered_at: time.nullable().describe('Time of the answer; null while the dispute is open.'),
});

export type Dispute = z.infer<typeof disputeSchema>;

/** Maximum number of entries in the corrections. */
export const MAX_CORRECTIONS = 200;

const { endpoint_page: endpointPage, subject, text: words } = disputeSchema.shape;

const correction = z.strictObject({
  ...disputeSchema.shape,
  resource: disputeSchema.shape.resource
    .nullable()
    .describe('URL of the endpoint; null if the entry concerns no single endpoint.'),
  endpoint_page: endpointPage.nullable().describe('Page of the endpoint; null without a public page.'),
  subject: subject
    .nullable()
    .describe('Disputed part of the verdict; null for an error that the operator found.'),
  text: words
    .nullable()
    .describe('Words of the provider, unverified text; null for an error that the operator found.'),
});

/** Answered disputes, and errors that the operator found. */
const correctionsSchema = z.strictObject({
  corrections: z
    .array(correction.describe('One entry.'))
    .max(MAX_CORRECTIONS)
    .describe('Newest entries, newest first.'),
});

export type Corrections = z.infer<typeof correctionsSchema>;

const EXAMPLE_TEXT = 'We moved to a new treasury wallet on 28 May and announced it in our changelog.';

const EXAMPLE: Dispute = {
  dispute_id: DISPUTE_ID_EXAMPLE,
  resource: report.resource,
  endpoint_page: report.endpointPage,
  subject: 'payto-changed-recently',
  shown: 'The payTo address changed in the last 7 days; the endpoint may have been taken over.',
  text: EXAMPLE_TEXT,
  state: 'open',
  created_at: '2026-06-01T00:01:00.000Z',
  answer: null,
  answered_at: null,
};

/** Published schemas of a dispute, by name. */
export const DISPUTE_SCHEMAS = {
  'dispute-request': {
    title: 'Dispute request',
    description: 'Part of a verdict that is wrong, the reason, and the proof of the provider.',
    component: 'DisputeRequest',
    schema: disputeRequestSchema,
    isRequest: true,
    example: {
      resource: report.resource,
      subject: 'payto-changed-recently',
      text: EXAMPLE_TEXT,
      proof: {
        wallet: EXAMPLE_PAY_TO,
        signature: `0x${'5a'.repeat(65)}`,
        signed_at: '2026-06-01T00:00:00.000Z',
      },
    },
  },
  dispute: {
    title: 'Dispute',
    description: 'Dispute of a verdict, with the answer of the operator.',
    component: 'Dispute',
    schema: disputeSchema,
    example: EXAMPLE,
  },
  corrections: {
    title: 'Corrections',
    description: 'Answered disputes of verdicts, and errors that the operator found.',
    component: 'Corrections',
    schema: correctionsSchema,
    example: {
      corrections: [
        {
          ...EXAMPLE,
          state: 'rejected',
          answer: 'The change was observed on 30 May, and the flag ends on 6 June.',
          answered_at: '2026-06-02T09:00:00.000Z',
        },
      ],
    } satisfies Corrections,
  },
} as const satisfies PublishedSchemas;
