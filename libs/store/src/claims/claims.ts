import { formatTimestamp } from '@touchstone/common';
import { CLAIM_END_REASONS, CLAIM_PROOFS, CLAIM_STATUSES, type ClaimProof } from '@touchstone/contract';
import { z } from 'zod';
import { call, unwrap, type Db } from '../client/client.ts';
import { timestampSchema } from '../client/values.ts';

const claimSchema = z.object({
  id: z.string(),
  host: z.string(),
  status: z.enum(CLAIM_STATUSES),
  proofKey: z.string(),
  createdAt: timestampSchema,
  verifyUntil: timestampSchema,
  verifiedAt: timestampSchema.nullable(),
  proof: z.enum(CLAIM_PROOFS).nullable(),
  checkedAt: timestampSchema.nullable(),
  unreadableSince: timestampSchema.nullable(),
  endedAt: timestampSchema.nullable(),
  endReason: z.enum(CLAIM_END_REASONS).nullable(),
});

/** Claim of a host. Times are milliseconds since the epoch. `proof` is the place where the proof was last found. */
export type StoredClaim = z.infer<typeof claimSchema>;

const hostsSchema = z.array(z.string());

export interface NewClaim {
  readonly id: string;
  readonly host: string;
  readonly secretHash: string;
  readonly proofKey: string;
  /** Milliseconds since the epoch. */
  readonly verifyUntil: number;
}

/**
 * Creates a pending claim.
 *
 * @returns `unknown-host` if the catalog has no endpoint of the host; `too-many` if the host has `maxPending` pending
 *   claims
 */
export async function createClaim(
  db: Db,
  { verifyUntil, ...claim }: NewClaim,
  { maxPending, now }: { readonly maxPending: number; readonly now: number },
): Promise<'created' | 'unknown-host' | 'too-many'> {
  const stored = { ...claim, verifyUntil: formatTimestamp(verifyUntil) };
  const outcome = await call(db, 'create_claim', { claim: stored, maxPending, now: formatTimestamp(now) });
  return z.enum(['created', 'unknown-host', 'too-many']).parse(outcome);
}

/** Returns the hash that authenticates the owner of a claim; null if the claim is unknown. */
export async function findClaimSecretHash(db: Db, id: string): Promise<string | null> {
  const response = await db.from('claims').select('secret_hash').eq('id', id);
  return unwrap('find the secret hash of a claim', response)[0]?.secret_hash ?? null;
}

/** Returns a claim; null if it is unknown. */
export async function findClaim(db: Db, id: string): Promise<StoredClaim | null> {
  return claimSchema.nullable().parse(await call(db, 'find_claim', { id }));
}

/** Returns the active claim of a host; null without one. */
export async function findActiveClaim(db: Db, host: string): Promise<StoredClaim | null> {
  return claimSchema.nullable().parse(await call(db, 'find_active_claim', { host }));
}

export interface FoundProof {
  readonly id: string;
  readonly proof: ClaimProof;
  /** Id of the active claim whose proof is gone, which this claim replaces; null without one. */
  readonly replaced: string | null;
  /** Milliseconds since the epoch, like `now`. */
  readonly nextCheckAt: number;
  readonly now: number;
}

/**
 * Activates a pending claim whose proof was found, or records the proof of an active claim.
 *
 * @returns `taken` if the host has another active claim; `ended` if the claim has ended or was not verified in time
 */
export async function verifyClaim(
  db: Db,
  { nextCheckAt, now, replaced, ...found }: FoundProof,
): Promise<'active' | 'taken' | 'ended'> {
  const outcome = await call(db, 'verify_claim', {
    ...found,
    ...(replaced === null ? {} : { replaced }),
    nextCheckAt: formatTimestamp(nextCheckAt),
    now: formatTimestamp(now),
  });
  return z.enum(['active', 'taken', 'ended']).parse(outcome);
}

/** Ends a claim as its owner wishes. Returns the hosts whose pages must be refreshed. */
export async function endClaim(
  db: Db,
  { id, now }: { readonly id: string; readonly now: number },
): Promise<readonly string[]> {
  return hostsSchema.parse(await call(db, 'end_claim', { id, now: formatTimestamp(now) }));
}

/** Leases active claims that are due for their daily check, until `leaseUntil` (milliseconds since the epoch). */
export async function claimDueClaims(
  db: Db,
  { now, leaseUntil, limit }: { readonly now: number; readonly leaseUntil: number; readonly limit: number },
): Promise<readonly StoredClaim[]> {
  const args = { now: formatTimestamp(now), leaseUntil: formatTimestamp(leaseUntil), limit };
  return z.array(claimSchema).parse(await call(db, 'claim_due_claims', args));
}

/**
 * Result of a daily check. `missing`: the host answered without the proof, so the claim ends. `unreadable`: the host
 * could not be read, which is tolerated for a time.
 */
export type ClaimCheck = { readonly id: string } & (
  | { readonly result: 'found'; readonly proof: ClaimProof }
  | { readonly result: 'missing' | 'unreadable' }
);

/**
 * Records daily checks. Claims that could not be read since before `unreadableBefore` end.
 *
 * @returns the hosts whose pages must be refreshed, because their claims ended
 */
export async function recordClaimChecks(
  db: Db,
  checks: readonly ClaimCheck[],
  times: { readonly now: number; readonly nextCheckAt: number; readonly unreadableBefore: number },
): Promise<readonly string[]> {
  const hosts = await call(db, 'record_claim_checks', {
    checks,
    now: formatTimestamp(times.now),
    nextCheckAt: formatTimestamp(times.nextCheckAt),
    unreadableBefore: formatTimestamp(times.unreadableBefore),
  });
  return hostsSchema.parse(hosts);
}

/**
 * Ends pending claims that were not verified in time, and deletes claims that ended before `deleteBefore`.
 *
 * @returns number of deleted claims
 */
export async function expireClaims(
  db: Db,
  {
    now,
    deleteBefore,
    limit,
  }: { readonly now: number; readonly deleteBefore: number; readonly limit: number },
): Promise<number> {
  const args = { now: formatTimestamp(now), deleteBefore: formatTimestamp(deleteBefore), limit };
  return z.number().parse(await call(db, 'expire_claims', args));
}
