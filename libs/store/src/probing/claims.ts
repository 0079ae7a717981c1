import { z } from 'zod';
import { unwrap, type Db } from '../client/client.ts';
import { formatTimestamp, timestampSchema } from '../client/timestamps.ts';

const claimedSchema = z
  .object({
    endpoint_id: z.string(),
    slot_at: timestampSchema,
    is_recheck: z.boolean(),
    resource: z.string(),
    probe_url: z.string(),
    host: z.string(),
    declared_method: z.string().nullable(),
    challenged_method: z.string().nullable(),
  })
  .transform((row) => ({
    endpointId: row.endpoint_id,
    slotAt: row.slot_at,
    /** A recheck after a miss, outside the schedule. */
    isRecheck: row.is_recheck,
    resource: row.resource,
    probeUrl: row.probe_url,
    host: row.host,
    declaredMethod: row.declared_method,
    challengedMethod: row.challenged_method,
  }));

/** A slot that a worker holds until its lease expires. Times are milliseconds since the epoch. */
export type ClaimedEndpoint = z.infer<typeof claimedSchema>;

/**
 * Claims due slots, those with an expired lease first. The SQL function `claim_due_endpoints` documents the treatment
 * of missed slots.
 */
export async function claimDueEndpoints(
  db: Db,
  claim: {
    readonly owner: string;
    readonly now: number;
    readonly limit: number;
    readonly leaseSeconds: number;
    /** Claims only endpoints whose host has this suffix; null for all. */
    readonly hostSuffix: string | null;
    /** Maximum number of slots of one host in this claim; default 60. */
    readonly hostLimit?: number;
    /** Rate limit for the claims of one host over all workers, in slots per second; default 2. */
    readonly hostPerSecond?: number;
    /** Claims rechecks and no other slots. */
    readonly rechecksOnly?: boolean;
  },
): Promise<readonly ClaimedEndpoint[]> {
  const response = await db.rpc('claim_due_endpoints', {
    p_owner: claim.owner,
    p_now: formatTimestamp(claim.now),
    p_limit: claim.limit,
    p_lease_seconds: claim.leaseSeconds,
    ...(claim.hostSuffix === null ? {} : { p_host_suffix: claim.hostSuffix }),
    ...(claim.hostLimit === undefined ? {} : { p_host_limit: claim.hostLimit }),
    ...(claim.hostPerSecond === undefined ? {} : { p_host_per_second: claim.hostPerSecond }),
    ...(claim.rechecksOnly === undefined ? {} : { p_rechecks_only: claim.rechecksOnly }),
  });
  return z.array(claimedSchema).parse(unwrap('claim due endpoints', response));
}

/**
 * Returns the number of slots that could be claimed now: due slots and slots with an expired lease, without
 * rate-limited hosts. A few of them may not be probeable, so a claim can return fewer.
 *
 * @param query.now - Milliseconds since the epoch.
 * @param query.hostLimit - Maximum number of slots of one host in a claim.
 */
export async function countDueSlots(
  db: Db,
  query: { readonly now: number; readonly hostLimit: number },
): Promise<number> {
  const response = await db.rpc('count_due_slots', {
    p_now: formatTimestamp(query.now),
    p_host_limit: query.hostLimit,
  });
  return unwrap('count due slots', response);
}

/** A claimed slot; `slotAt` in milliseconds since the epoch. */
export interface Slot {
  readonly endpointId: string;
  readonly slotAt: number;
}

/**
 * Releases slots that their owner claimed and did not probe.
 *
 * @param release.requeue - True makes the slots due at once, for any worker. False skips them until the next slot.
 * @returns Number of slots that the owner still held.
 */
export async function releaseSlots(
  db: Db,
  release: { readonly owner: string; readonly slots: readonly Slot[]; readonly requeue: boolean },
): Promise<number> {
  if (release.slots.length === 0) return 0;
  const response = await db.rpc('release_slots', {
    p_owner: release.owner,
    p_endpoint_ids: release.slots.map(({ endpointId }) => endpointId),
    p_slots: release.slots.map(({ slotAt }) => formatTimestamp(slotAt)),
    p_requeue: release.requeue,
  });
  return unwrap('release slots', response);
}

/** Releases all slots of a worker that has stopped; they are due again. Returns their number. */
export async function releaseLeases(db: Db, owner: string): Promise<number> {
  return unwrap('release leases', await db.rpc('release_leases', { p_owner: owner }));
}

/** Starts or ends the five-minute interval of endpoints. Returns the number of endpoints with a schedule. */
export async function watchEndpoints(
  db: Db,
  endpointIds: readonly string[],
  { watched, now }: { readonly watched: boolean; readonly now: number },
): Promise<number> {
  const response = await db.rpc('watch_endpoints', {
    p_endpoint_ids: [...endpointIds],
    p_watched: watched,
    p_now: formatTimestamp(now),
  });
  return unwrap('watch endpoints', response);
}
