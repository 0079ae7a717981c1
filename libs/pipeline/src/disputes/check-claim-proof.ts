import { findClaim, findClaimSecretHash, type DisputeSubject } from '@touchstone/store';
import { verifySecret } from '@touchstone/watch';
import { createInvalid, createOperationProblem } from '../problem.ts';
import type { DisputeContext, DisputeProblem, DisputeProof } from './dispute-context.ts';

/**
 * Checks that the sender of a dispute owns the active claim of the host of its endpoint. An unknown claim and a wrong
 * secret get the same problem after the same work.
 *
 * @param secret Bearer secret of the request; null without one.
 */
export async function checkClaimProof(
  { db }: Pick<DisputeContext, 'db'>,
  { claimId, secret }: { readonly claimId: string; readonly secret: string | null },
  { host }: Pick<DisputeSubject, 'host'>,
): Promise<DisputeProof | DisputeProblem> {
  const secretHash = await findClaimSecretHash(db, claimId);
  if (!verifySecret(secret ?? '', secretHash)) return UNAUTHORIZED;
  const claim = await findClaim(db, claimId);
  if (claim === null) return UNAUTHORIZED;
  if (claim.status !== 'active' || claim.host !== host) {
    return createInvalid(
      'proof.claim_id',
      `\`proof.claim_id\` must be an active claim of ${host}; received a claim of ${claim.host} with the status ${claim.status}. Claim and verify the host first (POST /v1/claim).`,
    );
  }
  return { kind: 'proof', proof: 'claim', prover: claimId, isFormerWallet: false, messageHash: null };
}

const UNAUTHORIZED = createOperationProblem(
  'unauthorized',
  'No claim has this id and this secret. Send the secret from the creation of the claim as Authorization: Bearer csk_….',
);
