import { formatTimestamp } from '@touchstone/common';
import { z } from 'zod';
import { call, type Db } from '../client/client.ts';
import { createRowSchema } from '../client/rows.ts';
import { timestampSchema } from '../client/values.ts';

const claimedSchema = createRowSchema({
  endpointId: z.string(),
  slotAt: timestampSchema,
  /** True for a recheck: an extra probe after a failed probe, outside the schedule. */
  isRecheck: z.boolean(),
  resource: z.string(),
  probeUrl: z.string(),
  host: z.string(),
  declaredMethod: z.string().nullable(),
  challengedMethod: z.string().nullable(),
  /** Ids of the facilitators that sent payments to the wallets of the endpoint in the last 30 days. */
  settledThrough: z.array(z.string()),
});

/** Scheduled probe of an endpoint (probe slot) that one worker has leased. Times are milliseconds since the epoch. */
export type ClaimedEndpoint = z.infer<typeof claimedSchema>;

/**
 * Claims due probe slots of endpoints for one worker. Slots with an expired lease are claimed first. Of several missed
 * slots of one endpoint, only the latest slot is claimed.
 */
export async function claimDueEndpoints(
  db: Db,
  claim: {
    readonly owner: string;
    readonly now: number;
    readonly limit: number;
    readonly leaseSeconds: number;
    /** Suffix of the hosts whose endpoints are claimed; null for all hosts. */
    readonly hostSuffix: string | null;
    /** Maximum number of slots of one host in this claim; default 60. */
    readonly hostLimit?: number;
    /** Rate limit for the claims of one host over all workers, in slots per second; default 2. */
    readonly hostPerSecond?: number;
    /** True claims only rechecks; false claims only scheduled slots. Default false. */
    readonly rechecksOnly?: boolean;
  },
): Promise<readonly ClaimedEndpoint[]> {
  const response = await call(db, 'claim_due_endpoints', { ...claim, now: formatTimestamp(claim.now) });
  return z.array(claimedSchema).parse(response);
}

/**
 * Returns the number of slots that could be claimed now: due slots and slots with an expired lease. Due slots of
 * rate-limited hosts are not counted. Some endpoints may not be probeable, so a claim can return fewer slots.
 *
 * @param query.now - Milliseconds since the epoch.
 * @param query.hostLimit - Maximum number of due slots that are counted for one host.
 */
export async function countDueSlots(
  db: Db,
  query: { readonly now: number; readonly hostLimit: number },
): Promise<number> {
  return call(db, 'count_due_slots', { ...query, now: formatTimestamp(query.now) });
}

/**
 * Corrects slots and rate limits that lie too far in the future, because the clock was set back. Plans again all slots
 * that are more than two intervals and more than an hour ahead. Ends rate limits of hosts that would last for more than
 * ten minutes.
 *
 * @param now - Milliseconds since the epoch.
 * @returns Number of slots that were planned again.
 */
export async function resetDistantSlots(db: Db, now: number): Promise<number> {
  return call(db, 'reset_distant_slots', { now: formatTimestamp(now) });
}

/** Claimed probe slot of an endpoint; `slotAt` is its scheduled time in milliseconds since the epoch. */
export interface Slot {
  readonly endpointId: string;
  readonly slotAt: number;
}

/**
 * Releases slots that a worker claimed and did not probe.
 *
 * @param release.requeue - If true, the slots are due immediately for every worker. If false, the slots are skipped,
 * and their endpoints are probed at the next slot.
 * @returns Number of released slots. A slot is not released if the worker has lost its lease.
 */
export async function releaseSlots(
  db: Db,
  release: { readonly owner: string; readonly slots: readonly Slot[]; readonly requeue: boolean },
): Promise<number> {
  if (release.slots.length === 0) return 0;
  return call(db, 'release_slots', {
    owner: release.owner,
    endpointIds: release.slots.map(({ endpointId }) => endpointId),
    slots: release.slots.map(({ slotAt }) => formatTimestamp(slotAt)),
    requeue: release.requeue,
  });
}

/**
 * Releases all slots of a worker that has stopped, so the slots are due again. Returns the number of released slots.
 */
export async function releaseLeases(db: Db, owner: string): Promise<number> {
  return call(db, 'release_slots', { owner, requeue: true });
}
