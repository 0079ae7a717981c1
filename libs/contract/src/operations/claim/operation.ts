import { z } from 'zod';
import type { PublishedSchemas } from '../../shared/json-schema.ts';
import { createInputSchema, noParameters } from '../../shared/requests.ts';
import { link, text, time } from '../../shared/scalars.ts';
import { recheckedSchema, recheckRequestSchema, RECHECKED_EXAMPLE } from './recheck.ts';
import {
  CLAIM_EDIT_EXAMPLE,
  CLAIM_SETTINGS_EXAMPLE,
  claimEditRequestSchema,
  claimSettingsSchema,
} from './settings.ts';
import { unpublishedPurchasesSchema } from './unpublished-purchase.ts';
import {
  BODY,
  createPayload,
  createRequestBody,
  DATABASE,
  FREE_GET,
  type Operation,
  type Parameter,
} from '../operation-model.ts';

export const CLAIM_STATUSES = ['active', 'ended'] as const;

/** Places of the proof: our file, the DNS record, and the verification file of the reference service. */
export const CLAIM_PROOFS = ['file', 'dns', 'reference-file'] as const;
export type ClaimProof = (typeof CLAIM_PROOFS)[number];

export const CLAIM_END_REASONS = ['ended-by-owner', 'proof-removed', 'unreadable', 'replaced'] as const;

const CLAIM_ID_EXAMPLE = 'c_k5xgq2dlmvzw433bnz2gs3tbme';
const PROOF_KEY_EXAMPLE = 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg';
const HOST_EXAMPLE = 'api.example.com';
const HOST_EXPECTATION = `must be the host of your endpoints without scheme, port and path, such as ${HOST_EXAMPLE}`;
const CLAIM_ID_EXPECTATION = `must be the id of a claim, such as ${CLAIM_ID_EXAMPLE}`;

/** Schema of the id of a claim: `c_` and 26 lower-case base32 characters. */
export const claimIdSchema = z
  .string({ error: CLAIM_ID_EXPECTATION })
  .regex(/^c_[a-z2-7]{26}$/, { error: CLAIM_ID_EXPECTATION });

/** Returns the line that the owner of a claim publishes. */
export function formatClaimLine(id: string): string {
  return `touchstone-claim=${id}`;
}

/** Returns the line for the verification file of the reference service. */
export function formatReferenceLine(proofKey: string): string {
  return `x402-trust-verification=v1:${proofKey}`;
}

const claimRequestSchema = z.strictObject({
  host: z
    .string({ error: HOST_EXPECTATION })
    .max(253, { error: HOST_EXPECTATION })
    .regex(/^[A-Za-z0-9-]+([.][A-Za-z0-9-]+)+$/, { error: HOST_EXPECTATION })
    .describe('Host of the endpoints. A claim is valid for exactly this host, and not for its subdomains.')
    .meta({ examples: [HOST_EXAMPLE] }),
});

export const claimInputSchema = createInputSchema(claimRequestSchema, noParameters);

const claimedHost = {
  claim_id: claimIdSchema.describe('Id of the claim.'),
  host: text('name').describe('Claimed host.'),
  proof: z
    .strictObject({
      line: text('name').describe('Line to publish, as a line of its own.'),
      file_url: link.describe('URL of the text file that contains the line.'),
      dns_name: text('resource').describe('Name of the DNS TXT record that contains the line.'),
      reference_line: text('name').describe('Line that may be published in reference_file_url instead.'),
      reference_file_url: link.describe('Verification file of another trust service that is accepted too.'),
    })
    .describe('Proof that you control the host: publish the line in one of these places, and keep it there.'),
};

export const claimCreatedSchema = z.strictObject({
  ...claimedHost,
  secret: z
    .string()
    .regex(/^csk_[A-Za-z0-9_-]{43}$/)
    .describe('Bearer secret of the claim. Store it: it is shown once, and not stored.'),
});
export type ClaimCreated = z.infer<typeof claimCreatedSchema>;

