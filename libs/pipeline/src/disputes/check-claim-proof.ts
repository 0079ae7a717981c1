import type { DisputeSubject } from '@touchstone/store';
import { findOwnedClaim } from '../claims/claim-host.ts';
import { createInvalid } from '../problem.ts';
import type { DisputeContext, DisputeProblem, DisputeProof } from './dispute-context.ts';

/**
 * Checks that the sender of a dispute owns the active claim of the host of its endpoint.
 *
 * @param secret Bearer secret of the request; null without one.
 */
export async function checkClaimProof(
  { db }: Pick<DisputeContext, 'db'>,
  { claimId, secret }: { readonly claimId: string; readonly secret: string | null },
  { host }: Pick<DisputeSubject, 'host'>,
): Promise<DisputeProof | DisputeProblem> {
  const owned = await findOwnedClaim({ db }, { id: claimId, secret: secret ?? '' });
  if (owned.kind === 'problem') {
    const { code, detail } = owned;
    return code === 'unauthorized' ? { ...owned, code } : createInvalid('proof.claim_id', detail);
  }
  const { claim } = owned;
  if (claim.status !== 'active' || claim.host !== host) {
    return createInvalid(
      'proof.claim_id',
      `\`proof.claim_id\` must be an active claim of ${host}; received a claim of ${claim.host} with the status ${claim.status}. Claim and verify the host first (POST /v1/claim).`,
    );
  }
  return { kind: 'proof', proof: 'claim', prover: claimId, isFormerWallet: false, messageHash: null };
}
