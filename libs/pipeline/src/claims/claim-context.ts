import { formatTimestamp, formatTimestampOrNull } from '@touchstone/common';
import {
  formatClaimLine,
  formatReferenceLine,
  REFUSAL_FILE,
  type Claim,
  type ClaimCreated,
} from '@touchstone/contract';
import { MAX_UNPUBLISHED_PURCHASES } from '@touchstone/contract/operations/claim/unpublished-purchase';
import { readUnpublishedPurchases, type Db, type StoredClaim } from '@touchstone/store';
import { toDisplayResource } from '@touchstone/trust';
import type { PipelineContext } from '../context.ts';
import { createOperationProblem, type OperationProblem } from '../problem.ts';
import type { ClaimIdentity } from './claim-secret.ts';
import type { ProofReader } from './read-proof.ts';
import { toClaimSettings } from './to-claim-settings.ts';

/** External dependencies of the operations on claims. */
export interface ClaimContext extends Pick<PipelineContext, 'db' | 'now' | 'onChanged'> {
  readonly readProof: ProofReader;
}

/** Reason why an operation on a claim changed nothing. */
export type ClaimProblem = OperationProblem<
  'claim-not-verified' | 'invalid-request' | 'rate-limited' | 'unauthorized' | 'unknown-resource'
>;

/** Result of an operation on a claim, or the reason why there is no result. */
export type ClaimResult<Body> = { readonly kind: 'result'; readonly body: Body } | ClaimProblem;

/** Id of a claim, and the bearer secret that the request presented. */
export interface ClaimCredentials {
  readonly id: string;
  readonly secret: string;
}

export const UNAUTHORIZED_CLAIM = createOperationProblem(
  'unauthorized',
  'No claim has this id and this secret. Send the secret from the creation of the claim as Authorization: Bearer csk_….',
);

/** URL of the file in which the owner of a host publishes the line of a claim. */
export const toFileUrl = (host: string): string => `https://${host}${REFUSAL_FILE.path}`;
/** URL of the verification file of the reference service. */
export const toReferenceFileUrl = (host: string): string => `https://${host}/.well-known/x402-trust.txt`;
/** Name of the DNS TXT record in which the owner of a host publishes the line of a claim. */
export const toDnsName = (host: string): string => `_touchstone.${host}`;

/** Returns the host of a claim and the places of its proof. */
export function toClaimedHost(host: string, { id, proofKey }: ClaimIdentity): Omit<ClaimCreated, 'secret'> {
  return {
    claim_id: id,
    host,
    proof: {
      line: formatClaimLine(id),
      file_url: toFileUrl(host),
      dns_name: toDnsName(host),
      reference_line: formatReferenceLine(proofKey),
      reference_file_url: toReferenceFileUrl(host),
    },
  };
}

/** Converts a stored claim to its published form, with the test purchases of its host that are not published. */
export async function toClaim(db: Db, claim: StoredClaim): Promise<Claim> {
  const { host } = claim;
  const isActive = claim.status === 'active';
  const purchases = isActive
    ? await readUnpublishedPurchases(db, { host, limit: MAX_UNPUBLISHED_PURCHASES })
    : [];
  return {
    ...toClaimedHost(host, claim),
    status: claim.status,
    verified_at: formatTimestamp(claim.verifiedAt),
    found_in: claim.proof,
    checked_at: formatTimestamp(claim.checkedAt),
    unreadable_since: formatTimestampOrNull(claim.unreadableSince),
    ended_at: formatTimestampOrNull(claim.endedAt),
    end_reason: claim.endReason,
    settings: toClaimSettings(claim),
    unpublished_purchases: purchases.map(({ resource, outcome, transaction, failure, ...purchase }) => ({
      ...{ resource: toDisplayResource(resource), purchased_at: purchase.purchasedAt, outcome },
      ...{ publish_at: purchase.publishAfter, transaction },
      requested_url: toDisplayResource(purchase.requestedUrl),
      ...{ http_status: purchase.httpStatus, body_bytes: purchase.bodyBytes, total_ms: purchase.totalMs },
      ...{ failure, schema_findings: purchase.schemaFindings },
    })),
  };
}