export const claimSchema = z.strictObject({
  ...claimedHost,
  status: z.enum(CLAIM_STATUSES).describe('active: the host is yours; ended: see end_reason.'),
  verified_at: time.describe('Time of the verification.'),
  found_in: z.enum(CLAIM_PROOFS).describe('Place in which the proof was last found.'),
  checked_at: time.describe('Time of the latest check of the proof. It is checked once a day.'),
  unreadable_since: time
    .nullable()
    .describe(
      'Time since which the proof could not be read. The claim ends three days later; null if it was read.',
    ),
  ended_at: time.nullable().describe('End of the claim; null until then.'),
  end_reason: z
    .enum(CLAIM_END_REASONS)
    .nullable()
    .describe(
      'Why the claim ended: its owner ended it, the proof was removed or could not be read for three days, or another claim replaced it.',
    ),
  settings: claimSettingsSchema.describe('What the claim gives. All of it ends with the claim.'),
  unpublished_purchases: unpublishedPurchasesSchema,
});
export type Claim = z.infer<typeof claimSchema>;

export const claimEditedSchema = z.strictObject({
  ...claimSchema.shape,
  webhook_secret: z
    .string()
    .nullable()
    .describe(
      'Key that verifies the messages of a new webhook, for libraries of Standard Webhooks. It is shown once; null without a new webhook.',
    ),
});
export type ClaimEdited = z.infer<typeof claimEditedSchema>;

const CLAIMED_HOST = {
  claim_id: CLAIM_ID_EXAMPLE,
  host: HOST_EXAMPLE,
  proof: {
    line: formatClaimLine(CLAIM_ID_EXAMPLE),
    file_url: `https://${HOST_EXAMPLE}/.well-known/touchstone.txt`,
    dns_name: `_touchstone.${HOST_EXAMPLE}`,
    reference_line: formatReferenceLine(PROOF_KEY_EXAMPLE),
    reference_file_url: `https://${HOST_EXAMPLE}/.well-known/x402-trust.txt`,
  },
};

const CLAIM_EXAMPLE: Claim = {
  ...CLAIMED_HOST,
  status: 'active',
  verified_at: '2026-06-01T00:05:00.000Z',
  found_in: 'file',
  checked_at: '2026-06-02T00:05:00.000Z',
  ...{ unreadable_since: null, ended_at: null, end_reason: null },
  ...{ settings: CLAIM_SETTINGS_EXAMPLE, unpublished_purchases: [] },
};

/** Published schemas of claims, by name. */
export const CLAIM_SCHEMAS = {
  'claim-request': {
    title: 'Claim request',
    description: 'Host to claim.',
    component: 'ClaimRequest',
    schema: claimRequestSchema,
    isRequest: true,
    example: { host: HOST_EXAMPLE },
  },
  'claim-created': {
    title: 'Claim created',
    description: 'New claim of a host with its secret and the line to publish.',
    component: 'ClaimCreated',
    schema: claimCreatedSchema,
    example: {
      ...CLAIMED_HOST,
      secret: 'csk_ZXhhbXBsZS1vZi1hLWNsYWltLXNlY3JldC0zMi1ieXR',
    } satisfies ClaimCreated,
  },
  claim: {
    title: 'Claim',
    description: 'Verified claim of a host.',
    component: 'Claim',
    schema: claimSchema,
    example: CLAIM_EXAMPLE,
  },
  'claim-edited': {
    title: 'Edited claim',
    description: 'Claim after an edit, with the secret of a new webhook.',
    component: 'ClaimEdited',
    schema: claimEditedSchema,
    example: { ...CLAIM_EXAMPLE, webhook_secret: null } satisfies ClaimEdited,
  },
  'claim-edit-request': {
    title: 'Claim edit',
    description:
      'Contact, opt-out, statements and maintenance windows. Members that are left out stay the same.',
    component: 'ClaimEditRequest',
    schema: claimEditRequestSchema,
    isRequest: true,
    example: CLAIM_EDIT_EXAMPLE,
  },
  'recheck-request': {
    title: 'Recheck request',
    description: 'Endpoint of a claimed host to probe now.',
    component: 'RecheckRequest',
    schema: recheckRequestSchema,
    isRequest: true,
    example: { resource: RECHECKED_EXAMPLE.resource },
  },
  rechecked: {
    title: 'Recheck',
    description: 'Result of a probe on request of a provider.',
    component: 'Rechecked',
    schema: recheckedSchema,
    example: RECHECKED_EXAMPLE,
  },
} as const satisfies PublishedSchemas;

