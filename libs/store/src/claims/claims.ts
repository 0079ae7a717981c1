import { formatTimestamp } from '@touchstone/common';
import {
  CLAIM_END_REASONS,
  CLAIM_PROOFS,
  CLAIM_STATUSES,
  PURCHASE_FAILURES,
  PURCHASE_OUTCOMES,
  type ClaimProof,
} from '@touchstone/contract';
import { z } from 'zod';
import { call, unwrap, type Db } from '../client/client.ts';
import { createRowSchema } from '../client/rows.ts';
import { isoTimestampSchema, timestampSchema } from '../client/values.ts';
import { claimSettingsSchema } from './claim-settings.ts';

const claimSchema = z.object({
  id: z.string(),
  host: z.string(),
  status: z.enum(CLAIM_STATUSES),
  proofKey: z.string(),
  verifiedAt: timestampSchema,
  proof: z.enum(CLAIM_PROOFS),
  checkedAt: timestampSchema,
  unreadableSince: timestampSchema.nullable(),
  endedAt: timestampSchema.nullable(),
  endReason: z.enum(CLAIM_END_REASONS).nullable(),
  settings: claimSettingsSchema,
});

/** Claim of a host. Times are milliseconds since the epoch. `proof` is the place where the proof was last found. */
export type StoredClaim = z.infer<typeof claimSchema>;

const hostsSchema = z.array(z.string());

/** Returns true if the catalog has an endpoint of a host. */
export function isClaimable(db: Db, host: string): Promise<boolean> {
  return call(db, 'is_claimable', { host });
}

/** Returns a claim; null if it is unknown. */
export async function findClaim(db: Db, id: string): Promise<StoredClaim | null> {
  return claimSchema.nullable().parse(await call(db, 'find_claim', { id }));
}

/** Returns the active claim of a host; null without one. */
export async function findActiveClaim(db: Db, host: string): Promise<StoredClaim | null> {
  return claimSchema.nullable().parse(await call(db, 'find_active_claim', { host }));
}

const unpublishedSchema = createRowSchema({
  resource: z.string(),
  purchasedAt: isoTimestampSchema,
  outcome: z.enum(PURCHASE_OUTCOMES),
  publishAfter: isoTimestampSchema,
  transaction: z.string().nullable(),
  requestedUrl: z.string(),
  httpStatus: z.number().nullable(),
  bodyBytes: z.number().nullable(),
  totalMs: z.number().nullable(),
  failure: z.enum(PURCHASE_FAILURES).nullable(),
  schemaFindings: z.array(z.string()).nullable(),
});

/** Returns the decided test purchases of a host that are not published, newest first. */
export async function readUnpublishedPurchases(
  db: Db,
  { host, limit }: { readonly host: string; readonly limit: number },
): Promise<readonly z.infer<typeof unpublishedSchema>[]> {
  const response = await db
    .from('purchases')
    .select(
      'resource, purchased_at:reserved_at, outcome, publish_after, transaction, requested_url, http_status, body_bytes, total_ms, failure, schema_findings',
    )
    .eq('host', host)
    .not('outcome', 'is', null)
    .is('published_at', null)
    .order('reserved_at', { ascending: false })
    .limit(limit);
  return z.array(unpublishedSchema).parse(unwrap('read unpublished purchases', response));
}

/**
 * Stores a claim whose proof was found, or the proof of a claim that is stored already. A claim that has ended becomes
 * active again.
 *
 * @param options.replaced id of the active claim whose proof is gone, which this claim replaces; null without one
 * @returns `taken` if the host has another active claim; `other-host` if the claim is stored for another host
 */
export async function verifyClaim(
  db: Db,
  claim: Pick<StoredClaim, 'id' | 'host' | 'proofKey' | 'proof'>,
  {
    replaced,
    nextCheckAt,
    now,
  }: { readonly replaced: string | null; readonly nextCheckAt: number; readonly now: number },
): Promise<'active' | 'taken' | 'other-host'> {
  const outcome = await call(db, 'verify_claim', {
    claim,
    ...(replaced === null ? {} : { replaced }),
    nextCheckAt: formatTimestamp(nextCheckAt),
    now: formatTimestamp(now),
  });
  return z.enum(['active', 'taken', 'other-host']).parse(outcome);
}

/** Ends a claim at the request of its owner. Returns the hosts whose pages must be refreshed. */
export async function endClaim(
  db: Db,
  { id, now }: { readonly id: string; readonly now: number },
): Promise<readonly string[]> {
  return hostsSchema.parse(await call(db, 'end_claim', { id, now: formatTimestamp(now) }));
}

const dueClaimSchema = claimSchema.pick({ id: true, host: true, proofKey: true });
/** Claim that is due for its daily check. */
export type DueClaim = z.infer<typeof dueClaimSchema>;

/** Leases active claims that are due for their daily check, until `leaseUntil` (milliseconds since the epoch). */
export async function claimDueClaims(
  db: Db,
  { now, leaseUntil, limit }: { readonly now: number; readonly leaseUntil: number; readonly limit: number },
): Promise<readonly DueClaim[]> {
  const args = { now: formatTimestamp(now), leaseUntil: formatTimestamp(leaseUntil), limit };
  return z.array(dueClaimSchema).parse(await call(db, 'claim_due_claims', args));
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
 * Records the daily check of a claim that is leased until `leaseUntil`. A claim that could not be read since before
 * `unreadableBefore` ends.
 *
 * @returns the host whose pages must be refreshed, because its claim ended; otherwise no host
 */
export async function recordClaimCheck(
  db: Db,
  check: ClaimCheck,
  times: Readonly<Record<'leaseUntil' | 'nextCheckAt' | 'unreadableBefore' | 'now', number>>,
): Promise<readonly string[]> {
  const hosts = await call(db, 'record_claim_check', {
    check,
    now: formatTimestamp(times.now),
    leaseUntil: formatTimestamp(times.leaseUntil),
    nextCheckAt: formatTimestamp(times.nextCheckAt),
    unreadableBefore: formatTimestamp(times.unreadableBefore),
  });
  return hostsSchema.parse(hosts);
}

/**
 * Hides up to `limit` endpoints of hosts that opted out, and restores up to `limit` endpoints whose host opted out
 * before. Returns the hosts whose pages must be refreshed; no host if every endpoint follows the opt-outs.
 */
export async function applyOptOuts(db: Db, limit: number): Promise<readonly string[]> {
  return hostsSchema.parse(await call(db, 'apply_opt_outs', { limit }));
}

/** Deletes claims that ended before a time (milliseconds since the epoch). Returns their number. */
export function deleteEndedClaims(
  db: Db,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<number> {
  return call(db, 'delete_ended_claims', { before: formatTimestamp(before), limit });
}