const ID: Parameter = {
  in: 'path',
  name: 'id',
  argumentName: 'claim_id',
  required: true,
  description: 'Id of the claim.',
  schema: claimIdSchema,
  example: CLAIM_ID_EXAMPLE,
};

/** Common members of the operations that need the secret of a claim. */
const OWNED = {
  ...FREE_GET,
  security: 'bearer',
  tags: ['claim'],
  parameters: [ID],
  response: createPayload(CLAIM_SCHEMAS, 'claim'),
  problems: ['unauthorized', 'claim-not-verified', ...DATABASE],
} as const;

export const createClaimOperation: Operation = {
  ...FREE_GET,
  id: 'createClaim',
  method: 'POST',
  path: '/v1/claim',
  tags: ['claim'],
  summary: 'Claim the host of your endpoints',
  description:
    'Returns a secret and a line. Publish the line on the host or in its DNS, then verify the claim. No account is needed. The host needs an endpoint in the catalog. Nothing is stored before the verification. The proof is read again each day, and the claim ends when the proof is gone. A claim changes no score.',
  requestBody: createRequestBody(CLAIM_SCHEMAS, 'claim-request'),
  response: createPayload(CLAIM_SCHEMAS, 'claim-created'),
  problems: [...BODY, 'unknown-resource', ...DATABASE],
};

export const showClaimOperation: Operation = {
  ...OWNED,
  id: 'getClaim',
  path: '/v1/claim/{id}',
  summary: 'Status of a claim',
  description:
    'Status of a verified claim, the line to keep published, the latest check, and test purchases before publication.',
};

export const verifyClaimOperation: Operation = {
  ...OWNED,
  id: 'verifyClaim',
  method: 'POST',
  path: '/v1/claim/{id}/verify',
  summary: 'Verify a claim',
  description:
    'Reads the file and the DNS record of the host now. If the line is there, the claim becomes active, also after it has ended. A host has one active claim: another claim replaces it only when the line of the first one is gone. May be repeated.',
  requestBody: createRequestBody(CLAIM_SCHEMAS, 'claim-request'),
  problems: [...BODY, 'unauthorized', 'claim-not-verified', ...DATABASE],
};

export const editClaimOperation: Operation = {
  ...OWNED,
  id: 'editClaim',
  method: 'PATCH',
  path: '/v1/claim/{id}',
  summary: 'State, announce or opt out as the provider of a host',
  description:
    'Sets the contact for security reports, statements beside parts of a verdict, maintenance windows announced before they start, free notices of outages, payTo changes and undelivered test purchases, and the opt-out of probing and listing. Each list replaces the present list. Pages show the texts as words of the provider, and maintenance is not erased from uptime. Nothing of it changes a score.',
  requestBody: createRequestBody(CLAIM_SCHEMAS, 'claim-edit-request'),
  response: createPayload(CLAIM_SCHEMAS, 'claim-edited'),
  problems: [
    ...BODY,
    ...([
      'unauthorized',
      'claim-not-verified',
      'unknown-resource',
      'delivery-unreachable',
      'watch-unavailable',
    ] as const),
    ...DATABASE,
  ],
};

export const recheckOperation: Operation = {
  ...OWNED,
  id: 'recheckEndpoint',
  method: 'POST',
  path: '/v1/claim/{id}/recheck',
  summary: 'Probe and score an endpoint of a claimed host now',
  description:
    'Probes one endpoint of the host now, scores it, and refreshes its page, at most once in 10 minutes for each endpoint. The probe counts in no uptime figure.',
  requestBody: createRequestBody(CLAIM_SCHEMAS, 'recheck-request'),
  response: createPayload(CLAIM_SCHEMAS, 'rechecked'),
  problems: [...BODY, 'unauthorized', 'claim-not-verified', 'unknown-resource', 'not-probeable', ...DATABASE],
};

export const endClaimOperation: Operation = {
  ...OWNED,
  id: 'endClaim',
  method: 'DELETE',
  path: '/v1/claim/{id}',
  summary: 'End a claim',
  description: 'Ends a claim and everything that it gave. Returns the claim, and may be repeated.',
};
